package import RasterGraph
package import RasterVulkan
internal import Synchronization

/// Memory of a frame that knows when the device wrote it last, so that only those wait who have to: the CPU when
/// it maps the memory, other work of the device on the device.
///
/// It is either memory that both use in place, or the device's own: then the CPU works on a copy, which is made
/// when it asks. Thread-safety: usable from any thread.
package final class FrameMemory: Sendable {
  /// Where the device reads and writes the frame.
  package let buffer: HostBuffer
  private let context: RenderContext
  /// Whether the CPU sees a copy.
  let isOnDevice: Bool
  private let state = Mutex(State())

  private struct State {
    var write: Submission?
    /// The CPU's copy, made at its first use.
    var mirror: HostBuffer?
    /// Whether the copy holds what the device wrote last.
    var isMirrorCurrent = false
  }

  /// New memory of at least `size` bytes; its contents are undefined.
  ///
  /// - Parameter onDevice: whether the device alone is expected to use it. Without effect where the device
  ///   has no memory of its own.
  package init(size: Int, onDevice: Bool, _ context: RenderContext) throws(RasterError) {
    self.context = context
    isOnDevice = onDevice && context.device.deviceClass == .discrete
    let isOnDevice = isOnDevice
    buffer = try translated { () throws(VulkanError) in
      try HostBuffer(allocating: size, on: context.device, nearDevice: isOnDevice)
    }
  }

  /// Remembers that the device writes the memory.
  func noteWrite(_ submission: Submission) {
    state.withLock {
      $0.write = submission
      $0.isMirrorCurrent = false
    }
  }

  /// The last write where it is not known to be done.
  var pendingWrite: Submission? {
    state.withLock { state in
      guard let write = state.write else { return nil }
      if !write.isDone { return write }
      // A line of work that has ended is let go of.
      state.write = nil
      return nil
    }
  }

  /// Where the CPU finds the bytes, once the device has written them.
  ///
  /// - Throws: where the device is lost: then the bytes are not what they should be.
  package func map() throws(RasterError) -> UnsafeMutableRawPointer {
    let address = try translated { () throws(VulkanError) in
      if !isOnDevice { return UInt(bitPattern: try inPlace()) }
      return try state.withLock { state throws(VulkanError) in
        UInt(bitPattern: try mirror(&state))
      }
    }
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else {
      throw RasterError(.internalFailure, "Memory has no address.", remedy: "Report it.")
    }
    return pointer
  }

  /// Ends a use that ``map()`` began.
  ///
  /// - Parameter wasWritten: whether the CPU may have changed the bytes.
  package func unmap(wasWritten: Bool) {
    guard isOnDevice, wasWritten else { return }
    state.withLock { state in
      guard let mirror = state.mirror else { return }
      // Where it fails the device is lost, and whoever renders next says so.
      if let copy = try? context.transfer.copy(from: mirror, to: buffer, after: state.write) {
        state.write = copy
      }
    }
  }

  private func inPlace() throws(VulkanError) -> UnsafeMutableRawPointer {
    // Without the lock: other work of the device, which only asks for the write, does not wait for the CPU.
    if let write = state.withLock({ $0.write }) {
      try write.wait()
      state.withLock { if $0.write?.isSame(as: write) == true { $0.write = nil } }
    }
    return buffer.address
  }

  private func mirror(_ state: inout State) throws(VulkanError) -> UnsafeMutableRawPointer {
    let mirror: HostBuffer
    if let known = state.mirror {
      mirror = known
    } else {
      mirror = try HostBuffer(allocating: buffer.size, on: context.device)
      state.mirror = mirror
    }
    if !state.isMirrorCurrent {
      try context.transfer.copy(from: buffer, to: mirror, after: state.write).wait()
      state.write = nil
      state.isMirrorCurrent = true
    }
    return mirror.address
  }
}

/// Copies between a device's memory and the CPU's, beside the frames that are rendered.
///
/// Thread-safety: usable from any thread.
final class Transfer: Sendable {
  private let device: Device
  private let line: Mutex<Line>

  private struct Line: ~Copyable {
    var queue: Queue?
    var slot: CommandSlot?
  }

  init(_ device: Device) {
    self.device = device
    line = Mutex(Line(queue: nil, slot: nil))
  }

  /// Begins a copy of a whole buffer.
  ///
  /// - Parameter write: what has to be done before.
  func copy(
    from source: HostBuffer, to target: HostBuffer, after write: Submission?
  ) throws(VulkanError) -> Submission {
    try line.withLock { line throws(VulkanError) in
      let queue: Queue
      if let known = line.queue {
        queue = known
      } else {
        queue = try Queue(on: device, forCopies: true)
      }
      line.queue = queue
      var slot =
        if let known = line.slot.take() { known } else {
          try CommandSlot(on: device, forCopies: true)
        }
      _ = try slot.finish()
      try slot.begin()
      var encoder = slot.encoder()
      let bytes = min(source.size, target.size)
      encoder.copy(BufferBinding(source, offset: 0, size: bytes), to: target)
      let submission = try slot.submit(to: queue, after: write.map { [$0] } ?? [])
      line.slot = consume slot
      return submission
    }
  }
}
