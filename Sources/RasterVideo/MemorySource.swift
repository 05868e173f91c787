internal import CShim
internal import RasterGraph
package import RasterRender
internal import Synchronization

/// Where the allocator of a pool takes its memory from, and how much of it there is.
///
/// Thread-safety: usable from any thread.
package final class MemorySource: Sendable {
  private let context: RenderContext
  private let isOnDevice: Bool
  private let error = Mutex<RasterError?>(nil)
  private let counts = Mutex((live: 0, peak: 0))

  private let onFailure: @Sendable (RasterError) -> Void

  init(
    _ context: RenderContext, onDevice: Bool, onFailure: @escaping @Sendable (RasterError) -> Void
  ) {
    self.context = context
    self.onFailure = onFailure
    isOnDevice = onDevice
  }

  /// Why the last allocation failed.
  var lastError: RasterError? { error.withLock { $0 } }

  /// Memories that there are now, and the most that there ever were.
  package var memories: (live: Int, peak: Int) { counts.withLock { $0 } }

  /// New memory of at least `size` bytes.
  ///
  /// - Returns: nil where the device has none; ``lastError`` says why.
  package func allocate(_ size: Int) -> PooledMemory? {
    guard size < Int.max - 64 else { return nil }
    do throws(RasterError) {
      // 64 bytes more let a kernel use its widest loads up to the last sample.
      let memory = try FrameMemory(size: size + 64, onDevice: isOnDevice, context)
      counts.withLock {
        $0.live += 1
        $0.peak = max($0.peak, $0.live)
      }
      return PooledMemory(memory, of: self)
    } catch {
      self.error.withLock { $0 = error }
      onFailure(error)
      return nil
    }
  }

  fileprivate func didFree() { counts.withLock { $0.live -= 1 } }
}

/// The memory of one GstMemory, counted for as long as that lives. The device may hold on to it longer.
package final class PooledMemory: Sendable {
  package let memory: FrameMemory
  private let source: MemorySource

  fileprivate init(_ memory: FrameMemory, of source: MemorySource) {
    self.memory = memory
    self.source = source
  }

  deinit { source.didFree() }

  /// The memory behind a GstMemory of ours; nil for others.
  static func of(_ memory: UnsafeMutablePointer<GstMemory>) -> PooledMemory? {
    raster_memory_get_frame(memory).map {
      Unmanaged<PooledMemory>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
