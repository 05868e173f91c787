internal import CShim
internal import RasterGraph
internal import RasterRender
internal import RasterVideo
internal import RasterVulkan
internal import Synchronization

/// What every element of this plugin has, whatever it makes of frames: the device, the pools, the requests that
/// are under way, counters, and the one error that ends a stream.
///
/// Thread-safety: usable from any thread. Nothing waits for downstream, or for the end of a request, with a lock
/// held; the locks in here are never held together.
final class ElementCore: @unchecked Sendable {
  // @unchecked: the pointer to the element that owns us is set once; GObject guards what it names.
  let element: UnsafeMutablePointer<GstElement>
  let settings = Mutex(ElementSettings())
  let stats = Mutex(ElementStats())
  /// The pools, apart from all that is held while a frame is rendered, since a flush must reach them then.
  let pools = Mutex(ElementPools())
  /// The frames that are under way, from NULL→READY to READY→NULL; apart for the same reason.
  private let requests = Mutex<RequestQueue?>(nil)
  private let device = Mutex<RenderContext?>(nil)
  /// Set by the first error; later frames fail at once, without a message.
  private let failed = Atomic(false)
  /// Whether that error has been posted.
  private let isReported = Mutex(false)
  /// Whether the user was told that a pool is empty.
  private let hasStarved = Atomic(false)

  init(_ element: UnsafeMutablePointer<GstElement>) { self.element = element }

  /// The device; nil in NULL.
  var context: RenderContext? { device.withLock { $0 } }
  /// The requests; nil in NULL.
  var queue: RequestQueue? { requests.withLock { $0 } }
  /// Whether the stream has ended with an error.
  var hasFailed: Bool { failed.load(ordering: .acquiring) }
}

// MARK: - State changes

extension ElementCore {
  /// Opens the device. Runs in NULL→READY.
  ///
  /// - Parameter prepare: what else has to be there.
  /// - Returns: false, with an error posted, where it cannot be used.
  func open(_ prepare: (RenderContext) throws(RasterError) -> Void) -> Bool {
    if let refused = settings.withLock({ $0.refused.first?.error }) {
      ElementError.post(refused, on: element)
      return false
    }
    let wanted = settings.withLock { $0.device } ?? Environment.value("RASTER_DEVICE") ?? ""
    do throws(RasterError) {
      let context = try RenderContext.context(for: DeviceSelection(wanted))
      Log.write(GST_LEVEL_INFO, element, "using \(context.device.name)")
      stats.withLock { $0 = ElementStats(device: context.device.name) }
      try prepare(context)
      device.withLock { $0 = context }
      // Unowned: the queue ends with READY→NULL, long before the element.
      let queue = RequestQueue { [unowned self] outcome, error in self.note(outcome, error) }
      requests.withLock { $0 = queue }
      forgetFailure()
      return true
    } catch {
      ElementError.post(error, on: element)
      return false
    }
  }

  /// Ends all requests and lets go of the device. Runs in READY→NULL.
  func close() {
    pools.withLock { $0.drop() }
    let queue = requests.withLock { $0.take() }
    queue?.drain()
    let context = device.withLock { $0.take() }
    context?.saveCaches()
  }

  /// Starts counting anew. Runs in READY→PAUSED.
  func start() {
    stats.withLock { $0 = ElementStats(device: $0.device) }
    hasStarved.store(false, ordering: .relaxed)
    pools.withLock { $0.start() }
    setFlushing(false)
  }

  /// Ends all requests of the stream. Runs in PAUSED→READY, when no frame is made any more.
  func stop() {
    pools.withLock { $0.drop() }
    queue?.drain()
    forgetFailure()
  }

  /// Makes threads that wait for a frame of a pool return, and keeps them from waiting; calls off the frames
  /// that are under way.
  ///
  /// - Parameter ofInputs: whether this is so for what sources were offered, too.
  func setFlushing(_ flushing: Bool, ofInputs: Bool = true) {
    // A pool that is made meanwhile sees the flag, or is among those that are told.
    let known = pools.withLock { $0.noteFlush(flushing, ofInputs: ofInputs) }
    for pool in known { pool.setFlushing(flushing) }
    if flushing { queue?.cancelAll() }
  }

  /// The same for the source of one input.
  func setFlushing(_ flushing: Bool, of input: ObjectIdentifier) {
    let known = pools.withLock { $0.noteFlush(flushing, of: input) }
    for pool in known { pool.setFlushing(flushing) }
  }
}

// MARK: - Requests

extension ElementCore {
  /// A frame to write to. Waits while the pool is empty.
  func acquire() -> (UnsafeMutablePointer<GstBuffer>?, GstFlowReturn) {
    guard !hasFailed else { return (nil, GST_FLOW_ERROR) }
    guard let pool = pools.withLock({ $0.output }) else { return (nil, GST_FLOW_NOT_NEGOTIATED) }
    let (buffer, flow) = pool.acquire()
    if flow == GST_FLOW_ERROR, let error = pool.lastError { fail(error) }
    return (buffer, flow)
  }

  /// What handing a frame to the device has come to.
  struct Begun {
    let submission: Submission
    let cost: ElementStats
  }

  /// Carries one request from its begin to the device, or to its end.
  ///
  /// - Parameter body: hands the work over; nil where the request was called off.
  func render(_ body: (RenderRequest) throws(RasterError) -> Begun?) -> GstFlowReturn {
    guard let queue, let pool = pools.withLock({ $0.output }) else {
      return GST_FLOW_NOT_NEGOTIATED
    }
    let request = queue.begin()
    stats.withLock { $0.frames += 1 }
    do throws(RasterError) {
      guard let begun = try body(request) else {
        queue.end(request, .cancelled)
        return GST_FLOW_FLUSHING
      }
      queue.submit(request, begun.submission)
      add(begun.cost)
      // Downstream's memory does not wait for the device, and must not be mapped by two.
      if !pool.defersCompletion { queue.drain() }
      return hasFailed ? GST_FLOW_ERROR : GST_FLOW_OK
    } catch {
      queue.end(request, .failed, error)
      return GST_FLOW_ERROR
    }
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

  private func add(_ cost: ElementStats) {
    let isFirstCopy = stats.withLock { stats in
      let hadCopies = stats.copies > 0
      stats.add(cost)
      return stats.copies > 0 && !hadCopies
    }
    if isFirstCopy {
      raster_log_performance(
        element, "a frame is copied: its memory is new to the device, or cannot be used in place")
    }
  }
}

// MARK: - Errors

extension ElementCore {
  /// Reports an error, once, and lets all later frames fail.
  func fail(_ error: RasterError) {
    // Who comes second waits for the first: upstream's error, which follows, must not be seen before ours.
    isReported.withLock { isReported in
      if !isReported { ElementError.post(error, on: element) }
      isReported = true
    }
    failed.store(true, ordering: .releasing)
  }

  private func forgetFailure() {
    isReported.withLock { $0 = false }
    failed.store(false, ordering: .releasing)
  }

  /// Tells the user of a setting that cannot be used.
  ///
  /// While the element is in NULL nobody may listen yet: then starting fails with the same words, unless
  /// the setting is mended before.
  func report(_ error: RasterError, of setting: ElementSetting) {
    Log.write(GST_LEVEL_ERROR, element, "\(error.message) \(error.remedy)")
    if context != nil {
      ElementError.post(error, on: element, isFatal: false)
    } else {
      settings.withLock { $0.refuse(setting, error) }
    }
  }

  /// Tells the user that a pool has been empty for long, where that is not what a pause is.
  func noteStarvation(of pool: WatchedPool) {
    // A pause keeps frames for as long as it lasts.
    guard raster_element_is_on_the_way(element) != 0,
      !hasStarved.exchange(true, ordering: .relaxed)
    else { return }
    ElementError.postStarvation(pool, on: element)
  }
}
