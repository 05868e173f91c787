package import CShim
package import RasterGraph
package import RasterRender
internal import RasterVulkan
internal import Synchronization

/// What downstream says about the buffers that it wants.
package struct OutputRequest {
  /// Buffers that downstream holds on to at the same time.
  package var heldBuffers = 0
  /// Whether downstream reads GstVideoMeta, so that rows may be padded.
  package var readsVideoMeta = false
  package var parameters = GstAllocationParams()

  /// Reads the answer to an ALLOCATION query.
  package init(_ query: UnsafeMutablePointer<GstQuery>) {
    gst_allocation_params_init(&parameters)
    for index in 0..<gst_query_get_n_allocation_pools(query) {
      var least: UInt32 = 0
      gst_query_parse_nth_allocation_pool(query, index, nil, nil, &least, nil)
      heldBuffers = max(heldBuffers, Int(least))
    }
    readsVideoMeta = gst_query_find_allocation_meta(query, raster_video_meta_api(), nil) != 0
    if gst_query_get_n_allocation_params(query) > 0 {
      gst_query_parse_nth_allocation_param(query, 0, nil, &parameters)
    }
  }
}

/// A bounded pool of frames in memory that the device writes in place.
///
/// An empty pool makes ``acquire()`` wait for downstream; ``setFlushing(_:)`` ends the wait.
/// Thread-safety: usable from any thread.
package final class OutputPool: @unchecked Sendable {
  // @unchecked: the pool is set once and has locks of its own.
  /// Bytes that every row starts at a multiple of, where downstream reads GstVideoMeta.
  private static let rowAlignment = 64
  /// Frames that we hold ourselves, and some in the hands of queues.
  private static let slack = 4
  /// Frames that the pool may hold where downstream asks for few.
  private static let leastBound = 32

  private let pool: UnsafeMutablePointer<GstBufferPool>
  private let source: MemorySource

  /// Makes the pool and its first buffer.
  ///
  /// - Throws: `outOfMemory` where the device has no room for it.
  package init(
    caps: UnsafeMutablePointer<GstCaps>, info: borrowing GstVideoInfo, request: OutputRequest,
    context: RenderContext
  ) throws(RasterError) {
    source = MemorySource(context)
    guard let pool = gst_video_buffer_pool_new(), let config = gst_buffer_pool_get_config(pool)
    else {
      throw OutputPool.refused
    }
    self.pool = pool
    // One frame at the start: a GstBufferPool that fails to allocate a second one keeps the first.
    let bound = max(OutputPool.leastBound, request.heldBuffers + OutputPool.slack)
    gst_buffer_pool_config_set_params(
      config, caps, UInt32(clamping: info.size), 1, UInt32(clamping: bound))
    let allocator = raster_allocator_new(Unmanaged.passRetained(source).toOpaque())
    var parameters = request.parameters
    if request.readsVideoMeta { parameters.align |= gsize(OutputPool.rowAlignment - 1) }
    gst_buffer_pool_config_set_allocator(config, allocator, &parameters)
    gst_object_unref(allocator)
    if request.readsVideoMeta {
      raster_pool_config_set_stride_alignment(config, UInt32(OutputPool.rowAlignment))
    }
    guard gst_buffer_pool_set_config(pool, config) != 0, gst_buffer_pool_set_active(pool, 1) != 0
    else {
      throw source.lastError ?? OutputPool.refused
    }
  }

  deinit {
    gst_buffer_pool_set_active(pool, 0)
    gst_object_unref(pool)
  }

  /// A frame to write to; waits while all are in use.
  ///
  /// - Returns: a buffer that the caller owns, or nil with the flow that says why: flushing, or an
  ///   error that ``lastError`` explains.
  package func acquire() -> (buffer: UnsafeMutablePointer<GstBuffer>?, flow: GstFlowReturn) {
    var buffer: UnsafeMutablePointer<GstBuffer>?
    let flow = gst_buffer_pool_acquire_buffer(pool, &buffer, nil)
    return (buffer, flow)
  }

  /// Why the last allocation failed.
  package var lastError: RasterError? { source.lastError }

  /// Wakes those who wait in ``acquire()``, and lets nobody wait until set to false.
  package func setFlushing(_ flushing: Bool) {
    gst_buffer_pool_set_flushing(pool, flushing ? 1 : 0)
  }

  /// The planes of a buffer of this pool.
  package func bind(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: borrowing GstVideoInfo, _ layout: PixelLayout
  ) throws(RasterError) -> Frame {
    guard let memory = gst_buffer_peek_memory(buffer, 0), let own = raster_memory_get_buffer(memory)
    else { throw OutputPool.refused }
    let target = Unmanaged<HostBuffer>.fromOpaque(own).takeUnretainedValue()
    let geometry = FrameGeometry(buffer, info)
    guard geometry.offsets.count == layout.planes.count else { throw OutputPool.refused }
    let planes = geometry.offsets.indices.map { plane in
      FramePlane(
        buffer: target, offset: Int(clamping: memory.pointee.offset) + geometry.offsets[plane],
        stride: geometry.strides[plane])
    }
    return Frame(layout: layout, planes: planes)
  }

  private static let refused = RasterError(
    .internalFailure, "GStreamer refused the output pool.",
    remedy: "Run with GST_DEBUG=bufferpool:6,raster*:6 and report it.")
}
