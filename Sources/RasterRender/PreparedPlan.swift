internal import RasterGraph
internal import RasterVulkan

/// A plan with its kernels and the memory between its passes, for frames of one geometry.
///
/// Thread-safety: one thread at a time.
final class PreparedPlan {
  private(set) var plan: RenderPlan
  let passes: [PreparedPass]
  let intermediates: [IntermediateBuffer]
  /// Frames that are brought near the device first.
  let copies: [FrameCopy]
  private let shapes: [PlaneShape]
  private let limits: DeviceLimits

  init(
    _ plan: RenderPlan, _ sources: [Frame], _ destination: Frame, _ context: RenderContext,
    _ stills: StillStore, reusing old: [IntermediateBuffer]?, _ report: inout RenderReport
  ) throws(RasterError) {
    self.plan = plan
    limits = context.device.limits
    shapes = PreparedPlan.shapes(plan, sources, destination, limits)
    intermediates = try PreparedPlan.allocate(plan, context, old ?? [], &report)
    copies = try PreparedPlan.copies(plan, sources, destination, context, &report)
    let frames = PassFrames(
      plan: plan, sources: sources, destination: destination,
      stills: try stills.frames(plan.stills, &report), intermediates: intermediates,
      copies: copies)
    let layered = plan.passes.count { $0.body.kernel?.hasLayers == true }
    let limit = (CommandSlot.maxDispatches - plan.passes.count) / max(1, layered)
    var passes: [PreparedPass] = []
    for (index, pass) in plan.passes.enumerated() {
      passes.append(
        try PreparedPass(
          pass, isFirst: index == 0, regionLimit: limit, frames, context, &report))
    }
    self.passes = passes
  }

  /// Brings tables and numbers to the device.
  ///
  /// - Parameter slot: which of the frames under way they are for.
  func load(slot: Int, _ report: inout RenderReport) throws(RasterError) {
    for pass in passes { try pass.load(slot: slot, report: &report) }
  }

  /// Whether frames that follow each other use the same memory between their passes.
  var hasSharedMemory: Bool { !intermediates.isEmpty }

  /// Adds all passes to a command buffer.
  func record(
    slot: Int, _ sources: [Frame], _ destination: Frame, _ encoder: inout DispatchEncoder
  ) throws(VulkanError) {
    for pass in passes {
      try pass.record(slot: slot, sources, destination, intermediates, &encoder)
    }
  }

  /// Room near the device for the frames that are not there; none where all memory is near.
  ///
  /// A walk reads each sample once, from where it is, while it writes: that uses both directions of the bus.
  /// Where it writes near the device, a copy reads faster than a kernel does.
  private static func copies(
    _ plan: RenderPlan, _ sources: [Frame], _ destination: Frame, _ context: RenderContext,
    _ report: inout RenderReport
  ) throws(RasterError) -> [FrameCopy] {
    guard context.device.deviceClass == .discrete else { return [] }
    let copiesWalks = destination.isNearDevice
    var result: [FrameCopy] = []
    let inputs = plan.passes.flatMap { pass in
      pass.body.kernel == nil && !copiesWalks ? [] : pass.body.inputs
    }
    for index in sources.indices
    where inputs.contains(.frame(index)) && !sources[index].isNearDevice {
      let copy = try FrameCopy(index, sources[index], plan.sourceExtents[index], context)
      report.allocations += copy.planes.reduce(0) { $0 + $1.count }
      result.append(copy)
    }
    return result
  }

  /// Whether frames lie in memory so that the kernels are right for them. Frames at other addresses mostly
  /// do: no kernel knows where a plane begins, but for its alignment.
  func fits(_ sources: [Frame], _ destination: Frame) -> Bool {
    guard sources.count == plan.sourceExtents.count, let last = plan.passes.last else {
      return false
    }
    var index = 0
    for (frame, extent) in zip(sources, plan.sourceExtents) {
      guard matches(frame, extent, isWritten: false, &index) else { return false }
    }
    return matches(destination, last.extent, isWritten: true, &index) && index == shapes.count
  }

  private func matches(
    _ frame: Frame, _ extent: Extent, isWritten: Bool, _ index: inout Int
  ) -> Bool {
    for plane in frame.layout.planes.indices {
      let shape = PlaneShape(frame, plane, extent, isWritten: isWritten, limits)
      guard index < shapes.count, shapes[index] == shape else { return false }
      index += 1
    }
    return true
  }

  /// Whether another plan differs in numbers alone.
  func isLike(_ other: RenderPlan) -> Bool {
    plan.identity === other.identity || (plan.stills == other.stills && plan.hasKernels(of: other))
  }

  /// Takes over a plan that ``isLike(_:)`` this one.
  func adopt(_ other: RenderPlan) {
    guard plan.identity !== other.identity else { return }
    plan = other
    for (prepared, pass) in zip(passes, other.passes) { prepared.pass = pass }
  }

  private static func shapes(
    _ plan: RenderPlan, _ sources: [Frame], _ destination: Frame, _ limits: DeviceLimits
  ) -> [PlaneShape] {
    let last = plan.passes.last?.extent ?? Extent(width: 1, height: 1)
    func shapes(_ frame: Frame, _ extent: Extent, isWritten: Bool) -> [PlaneShape] {
      frame.layout.planes.indices.map {
        PlaneShape(frame, $0, extent, isWritten: isWritten, limits)
      }
    }
    return zip(sources, plan.sourceExtents).flatMap { shapes($0, $1, isWritten: false) }
      + shapes(destination, last, isWritten: true)
  }

  /// A buffer for each intermediate result; results that are not needed at the same time share one.
  private static func allocate(
    _ plan: RenderPlan, _ context: RenderContext, _ old: [IntermediateBuffer],
    _ report: inout RenderReport
  ) throws(RasterError) -> [IntermediateBuffer] {
    let (slots, sizes) = plan.intermediateSlots
    guard sizes.reduce(0, +) <= IntermediateBuffer.limit else {
      throw RasterError(
        .outOfMemory, "These filters need more than 4 GiB between their passes.",
        remedy: "Use smaller frames or fewer filters with a radius.")
    }
    // Results that shared a buffer have it once.
    var pool: [HostBuffer] = []
    for own in old where !pool.contains(where: { $0 === own.buffer }) { pool.append(own.buffer) }
    var buffers: [HostBuffer] = []
    for size in sizes {
      if let index = pool.firstIndex(where: { $0.size >= size && $0.size <= 2 * size }) {
        buffers.append(pool.remove(at: index))
        continue
      }
      buffers.append(
        try translated { () throws(VulkanError) in
          try HostBuffer(allocating: size, on: context.device, nearDevice: true)
        })
      report.allocations += 1
    }
    return zip(plan.intermediates, slots).map { IntermediateBuffer(kind: $0, buffer: buffers[$1]) }
  }
}

/// What a kernel's text depends on of where a plane lies.
struct PlaneShape: Hashable {
  /// Bytes of the widest access.
  private static let widest = 32

  private let alignment: Int
  private let stride: Int
  /// Whether the plane does not have to be brought near the device.
  private let isNear: Bool
  /// Bytes behind the last sample, as far as they count: an access for frames that are read, and the rest of
  /// a row besides for the one that is written.
  private let slack: Int

  init(
    _ frame: Frame, _ plane: Int, _ extent: Extent, isWritten: Bool, _ limits: DeviceLimits
  ) {
    let bound = BoundPlane(frame, plane, extent, limits)
    alignment = bound.geometry.offset & (PlaneShape.widest - 1)
    stride = bound.geometry.stride
    isNear = frame.isNearDevice
    slack = min(
      bound.geometry.available - bound.end, PlaneShape.widest + (isWritten ? abs(stride) : 0))
  }
}

/// Memory that holds what one pass hands to a later one.
struct IntermediateBuffer {
  /// Bytes that a plan may have between its passes.
  static let limit = 4 << 30

  let kind: RenderPlan.Intermediate
  let buffer: HostBuffer

  /// The result as a frame; nil where it is not a picture.
  let frame: (frame: Frame, extent: Extent)?

  init(kind: RenderPlan.Intermediate, buffer: HostBuffer) {
    self.kind = kind
    self.buffer = buffer
    guard case .image(let extent) = kind else {
      frame = nil
      return
    }
    let plane = FramePlane(buffer: buffer, offset: 0, stride: extent.halfStride)
    frame = (Frame(layout: .half, planes: [plane]), extent)
  }
}

extension RenderPlan {
  /// A slot for each intermediate result, and the bytes of each slot: results whose lives overlap have
  /// different ones.
  package var intermediateSlots: (slots: [Int], sizes: [Int]) {
    var lastUse = [Int](repeating: 0, count: intermediates.count)
    for (index, pass) in passes.enumerated() {
      for case .intermediate(let input) in pass.body.inputs { lastUse[input] = index }
    }
    var slots = [Int](repeating: 0, count: intermediates.count)
    var sizes: [Int] = []
    var freeFrom: [Int] = []
    for (index, pass) in passes.enumerated() {
      guard case .intermediate(let output) = pass.output else { continue }
      let size = intermediates[output].size + 64
      // A pass must not write what it reads.
      let free = freeFrom.indices.filter { freeFrom[$0] < index }
      let slot = free.min { abs(sizes[$0] - size) < abs(sizes[$1] - size) } ?? sizes.count
      if slot == sizes.count {
        sizes.append(0)
        freeFrom.append(0)
      }
      slots[output] = slot
      sizes[slot] = max(sizes[slot], size)
      freeFrom[slot] = max(lastUse[output], index)
    }
    return (slots, sizes)
  }
}

extension Extent {
  /// Bytes of a row of half floats, padded to whole groups of four pixels.
  var halfStride: Int { (width + 3) / 4 * 4 * 8 }
}
