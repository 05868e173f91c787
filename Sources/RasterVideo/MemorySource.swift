internal import RasterGraph
internal import RasterRender
package import RasterVulkan
internal import Synchronization

/// Where the allocator of a pool takes its memory from.
///
/// Thread-safety: usable from any thread.
package final class MemorySource: Sendable {
  private let context: RenderContext
  private let error = Mutex<RasterError?>(nil)

  init(_ context: RenderContext) { self.context = context }

  /// Why the last allocation failed.
  var lastError: RasterError? { error.withLock { $0 } }

  /// New memory of at least `size` bytes.
  ///
  /// - Returns: nil where the device has none; ``lastError`` says why.
  package func allocate(_ size: Int) -> HostBuffer? {
    guard size < Int.max - 64 else { return nil }
    do throws(RasterError) {
      // 64 bytes more let a kernel use its widest loads up to the last sample.
      return try translated { () throws(VulkanError) in
        try HostBuffer(allocating: size + 64, on: context.device)
      }
    } catch {
      self.error.withLock { $0 = error }
      return nil
    }
  }
}
