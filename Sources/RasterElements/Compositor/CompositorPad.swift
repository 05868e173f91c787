internal import CShim
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

/// One input of a `rastercompositor`: its settings, its filters, and what its stream is.
///
/// Thread-safety: usable from any thread, but for ``stream(_:)``, which belongs to the streaming thread.
final class CompositorPad: @unchecked Sendable {
  // @unchecked: the pointer to the pad that owns us is set once; `known` is for one thread.
  let pad: UnsafeMutablePointer<GstVideoAggregatorPad>
  /// The filters of the `filters` property.
  let steps: StepList
  private let state = Mutex(State())
  private let owner = Mutex(Owner())
  /// The number of the last FLUSH_START.
  private let flush = Atomic<UInt32>(0)
  /// What the last caps meant.
  private var known: VideoStream?

  /// What the user and the stream say, apart from frames.
  struct State: Sendable {
    var settings = LayerSettings()
    /// A GstVideoOrientationMethod.
    var direction = 0
    /// What the stream's tags say.
    var tagged = Orientation.identity
    /// What the user has set as `converter-config`.
    var converterConfig: String?
    /// The picture that ``LayerSettings/mask`` names.
    var still: StillImage?

    /// How frames have to be turned.
    var orientation: Orientation {
      direction == Int(GST_VIDEO_ORIENTATION_AUTO.rawValue)
        ? tagged : Orientation(rawValue: direction) ?? .identity
    }
  }

  private struct Owner {
    weak var element: CompositorElement?
  }

  init(_ pad: UnsafeMutablePointer<GstVideoAggregatorPad>) {
    self.pad = pad
    steps = StepList(of: UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstObject.self))
    steps.belongs(to: self)
  }

  var element: CompositorElement? { owner.withLock { $0.element } }

  func attach(to element: CompositorElement) { owner.withLock { $0.element = element } }

  var current: State { state.withLock { $0 } }

  /// Changes what the user has set; the next frame has it.
  func change(_ body: (inout LayerSettings) -> Void) {
    let hasChanged = state.withLock { state in
      let before = state.settings
      body(&state.settings)
      return state.settings != before
    }
    if hasChanged { element?.noteChange() }
  }

  /// What the frames of the pad are; nil for formats that are not processed.
  func stream(_ info: GstVideoInfo) -> VideoStream? {
    var info = info
    if var own = known?.info, gst_video_info_is_equal(&own, &info) != 0 { return known }
    known = VideoStream(info)
    return known
  }
}

// MARK: - Settings that have to be loaded

extension CompositorPad {
  var direction: Int {
    get { current.direction }
    set {
      guard newValue != Int(GST_VIDEO_ORIENTATION_CUSTOM.rawValue) else {
        report(
          RasterError(
            .invalidSetting, "video-direction cannot be custom.",
            remedy: "Set it to another direction, and matrix to what else is wanted."),
          of: .property(ObjectIdentifier(self), "video-direction"))
        return
      }
      state.withLock { $0.direction = newValue }
      noteChange(of: .property(ObjectIdentifier(self), "video-direction"))
    }
  }

  /// Takes over a file with a mask; empty for none.
  func setMask(_ location: String) {
    let setting = ElementSetting.property(ObjectIdentifier(self), "mask-location")
    do throws(RasterError) {
      let still = location.isEmpty ? nil : try ElementResources().picture(location)
      state.withLock {
        $0.still = still
        $0.settings.mask.location = location
      }
      noteChange(of: setting)
    } catch {
      report(error, of: setting)
    }
  }

  /// The `converter-config` property, which has the form that GStreamer's compositor takes; the caller owns it.
  var converterConfig: UnsafeMutablePointer<GstStructure>? {
    state.withLock { $0.converterConfig }.flatMap { gst_structure_from_string($0, nil) }
  }

  /// Takes over what part of the frame is used.
  func setConverterConfig(_ config: UnsafePointer<GstStructure>?) {
    let text = config.flatMap { gst_structure_to_string($0) }
    defer { g_free(text) }
    state.withLock { state in
      state.converterConfig = text.map { String(cString: $0) }
      state.settings.source = config.flatMap(Bounds.init(converterConfig:))
    }
    noteChange(of: .property(ObjectIdentifier(self), "converter-config"))
  }

  /// Takes over how the picture meets what lies below.
  func setOperator(_ value: CompositeOperator) {
    change { $0.operator = value }
    // As in GStreamer's compositor: alphas that are added need an output that has one.
    gst_video_aggregator_pad_set_needs_alpha(pad, value == .add ? 1 : 0)
  }

  /// Takes over a text that has to be a matrix or corners.
  func setMap(
    _ text: String, _ path: WritableKeyPath<LayerSettings, String>, _ name: String
  ) {
    let setting = ElementSetting.property(ObjectIdentifier(self), name)
    var trial = LayerSettings()
    trial[keyPath: path] = text
    if let problem = trial.problem {
      report(problem, of: setting)
      return
    }
    state.withLock { $0.settings[keyPath: path] = text }
    noteChange(of: setting)
  }
}

extension CompositorPad: StepOwner {
  var rehearses: Bool { false }
  func rehearse(_ steps: [any Filter], of list: StepList) {}
  func rehearse(_ step: FilterStep, as filter: any Filter) {}

  func noteChange(of setting: ElementSetting?) { element?.noteChange(of: setting) }

  func report(_ error: RasterError, of setting: ElementSetting) {
    guard let element else {
      Log.write(GST_LEVEL_ERROR, nil, "\(error.message) \(error.remedy)")
      return
    }
    element.report(error, of: setting)
  }
}

// MARK: - Events

extension CompositorPad {
  /// Notes a FLUSH_START, and says whether its number is another pad's, too.
  func note(flush number: UInt32) { flush.store(number, ordering: .relaxed) }
  var lastFlush: UInt32 { flush.load(ordering: .relaxed) }

  /// Learns from an event how frames have to be turned.
  func note(_ event: UnsafeMutablePointer<GstEvent>) {
    switch raster_event_get_type(event) {
    case GST_EVENT_STREAM_START: setTagged(.identity)
    case GST_EVENT_TAG:
      var tags: UnsafeMutablePointer<GstTagList>?
      gst_event_parse_tag(event, &tags)
      var method = GST_VIDEO_ORIENTATION_IDENTITY
      if let tags, gst_video_orientation_from_tag(tags, &method) != 0 {
        setTagged(Orientation(rawValue: Int(method.rawValue)) ?? .identity)
      }
    default: break
    }
  }

  private func setTagged(_ orientation: Orientation) {
    let hasChanged = state.withLock { state in
      let before = state.tagged
      state.tagged = orientation
      return before != orientation
    }
    if hasChanged { element?.noteChange() }
  }
}

extension Bounds {
  /// The part of a frame that a GstVideoConverter would read; nil where the configuration does not say.
  init?(converterConfig config: UnsafePointer<GstStructure>) {
    func value(_ name: String) -> Int? {
      var number: gint = 0
      return gst_structure_get_int(config, "GstVideoConverter.\(name)", &number) != 0
        ? Int(number) : nil
    }
    let (left, top) = (value("src-x"), value("src-y"))
    let (width, height) = (value("src-width"), value("src-height"))
    guard left != nil || top != nil || width != nil || height != nil else { return nil }
    self.init(
      left: left ?? 0, top: top ?? 0, width: width ?? Int(Int32.max),
      height: height ?? Int(Int32.max))
  }
}
