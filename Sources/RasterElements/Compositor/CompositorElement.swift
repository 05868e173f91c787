internal import CShim
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

/// The behavior of one `rastercompositor`.
///
/// Settings may be read and written from any thread. State changes come from the application's thread, frames
/// from the streaming thread; `session` is what both share. Lock order: `session` before `settings` or those of
/// `core`, `steps` and pads; these are never held together.
final class CompositorElement: @unchecked Sendable {
  // @unchecked: the pointer to the element that owns us is set once; GObject guards what it names.
  let aggregator: UnsafeMutablePointer<GstAggregator>
  let core: ElementCore
  let settings = Mutex(CompositorSettings())
  /// The filters of the `filters` property, which apply to the whole.
  let steps: StepList
  let session = Mutex<CompositorSession?>(nil)
  /// Counts the changes of all settings, those of pads and steps included.
  let version = Atomic<UInt64>(0)
  /// The frame that the next output goes to, taken before the base class's lock is; nil while there is none.
  private let spare = Mutex(SpareFrame())
  /// All pads, and those whose frames are composed now, from the lowest; for the streaming thread alone.
  var pads: [CompositorPad] = []
  var layers: [LayerFrame] = []
  /// Whether the user was told of an input frame that cannot be read.
  let hasWarned = Atomic(false)

  init(_ aggregator: UnsafeMutablePointer<GstAggregator>) {
    self.aggregator = aggregator
    let object = UnsafeMutableRawPointer(aggregator)
    core = ElementCore(object.assumingMemoryBound(to: GstElement.self))
    steps = StepList(of: object.assumingMemoryBound(to: GstObject.self))
    steps.belongs(to: self)
  }

  var element: UnsafeMutablePointer<GstElement> { core.element }

  /// Changes what the user has set; the next frame has it.
  func change(_ body: (inout CompositorSettings) -> Void) {
    let hasChanged = settings.withLock { settings in
      let before = settings
      body(&settings)
      return settings != before
    }
    if hasChanged { noteChange() }
  }

  func noteChange() { version.wrappingAdd(1, ordering: .releasing) }

  /// Takes over how means are taken.
  func setWorkingSpace(_ name: String) {
    let setting = ElementSetting.property(ObjectIdentifier(self), "working-space")
    guard ["encoded", "linear"].contains(name) else {
      report(
        RasterError(
          .invalidSetting, "working-space cannot be \"\(name)\".",
          remedy: "Set it to encoded or linear."), of: setting)
      return
    }
    change { $0.isLinear = name == "linear" }
    noteChange(of: setting)
  }
}

extension CompositorElement: StepOwner {
  var rehearses: Bool { false }
  func rehearse(_ steps: [any Filter], of list: StepList) {}
  func rehearse(_ step: FilterStep, as filter: any Filter) {}

  func noteChange(of setting: ElementSetting?) {
    noteChange()
    if let setting { core.settings.withLock { $0.accept(setting) } }
  }

  func report(_ error: RasterError, of setting: ElementSetting) { core.report(error, of: setting) }
}

// MARK: - State changes

extension CompositorElement {
  /// Opens the device. Runs in NULL→READY.
  ///
  /// - Returns: false, with an error posted, where it cannot be used.
  func open() -> Bool {
    core.open { context throws(RasterError) in
      try session.withLock { session throws(RasterError) in
        session = try CompositorSession(context)
      }
    }
  }

  /// Lets go of the device. Runs in READY→NULL.
  func close() {
    dropSpare()
    core.close()
    session.withLock { $0 = nil }
  }

  func start() {
    hasWarned.store(false, ordering: .relaxed)
    core.start()
  }

  /// Forgets the stream. Runs in PAUSED→READY, when no frame is made any more.
  func stop() {
    dropSpare()
    core.stop()
    let time = session.withLock { session in
      session?.canvas = nil
      return session?.finish() ?? 0
    }
    core.stats.withLock { $0.deviceTime += time }
  }

  /// Ends all waits, or lets them be again. Runs in PAUSED→READY, and with the flush of all pads, which leaves
  /// to each pad what its source was offered.
  func setFlushing(_ flushing: Bool, ofInputs: Bool) {
    core.setFlushing(flushing, ofInputs: ofInputs)
    if flushing { dropSpare() }
  }

  /// Notes that a pad begins to be flushed.
  ///
  /// - Returns: whether all pads have had a FLUSH_START of that number now.
  func note(flush number: UInt32, of pad: CompositorPad) -> Bool {
    core.setFlushing(true, of: ObjectIdentifier(pad))
    pad.note(flush: number)
    var isLast = true
    forEachPad { _, other in isLast = isLast && other.lastFlush == number }
    return isLast
  }

  /// Calls `body` with each sink pad in the order in which they lie over each other, with the element locked.
  func forEachPad(
    _ body: (UnsafeMutablePointer<GstVideoAggregatorPad>, CompositorPad) -> Void
  ) {
    g_mutex_lock(&element.pointee.object.lock)
    defer { g_mutex_unlock(&element.pointee.object.lock) }
    var next = element.pointee.sinkpads
    while let link = next {
      next = link.pointee.next
      guard let data = link.pointee.data else { continue }
      let pad = data.assumingMemoryBound(to: GstVideoAggregatorPad.self)
      if let own = compositorPad(raster_layer_get_swift(data.assumingMemoryBound(to: GstPad.self)))
      {
        body(pad, own)
      }
    }
  }
}

// MARK: - The frame to write to

/// A frame of the output pool that nothing has been written to.
private struct SpareFrame: @unchecked Sendable {
  // @unchecked: a mini object may be handed from thread to thread.
  var buffer: UnsafeMutablePointer<GstBuffer>?
}

extension CompositorElement {
  /// Waits for a frame of the pool, so that the base class's lock, which pads and caps need, is not held
  /// meanwhile.
  func prepare() {
    guard spare.withLock({ $0.buffer == nil }), core.pools.withLock({ $0.output != nil }) else {
      return
    }
    let (buffer, _) = core.acquire()
    // A flush meanwhile has let go of what was there, and of nothing that comes later.
    let old = spare.withLock { spare in
      let old = spare.buffer
      spare.buffer = buffer
      return old
    }
    if let old { raster_buffer_unref(old) }
  }

  /// The frame for the next output; nil where a flush keeps it from being had, which is no error.
  func takeSpare() -> (UnsafeMutablePointer<GstBuffer>?, GstFlowReturn) {
    let ready = spare.withLock { spare in
      let buffer = spare.buffer
      spare.buffer = nil
      return buffer
    }
    if let ready { return (ready, GST_FLOW_OK) }
    let (buffer, flow) = core.acquire()
    // The base class writes a warning for every other flow.
    return flow == GST_FLOW_FLUSHING ? (nil, GST_FLOW_OK) : (buffer, flow)
  }

  func dropSpare() {
    let old = spare.withLock { spare in
      let buffer = spare.buffer
      spare.buffer = nil
      return buffer
    }
    if let old { raster_buffer_unref(old) }
  }

  /// Makes the pool that output frames come from, as downstream wants them.
  func decideAllocation(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    dropSpare()
    return core.decideAllocation(query)
  }
}
