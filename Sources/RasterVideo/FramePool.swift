package import CShim
package import RasterGraph
package import RasterRender
internal import RasterVulkan

/// How many frames a pool may hold.
package enum PoolBound {
  /// Frames on their way through queues and the like.
  private static let slack = 4
  /// Where nobody asks for more. Decoders of libav take no pool of less.
  package static let least = 32

  /// - Parameters:
  ///   - wanted: what the user has set; 0 leaves it to us.
  ///   - held: frames that downstream keeps at the same time.
  package static func frames(wanted: Int, held: Int) -> Int {
    wanted > 0 ? wanted : max(least, held + Renderer.depth + slack)
  }
}

/// What downstream says about the buffers that it wants.
package struct AllocationAnswer {
  /// Buffers that downstream holds on to at the same time.
  package private(set) var heldBuffers = 0
  /// Whether downstream reads GstVideoMeta, so that rows may be padded.
  package let readsVideoMeta: Bool
  /// Whether downstream takes memory that stays on the device.
  package let staysOnDevice: Bool
  fileprivate var parameters = GstAllocationParams()
  fileprivate var pools: [Pool] = []

  /// A pool that downstream offers.
  fileprivate struct Pool {
    let pool: UnsafeMutablePointer<GstBufferPool>
    let size: UInt32
    let least: UInt32
    let most: UInt32
  }

  /// Reads the answer to an ALLOCATION query, which has to live longer.
  package init(_ query: UnsafeMutablePointer<GstQuery>, for context: RenderContext) {
    gst_allocation_params_init(&parameters)
    readsVideoMeta = gst_query_find_allocation_meta(query, raster_video_meta_api(), nil) != 0
    staysOnDevice = raster_query_has_device(query, guint(clamping: context.device.number)) != 0
    if gst_query_get_n_allocation_params(query) > 0 {
      gst_query_parse_nth_allocation_param(query, 0, nil, &parameters)
    }
    for index in 0..<gst_query_get_n_allocation_pools(query) {
      var (size, least, most): (UInt32, UInt32, UInt32) = (0, 0, 0)
      var pool: UnsafeMutablePointer<GstBufferPool>?
      gst_query_parse_nth_allocation_pool(query, index, &pool, &size, &least, &most)
      heldBuffers = max(heldBuffers, Int(least))
      guard let pool else { continue }
      // The query keeps it.
      gst_object_unref(pool)
      pools.append(Pool(pool: pool, size: size, least: least, most: most))
    }
  }
}

/// A bounded pool of frames that the device writes, or reads, in place: one of ours, or downstream's.
///
/// An empty pool makes ``acquire()`` wait for downstream; ``setFlushing(_:)`` ends the wait.
/// Thread-safety: usable from any thread.
package final class FramePool: @unchecked Sendable {
  // @unchecked: the pool is set once and has locks of its own.
  /// Bytes that every row starts at a multiple of, where GstVideoMeta is read.
  private static let rowAlignment = 64

  /// The pool itself, for as long as this object lives.
  package let pool: UnsafeMutablePointer<GstBufferPool>
  package let monitor: PoolMonitor
  /// Frames that the pool may hold.
  package let bound: Int
  /// Nil for downstream's.
  private let source: MemorySource?
  private let isForUpstream: Bool

  /// Whether frames know when the device has written them, so that they can leave before.
  package var defersCompletion: Bool { source != nil }

  /// - Parameter isForUpstream: whether upstream takes frames of the pool, and ends it.
  private init(
    _ pool: UnsafeMutablePointer<GstBufferPool>, _ source: MemorySource?, _ bound: Int,
    _ monitor: PoolMonitor, isForUpstream: Bool = false
  ) {
    self.pool = pool
    self.source = source
    self.bound = bound
    self.monitor = monitor
    self.isForUpstream = isForUpstream
  }

  deinit {
    if !isForUpstream { gst_buffer_pool_set_active(pool, 0) }
    gst_object_unref(pool)
  }

  /// A frame to write to; waits while all are in use.
  ///
  /// - Returns: a buffer that the caller owns, or nil with the flow that says why: flushing, or an
  ///   error that ``lastError`` explains.
  package func acquire() -> (buffer: UnsafeMutablePointer<GstBuffer>?, flow: GstFlowReturn) {
    var buffer: UnsafeMutablePointer<GstBuffer>?
    guard source == nil else {
      let flow = gst_buffer_pool_acquire_buffer(pool, &buffer, nil)
      return (buffer, flow)
    }
    let watcher = Unmanaged.passUnretained(monitor).toOpaque()
    let flow = raster_pool_acquire(pool, &buffer, nil, watcher, gst_buffer_pool_acquire_buffer)
    return (buffer, flow)
  }

  /// Why the last allocation failed.
  package var lastError: RasterError? { source?.lastError }

  /// Frames that there are, and the most that there were at the same time; nil for downstream's pool.
  package var memories: (live: Int, peak: Int)? { source?.memories }

  /// Wakes those who wait for a frame, and lets nobody wait until set to false.
  package func setFlushing(_ flushing: Bool) {
    // Others may end a pool, and one that has ended keeps nobody waiting.
    guard gst_buffer_pool_is_active(pool) != 0 else { return }
    gst_buffer_pool_set_flushing(pool, flushing ? 1 : 0)
  }

  private static let refused = RasterError(
    .internalFailure, "GStreamer refused the pool of frames.",
    remedy: "Run with GST_DEBUG=bufferpool:6,raster*:6 and report it.")
}

// MARK: - Pools of ours

extension FramePool {
  /// What a pool is for.
  package struct Purpose {
    package let caps: UnsafeMutablePointer<GstCaps>
    package let info: GstVideoInfo
    package let context: RenderContext
    /// Frames that it may hold.
    package let bound: Int

    package init(
      caps: UnsafeMutablePointer<GstCaps>, info: GstVideoInfo, context: RenderContext, bound: Int
    ) {
      self.caps = caps
      self.info = info
      self.context = context
      self.bound = bound
    }
  }

  /// The pool for frames that go downstream, with its first frame.
  ///
  /// Downstream's own where that has memory of its kind, which the device can use in place: that is found
  /// out by trying once.
  /// - Throws: `outOfMemory` where the device has no room for it.
  package static func forOutput(
    _ purpose: Purpose, _ answer: AllocationAnswer, _ monitor: PoolMonitor
  ) throws(RasterError) -> FramePool {
    for offered in answer.pools {
      if let pool = downstream(offered, purpose, answer, monitor) { return pool }
    }
    let own = try make(
      purpose, padded: answer.readsVideoMeta, onDevice: answer.staysOnDevice, answer.parameters,
      isForUpstream: false, monitor)
    guard gst_buffer_pool_set_active(own.pool, 1) != 0 else {
      throw own.lastError ?? refused
    }
    return own
  }

  /// A pool for upstream to take frames of, so that it writes memory that the device reads in place.
  package static func forInput(
    _ purpose: Purpose, _ monitor: PoolMonitor
  ) throws(RasterError) -> FramePool {
    var parameters = GstAllocationParams()
    gst_allocation_params_init(&parameters)
    return try make(
      purpose, padded: false, onDevice: false, parameters, isForUpstream: true, monitor)
  }

  private static func make(
    _ purpose: Purpose, padded: Bool, onDevice: Bool, _ parameters: GstAllocationParams,
    isForUpstream: Bool, _ monitor: PoolMonitor
  ) throws(RasterError) -> FramePool {
    let source = MemorySource(
      purpose.context, onDevice: onDevice, onFailure: monitor.onFailure)
    let allocator = raster_allocator_new(Unmanaged.passRetained(source).toOpaque())
    let bound = UInt32(clamping: purpose.bound)
    let watcher = Unmanaged.passRetained(monitor).toOpaque()
    guard let pool = raster_buffer_pool_new(watcher, allocator, bound) else { throw refused }
    let made = FramePool(pool, source, purpose.bound, monitor, isForUpstream: isForUpstream)
    guard let config = gst_buffer_pool_get_config(pool) else { throw refused }
    let size = UInt32(clamping: purpose.info.size)
    // One frame at the start: a GstBufferPool that fails to allocate a second one keeps the first.
    gst_buffer_pool_config_set_params(
      config, purpose.caps, size, isForUpstream ? 0 : 1, bound)
    var parameters = parameters
    if padded { parameters.align |= gsize(rowAlignment - 1) }
    gst_buffer_pool_config_set_allocator(config, allocator, &parameters)
    if padded { raster_pool_config_set_stride_alignment(config, UInt32(rowAlignment)) }
    guard gst_buffer_pool_set_config(pool, config) != 0 else { throw source.lastError ?? refused }
    return made
  }
}

// MARK: - Downstream's pools

extension FramePool {
  /// Downstream's pool, ready for use; nil where it brings nothing, or cannot be used.
  private static func downstream(
    _ offered: AllocationAnswer.Pool, _ purpose: Purpose, _ answer: AllocationAnswer,
    _ monitor: PoolMonitor
  ) -> FramePool? {
    // Frames of raster elements know when they are written; ours do, too. Ordinary memory is as good from us,
    // and a pool that has to hold more than the user wants is none.
    guard raster_is_buffer_pool(offered.pool) == 0, offered.least <= purpose.bound,
      let config = gst_buffer_pool_get_config(offered.pool)
    else { return nil }
    guard raster_pool_is_ordinary(offered.pool, config) == 0 else {
      gst_structure_free(config)
      return nil
    }
    let bound = offered.most == 0 ? purpose.bound : min(Int(offered.most), purpose.bound)
    let size = max(offered.size, UInt32(clamping: purpose.info.size))
    let least = min(offered.least, UInt32(clamping: bound))
    gst_buffer_pool_config_set_params(config, purpose.caps, size, least, UInt32(clamping: bound))
    if answer.readsVideoMeta { raster_pool_config_add_video_meta(config) }
    guard configure(offered.pool, config, purpose, size, least, bound),
      gst_buffer_pool_set_active(offered.pool, 1) != 0
    else { return nil }
    gst_object_ref(offered.pool)
    let pool = FramePool(offered.pool, nil, bound, monitor)
    return pool.isWritable(purpose) ? pool : nil
  }

  /// Gives a pool its configuration, also where it asks for a change that keeps within the bound.
  private static func configure(
    _ pool: UnsafeMutablePointer<GstBufferPool>, _ config: UnsafeMutablePointer<GstStructure>,
    _ purpose: Purpose, _ size: UInt32, _ least: UInt32, _ bound: Int
  ) -> Bool {
    if gst_buffer_pool_set_config(pool, config) != 0 { return true }
    guard let changed = gst_buffer_pool_get_config(pool) else { return false }
    guard
      gst_buffer_pool_config_validate_params(
        changed, purpose.caps, size, least, UInt32(clamping: bound)) != 0
    else {
      gst_structure_free(changed)
      return false
    }
    return gst_buffer_pool_set_config(pool, changed) != 0
  }

  /// Whether the device can write frames of this pool, and they are of memory that is not just any.
  private func isWritable(_ purpose: Purpose) -> Bool {
    var buffer: UnsafeMutablePointer<GstBuffer>?
    var once = GstBufferPoolAcquireParams()
    once.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
    guard gst_buffer_pool_acquire_buffer(pool, &buffer, &once) == GST_FLOW_OK, let buffer else {
      return false
    }
    defer { raster_buffer_unref(buffer) }
    // A pool of an unknown kind may have ordinary memory, too.
    guard let memory = gst_buffer_peek_memory(buffer, 0),
      gst_memory_is_type(memory, "SystemMemory") == 0,
      let format = purpose.info.finfo, let layout = PixelLayout(format)
    else { return false }
    var binder = FrameBinder(purpose.context)
    let request = RenderRequest(index: 0)
    var frame = Frame(layout: layout, planes: [])
    defer { request.release() }
    return
      (try? binder.bind(buffer, purpose.info, .write, to: &frame, for: request)) != nil
  }
}
