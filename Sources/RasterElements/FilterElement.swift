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
/// before `settings`, `steps`, `stats`, `stage`, `negotiation` or `pools`; these are never held together.
/// Nothing waits for downstream, or for the end of a request, with a lock held.
final class FilterElement: @unchecked Sendable {
  // @unchecked: the pointer to the element that owns us is set once; GObject guards what it names.
  let transform: UnsafeMutablePointer<GstBaseTransform>
  let settings = Mutex(FilterSettings())
  let stats = Mutex(FilterStats())
  /// The filters of the `filters` property, in their order.
  let steps = Mutex<[StepChild]>([])
  let session = Mutex<FilterSession?>(nil)
  /// How the last frames were rendered, apart from the session, which is held while frames are; nil before.
  let stage = Mutex<RehearsalStage?>(nil)
  /// The thread that brings animated values to the time of a frame; 0 while none does.
  let animatingThread = Atomic<UInt>(0)
  let negotiation = Mutex(Negotiation())
  /// The pools, apart from the session, since a flush must reach them while a frame is rendered.
  let pools = Mutex(ElementPools())
  /// The frames that are under way, from NULL→READY to READY→NULL; apart for the same reason.
  private let requests = Mutex<RequestQueue?>(nil)
  /// Set by the first error; later frames fail at once, without a message.
  private let hasFailed = Atomic(false)
  /// Whether that error has been posted.
  private let isReported = Mutex(false)
  /// Whether the user was told that a pool is empty.
  let hasStarved = Atomic(false)

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
      // Unowned: the queue ends with the session, long before the element.
      let queue = RequestQueue { [unowned self] outcome, error in self.note(outcome, error) }
      requests.withLock { $0 = queue }
      forgetFailure()
      return true
    } catch {
      ElementError.post(error, on: transform)
      return false
    }
  }

  /// Lets go of the device. Runs in READY→NULL.
  func close() {
    pools.withLock { $0.drop() }
    dropStage(unlessLike: nil)
    let queue = requests.withLock { $0.take() }
    queue?.drain()
    session.withLock {
      $0?.context.saveCaches()
      $0 = nil
    }
  }

  /// Forgets the stream. Runs in PAUSED→READY, when no frame is made any more.
  func stop() {
    pools.withLock { $0.drop() }
    dropStage(unlessLike: nil)
    requests.withLock { $0 }?.drain()
    let time = session.withLock { session in
      session?.streams = nil
      return session?.finish() ?? 0
    }
    stats.withLock { $0.deviceTime += time }
    forgetFailure()
  }

  /// Makes a thread that waits for a frame of the pool return, and keeps it from waiting; calls off the frames
  /// that are under way.
  func setFlushing(_ flushing: Bool) {
    // A pool that is made meanwhile sees the flag, or is among those that are told.
    let known = pools.withLock { pools in
      pools.isFlushing = flushing
      return pools
    }
    known.setFlushing(flushing)
    if flushing { requests.withLock { $0 }?.cancelAll() }
  }

  /// Starts counting anew. Runs in READY→PAUSED.
  func start() {
    stats.withLock { stats in
      let device = stats.device
      stats = FilterStats()
      stats.device = device
    }
    hasStarved.store(false, ordering: .relaxed)
    pools.withLock { $0.start() }
    setFlushing(false)
  }

  private func forgetFailure() {
    isReported.withLock { $0 = false }
    hasFailed.store(false, ordering: .releasing)
  }

  /// Counts how a request has ended, and reports where it failed.
  private func note(_ outcome: RequestOutcome, _ error: RasterError?) {
    stats.withLock {
      switch outcome {
      case .rendered: $0.rendered += 1
      case .failed: $0.failed += 1
      case .cancelled: $0.cancelled += 1
      }
    }
    if let error { fail(error) }
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
    dropStage(unlessLike: streams)
    let work = work
    let extent = streams.map { work.image(of: $0.input.frame, time: 0).extent }
    negotiation.withLock {
      $0.isConversion = !isSame
      $0.natural = extent.map { (work.version, $0) }
    }
    applyPassthrough()
    return streams != nil || (isNeutral && isSame)
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
    guard !hasFailed.load(ordering: .acquiring) else { return (nil, GST_FLOW_ERROR) }
    guard let pool = pools.withLock({ $0.output }) else { return (nil, GST_FLOW_NOT_NEGOTIATED) }
    let (buffer, flow) = pool.acquire()
    if flow == GST_FLOW_ERROR, let error = pool.lastError { fail(error) }
    return (buffer, flow)
  }

  /// Begins to render `input` into `target`; whoever maps that waits until it is done.
  func render(
    _ input: UnsafeMutablePointer<GstBuffer>, into target: UnsafeMutablePointer<GstBuffer>
  ) -> GstFlowReturn {
    guard let queue = requests.withLock({ $0 }), let pool = pools.withLock({ $0.output }) else {
      return GST_FLOW_NOT_NEGOTIATED
    }
    let request = queue.begin()
    stats.withLock { $0.frames += 1 }
    let work = work
    let time = streamTime(of: input).map { Double($0) / 1e9 } ?? 0
    do throws(RasterError) {
      let begun = try session.withLock { session throws(RasterError) in
        try session?.render(input, into: target, work, time: time, for: request)
      }
      guard let (submission, cost, newStage) = begun else {
        queue.end(request, .cancelled)
        return GST_FLOW_FLUSHING
      }
      queue.submit(request, submission)
      if let newStage {
        stage.withLock { $0 = newStage }
        if cost.plans > 0 { notePlan(newStage.plan) }
      }
      add(cost)
      // Downstream's memory does not wait for the device, and must not be mapped by two.
      if !pool.defersCompletion { queue.drain() }
      return hasFailed.load(ordering: .acquiring) ? GST_FLOW_ERROR : GST_FLOW_OK
    } catch {
      queue.end(request, .failed, error)
      return GST_FLOW_ERROR
    }
  }

  private func add(_ cost: FilterStats) {
    let isFirstCopy = stats.withLock { stats in
      let hadCopies = stats.copies > 0
      stats.add(cost)
      return stats.copies > 0 && !hadCopies
    }
    if isFirstCopy {
      raster_log_performance(
        transform, "a frame is copied: its memory is new to the device, or cannot be used in place")
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
  func fail(_ error: RasterError) {
    // Who comes second waits for the first: upstream's error, which follows, must not be seen before ours.
    isReported.withLock { isReported in
      if !isReported { ElementError.post(error, on: transform) }
      isReported = true
    }
    hasFailed.store(true, ordering: .releasing)
  }
}
