internal import CShim
internal import RasterRender
internal import RasterVulkan
internal import Synchronization

/// The device buffers over one GstMemory, kept on that memory and freed with it.
///
/// An address alone must not be the key: after munmap and mmap it can be other pages. The memory
/// object's life is the one safe bound. Thread-safety: usable from any thread.
final class ImportCache: Sendable {
  private struct Entry {
    weak var context: RenderContext?
    /// Nil where the device refused the memory: it is not asked again.
    let buffer: HostBuffer?
    let range: Range<UInt>
  }

  private struct State {
    var entries: [Entry] = []
    /// The frame that came in this memory first; 0 before.
    var firstFrame: UInt64 = 0
  }

  private let state = Mutex(State())
  private static let creation = Mutex(())

  /// The buffer that covers `bytes`, imported at the first call.
  ///
  /// - Parameters:
  ///   - recycledOnly: whether memory is imported only when it comes for the second time: an import is worth
  ///     it for memory that comes again.
  ///   - frame: tells frames apart, of which several planes may lie in one memory; not 0.
  ///   - didImport: called when an import was made.
  /// - Returns: nil where the device cannot use this memory, or not yet.
  func buffer(
    over bytes: UnsafeMutableRawBufferPointer, for context: RenderContext, recycledOnly: Bool,
    frame: UInt64,
    didImport: () -> Void
  ) -> HostBuffer? {
    guard let base = bytes.baseAddress else { return nil }
    let start = UInt(bitPattern: base)
    let range = start..<(start + UInt(bytes.count))
    return state.withLock { state in
      if let known = state.entries.first(where: { $0.context === context && $0.range == range }) {
        return known.buffer
      }
      if state.firstFrame == 0 { state.firstFrame = frame }
      if recycledOnly && state.firstFrame == frame { return nil }
      // What is left of closed devices, or of an earlier address of this memory.
      state.entries.removeAll { $0.context == nil || $0.context === context }
      let buffer = try? HostBuffer(importing: bytes, on: context.device)
      if buffer != nil { didImport() }
      state.entries.append(Entry(context: context, buffer: buffer, range: range))
      return buffer
    }
  }

  /// Lets go of the buffers of a device.
  func drop(for context: RenderContext) {
    state.withLock { $0.entries.removeAll { $0.context == nil || $0.context === context } }
  }

  /// The cache of a memory, made at the first call.
  static func of(_ memory: UnsafeMutablePointer<GstMemory>) -> ImportCache {
    creation.withLock { _ in
      let key = g_quark_from_static_string(keyName)
      if let known = raster_memory_get_qdata(memory, key) {
        return Unmanaged<ImportCache>.fromOpaque(known).takeUnretainedValue()
      }
      let cache = ImportCache()
      raster_memory_set_qdata(memory, key, Unmanaged.passRetained(cache).toOpaque()) { cache in
        if let cache { Unmanaged<ImportCache>.fromOpaque(cache).release() }
      }
      return cache
    }
  }

  private static var keyName: UnsafePointer<CChar> {
    let name: StaticString = "raster-import-cache"
    return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
