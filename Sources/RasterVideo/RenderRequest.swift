internal import CShim
internal import RasterGraph
package import RasterRender
internal import RasterVulkan

/// One frame's work from its buffers to its end, and all that has to live until the device is done.
///
/// Made once and used for one frame after the other. Thread-safety: one thread at a time has it, first that which
/// renders, then that which waits for the device; ``state`` alone is for all.
package final class RenderRequest: @unchecked Sendable {
  // @unchecked: RequestQueue hands it from thread to thread.
  package let state = RequestState()
  /// Which of the queue's requests it is.
  let index: Int
  /// The frames that are read.
  package var sources: [Frame] = []
  /// The frame that is written.
  package var destination = Frame(layout: .half, planes: [])
  var submission: Submission?
  private var buffers: [UnsafeMutablePointer<GstBuffer>] = []
  private var maps: [(memory: UnsafeMutablePointer<GstMemory>, map: GstMapInfo)] = []

  init(index: Int) { self.index = index }

  deinit { release() }

  /// Whether somebody has called the request off, so that no more work is worth it.
  package var isCancelled: Bool { state.outcome == .cancelled }

  /// Keeps a buffer until the device is done.
  func retain(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    buffers.append(raster_buffer_ref(buffer))
  }

  /// Keeps a memory mapped until the device is done.
  func keep(_ memory: UnsafeMutablePointer<GstMemory>, _ map: GstMapInfo) {
    maps.append((memory, map))
  }

  /// Gives up everything, since a device that hangs may still use it: better lost than taken from under it.
  func abandon() {
    for plane in sources.flatMap(\.planes) + destination.planes {
      _ = Unmanaged.passRetained(plane.buffer)
    }
    maps.removeAll()
    buffers.removeAll()
    release()
  }

  /// Lets go of everything, but for the room that it took.
  func release() {
    for index in maps.indices { gst_memory_unmap(maps[index].memory, &maps[index].map) }
    maps.removeAll(keepingCapacity: true)
    for index in sources.indices { sources[index].planes.removeAll(keepingCapacity: true) }
    destination.planes.removeAll(keepingCapacity: true)
    submission = nil
    for buffer in buffers { raster_buffer_unref(buffer) }
    buffers.removeAll(keepingCapacity: true)
  }
}
