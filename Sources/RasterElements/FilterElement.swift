internal import CShim
internal import RasterColor
internal import RasterGraph
internal import RasterRender
internal import RasterVideo
internal import RasterVulkan
internal import Synchronization

/// The behavior of one `rasterfilter`.
///
/// Settings may be read and written from any thread. State changes come from the application's
/// thread, frames from the streaming thread; `session` is what both share. Lock order: `session`
/// before `settings`, `steps`, `stats`, `negotiation` or `output`; these are never held together.
/// Nothing waits for downstream with a lock held.
final class FilterElement: @unchecked Sendable {
  // @unchecked: the pointer to the element that owns us is set once; GObject guards what it names.
  let transform: UnsafeMutablePointer<GstBaseTransform>
  let settings = Mutex(FilterSettings())
  let stats = Mutex(FilterStats())
  /// The filters of the `filters` property, in their order.
  let steps = Mutex<[StepChild]>([])
  let session = Mutex<FilterSession?>(nil)
  let negotiation = Mutex(Negotiation())
  private let output = Mutex(Output())

  /// The pool, apart from the session, since a flush must reach it while a frame is rendered.
  struct Output {
    var pool: OutputPool?
    var isFlushing = false
  }

  /// What the caps say.
  struct Negotiation {
    /// Whether input and output differ, so that every frame is rendered.
    var isConversion = false
    /// The size that the filters make of the input's, and the version of the settings that it is of.
    var natural: (version: UInt64, extent: Extent)?
  }

  init(_ transform: UnsafeMutablePointer<GstBaseTransform>) {
    self.transform = transform
  }
}

// MARK: - State changes

extension FilterElement {
  /// Opens the device. Runs in NULL→READY.
  ///
  /// - Returns: false, with an error posted, where it cannot be used.
  func open() -> Bool {
    if let refused = settings.withLock({ $0.refused.first?.error }) {
      ElementError.post(refused, on: transform)
      return false
    }
    let wanted = settings.withLock { $0.device } ?? Environment.value("RASTER_DEVICE") ?? ""
    do throws(RasterError) {
      let context = try RenderContext.context(for: DeviceSelection(wanted))
      Log.write(GST_LEVEL_INFO, transform, "using \(context.device.name)")
      stats.withLock {
        $0 = FilterStats()
        $0.device = context.device.name
      }
      try session.withLock { session throws(RasterError) in
        session = try FilterSession(context)
      }
      return true
    } catch {
      ElementError.post(error, on: transform)
      return false
    }
  }

  /// Lets go of the device. Runs in READY→NULL.
  func close() {
    output.withLock { $0.pool = nil }
    session.withLock {
      $0?.context.saveCaches()
      $0 = nil
    }
  }

  /// Forgets the stream. Runs in PAUSED→READY, when no frame is under way any more.
  func stop() {
    output.withLock { $0.pool = nil }
    session.withLock {
      $0?.streams = nil
      $0?.hasFailed = false
    }
  }

  /// Makes a thread that waits for a frame of the pool return, and keeps it from waiting.
  func setFlushing(_ flushing: Bool) {
    output.withLock {
      $0.isFlushing = flushing
      $0.pool?.setFlushing(flushing)
    }
  }

  /// Starts counting anew. Runs in READY→PAUSED.
  func start() {
    stats.withLock { stats in
      let device = stats.device
      stats = FilterStats()
      stats.device = device
    }
    setFlushing(false)
  }
}

// MARK: - Negotiation

extension FilterElement {
  /// Whether the filters change nothing, now and as long as nobody sets a property.
  var isNeutral: Bool {
    !isAnimated && work.filters.isEmpty
  }

  /// Takes over new caps of both sides.
  func setCaps(
    _ input: UnsafeMutablePointer<GstCaps>, _ output: UnsafeMutablePointer<GstCaps>
  ) -> Bool {
    let streams = FilterStreams(input, output)
    let isSame = gst_caps_is_equal(input, output) != 0 || streams?.areAlike == true
    session.withLock { $0?.streams = streams }
    let work = work
    let extent = streams.map { work.image(of: $0.input.frame, time: 0).extent }
    negotiation.withLock {
      $0.isConversion = !isSame
      $0.natural = extent.map { (work.version, $0) }
    }
    applyPassthrough()
    return streams != nil || (isNeutral && isSame)
  }

  /// Makes the pool that output frames come from, as downstream wants them.
  func decideAllocation(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_query_parse_allocation(query, &caps, nil)
    var info = GstVideoInfo()
    guard let caps, gst_video_info_from_caps(&info, caps) != 0,
      let context = session.withLock({ $0?.context })
    else { return false }
    do throws(RasterError) {
      let pool = try OutputPool(
        caps: caps, info: info, request: OutputRequest(query), context: context)
      output.withLock {
        pool.setFlushing($0.isFlushing)
        $0.pool = pool
      }
      return true
    } catch {
      fail(error)
      return false
    }
  }
}

// MARK: - Frames

extension FilterElement {
  /// Brings animated properties to the time of a frame. Runs before each frame.
  func beforeTransform(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    if let time = streamTime(of: buffer) { syncValues(time) }
    refreshSteps()
    applyPassthrough()
    applySize()
  }

  /// Negotiates anew where changed settings make another size of frames than when caps were agreed on.
  private func applySize() {
    let work = work
    guard let natural = negotiation.withLock({ $0.natural }), natural.version != work.version,
      let input = session.withLock({ $0?.streams?.input.frame })
    else { return }
    let extent = work.image(of: input, time: 0).extent
    negotiation.withLock { $0.natural = (work.version, extent) }
    if natural.extent != extent { gst_base_transform_reconfigure_src(transform) }
  }

  /// Lets frames through untouched while the settings are neutral.
  ///
  /// Only called on the streaming thread: the base class reads the flag several times for a frame.
  private func applyPassthrough() {
    let isIdentity = work.filters.isEmpty && !negotiation.withLock { $0.isConversion }
    guard isIdentity != (gst_base_transform_is_passthrough(transform) != 0) else { return }
    gst_base_transform_set_passthrough(transform, isIdentity ? 1 : 0)
    // The pool is negotiated anew: frames of ours are needed now, or no longer.
    gst_pad_mark_reconfigure(raster_transform_get_source_pad(transform))
  }

  /// A frame to write to. Waits while the pool is empty.
  func acquire() -> (UnsafeMutablePointer<GstBuffer>?, GstFlowReturn) {
    guard session.withLock({ $0?.hasFailed == false }) else {
      return (nil, GST_FLOW_ERROR)
    }
    guard let pool = output.withLock({ $0.pool }) else { return (nil, GST_FLOW_NOT_NEGOTIATED) }
    let (buffer, flow) = pool.acquire()
    if flow == GST_FLOW_ERROR, let error = pool.lastError { fail(error) }
    return (buffer, flow)
  }

  /// Renders `input` into `target`.
  func render(
    _ input: UnsafeMutablePointer<GstBuffer>, into target: UnsafeMutablePointer<GstBuffer>
  ) -> GstFlowReturn {
    let work = work
    let time = streamTime(of: input).map { Double($0) / 1e9 } ?? 0
    guard let pool = output.withLock({ $0.pool }) else { return GST_FLOW_NOT_NEGOTIATED }
    do throws(RasterError) {
      let rendered = try session.withLock { session throws(RasterError) in
        try session?.render(input, into: target, work, time: time, pool)
      }
      guard let (cost, newPlan) = rendered else { return GST_FLOW_FLUSHING }
      if let newPlan { notePlan(newPlan) }
      let isFirstCopy = stats.withLock { stats in
        let hadCopies = stats.copies > 0
        stats.add(cost)
        return stats.copies > 0 && !hadCopies
      }
      if isFirstCopy {
        raster_log_performance(
          transform, "frames are copied: the device cannot use their memory in place")
      }
      return GST_FLOW_OK
    } catch {
      fail(error)
      return GST_FLOW_ERROR
    }
  }

  /// The stream time of a frame in nanoseconds; nil where it has none.
  private func streamTime(of buffer: UnsafeMutablePointer<GstBuffer>) -> guint64? {
    let time = gst_segment_to_stream_time(
      raster_transform_get_segment(transform), GST_FORMAT_TIME,
      guint64(raster_buffer_get_pts(buffer)))
    return time == guint64.max ? nil : time
  }

  /// Reports an error, once, and lets all later frames fail.
  private func fail(_ error: RasterError) {
    let isFirst = session.withLock { session in
      let hadFailed = session?.hasFailed ?? false
      session?.hasFailed = true
      return !hadFailed
    }
    if isFirst { ElementError.post(error, on: transform) }
  }
}
