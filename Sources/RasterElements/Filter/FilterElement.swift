internal import CShim
internal import RasterColor
internal import RasterGraph
internal import RasterRender
internal import RasterVideo
internal import Synchronization

/// The behavior of one `rasterfilter`.
///
/// Settings may be read and written from any thread. State changes come from the application's
/// thread, frames from the streaming thread; `session` is what both share. Lock order: `session`
/// before `settings`, `stage`, `negotiation` or those of `core` and `steps`; these are never held together.
final class FilterElement: @unchecked Sendable {
  // @unchecked: the pointer to the element that owns us is set once; GObject guards what it names.
  let transform: UnsafeMutablePointer<GstBaseTransform>
  let core: ElementCore
  let settings = Mutex(FilterSettings())
  /// The filters of the `filters` property.
  let steps: StepList
  let session = Mutex<FilterSession?>(nil)
  /// How the last frames were rendered, apart from the session, which is held while frames are; nil before.
  let stage = Mutex<RehearsalStage?>(nil)
  /// The thread that brings animated values to the time of a frame; 0 while none does.
  let animatingThread = Atomic<UInt>(0)
  let negotiation = Mutex(Negotiation())

  /// What the caps say.
  struct Negotiation {
    /// Whether input and output differ, so that every frame is rendered.
    var isConversion = false
    /// The size that the filters make of the input's, and the version of the settings that it is of.
    var natural: (version: UInt64, extent: Extent)?
  }

  init(_ transform: UnsafeMutablePointer<GstBaseTransform>) {
    self.transform = transform
    let object = UnsafeMutableRawPointer(transform)
    core = ElementCore(object.assumingMemoryBound(to: GstElement.self))
    steps = StepList(of: object.assumingMemoryBound(to: GstObject.self))
    steps.belongs(to: self)
  }
}

// MARK: - State changes

extension FilterElement {
  /// Opens the device. Runs in NULL→READY.
  ///
  /// - Returns: false, with an error posted, where it cannot be used.
  func open() -> Bool {
    core.open { context throws(RasterError) in
      try session.withLock { session throws(RasterError) in
        session = try FilterSession(context)
      }
    }
  }

  /// Lets go of the device. Runs in READY→NULL.
  func close() {
    dropStage(unlessLike: nil)
    core.close()
    session.withLock { $0 = nil }
  }

  /// Forgets the stream. Runs in PAUSED→READY, when no frame is made any more.
  func stop() {
    dropStage(unlessLike: nil)
    core.stop()
    let time = session.withLock { session in
      session?.streams = nil
      return session?.finish() ?? 0
    }
    core.stats.withLock { $0.deviceTime += time }
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
    steps.refresh()
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

  /// Begins to render `input` into `target`; whoever maps that waits until it is done.
  func render(
    _ input: UnsafeMutablePointer<GstBuffer>, into target: UnsafeMutablePointer<GstBuffer>
  ) -> GstFlowReturn {
    let work = work
    let time = streamTime(of: input).map { Double($0) / 1e9 } ?? 0
    return core.render { request throws(RasterError) in
      let begun = try session.withLock { session throws(RasterError) in
        try session?.render(input, into: target, work, time: time, for: request)
      }
      if let newStage = begun?.stage {
        stage.withLock { $0 = newStage }
        if let cost = begun?.cost, cost.plans > 0 { core.notePlan(newStage.plan) }
      }
      return begun.map { ElementCore.Begun(submission: $0.submission, cost: $0.cost) }
    }
  }

  /// The stream time of a frame in nanoseconds; nil where it has none.
  private func streamTime(of buffer: UnsafeMutablePointer<GstBuffer>) -> guint64? {
    let time = gst_segment_to_stream_time(
      raster_transform_get_segment(transform), GST_FORMAT_TIME,
      guint64(raster_buffer_get_pts(buffer)))
    return time == guint64.max ? nil : time
  }
}
