internal import CShim
internal import RasterColor
internal import RasterGraph
internal import RasterRender
internal import RasterVideo
internal import RasterVulkan

/// What the caps of a stream mean for its frames.
struct VideoStream: @unchecked Sendable {
  // @unchecked: GstVideoInfo points to GStreamer's table of formats, which is constant.
  let info: GstVideoInfo
  let frame: FrameDescription
  /// How the signal follows light.
  let transfer: TransferFunction
  /// What that means beside streams of another kind.
  let light: LightEncoding

  /// Nil for formats that are not processed.
  init?(_ info: GstVideoInfo) {
    guard let format = info.finfo, let layout = PixelLayout(format), VideoFormats.contains(layout),
      info.width > 0, info.height > 0
    else { return nil }
    self.info = info
    frame = FrameDescription(
      layout: layout, encoding: ColorEncoding(info),
      extent: Extent(width: Int(info.width), height: Int(info.height)),
      isPremultiplied: info.flags.rawValue & GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA.rawValue != 0,
      pixelAspect: Ratio(Int(info.par_n), Int(info.par_d)))
    transfer = TransferFunction(info)
    light = LightEncoding(info)
  }
}

/// The two sides of a filter.
struct FilterStreams: Sendable {
  let input: VideoStream
  let output: VideoStream

  /// Whether frames need no conversion.
  var areAlike: Bool { input.frame == output.frame }

  /// Whether plans are the same as for other streams.
  func hasSameFrames(as other: FilterStreams) -> Bool {
    input.frame == other.input.frame && output.frame == other.output.frame
      && input.transfer == other.input.transfer
  }
}

/// What happens to frames: a copy of the settings, which a version tells apart from others.
struct FilterWork: Sendable {
  var version: UInt64
  /// In the order in which they apply, without those that change nothing.
  var filters: [any Filter]
  /// Whether means are taken of light.
  var isLinear: Bool
  /// Whether a frame's time changes its picture.
  var isTimed: Bool { filters.contains { $0.isTimed } }

  init(version: UInt64, chain: ColorChain, steps: [any Filter], isLinear: Bool) {
    self.version = version
    filters = (chain.filters + steps).filter { !$0.isIdentity }
    self.isLinear = isLinear
  }

  /// How frames are rendered.
  func plan(_ streams: FilterStreams, time: Double) throws(RasterError) -> RenderPlan {
    let wanted = streams.output.frame
    let image = image(of: streams.input.frame, time: time).scaled(to: wanted.extent, .bilinear)
    return try RenderPlan(
      image, from: [streams.input.frame], to: wanted,
      transfer: isLinear ? streams.input.transfer : nil)
  }

  /// What the filters make of frames.
  func image(of input: FrameDescription, time: Double) -> Image {
    let context = FilterContext(luma: input.encoding.lumaCoefficients, time: time)
    return filters.reduce(input.image(0)) { $1.output($0, in: context) }
  }
}

/// What a `rasterfilter` holds from NULL→READY to READY→NULL: the device, and all that is kept from
/// frame to frame. Thread-safety: one thread at a time.
struct FilterSession: ~Copyable, @unchecked Sendable {
  // @unchecked: it lives in a Mutex, which hands it to one thread at a time, and nothing in it is
  // bound to a thread.
  let context: RenderContext
  /// Nil before caps, and for formats that only pass through.
  var streams: FilterStreams? {
    didSet {
      planned = nil
      isStaged = false
    }
  }

  private var renderer: Renderer
  private var binder: FrameBinder
  private var planned: (version: UInt64, plan: RenderPlan)?
  /// Whether ``render`` has said how frames of these streams are rendered.
  private var isStaged = false

  init(_ context: RenderContext) throws(RasterError) {
    self.context = context
    renderer = try Renderer(context)
    binder = FrameBinder(context)
  }

  /// Hands the rendering of `input` into `target` to the device.
  ///
  /// - Parameters:
  ///   - time: stream time of the frame in seconds.
  ///   - request: what to keep until the device is done; it may be called off meanwhile.
  /// - Returns: what to wait for, what the frame cost, and how it is rendered where that is new; nil where the
  ///   request was called off.
  mutating func render(
    _ input: UnsafeMutablePointer<GstBuffer>, into target: UnsafeMutablePointer<GstBuffer>,
    _ work: FilterWork, time: Double, for request: RenderRequest
  ) throws(RasterError) -> (submission: Submission, cost: ElementStats, stage: RehearsalStage?)? {
    guard let streams else {
      throw RasterError(
        .invalidFrame, "The format of the frames cannot be processed.",
        remedy: "Put videoconvert in front of rasterfilter.")
    }
    let plan = try plan(work, time, streams)
    guard !request.isCancelled else { return nil }
    let (imports, copies) = (binder.importCount, binder.copyCount)
    if request.sources.isEmpty {
      request.sources.append(Frame(layout: streams.input.frame.layout, planes: []))
    }
    request.sources[0].layout = streams.input.frame.layout
    try binder.bind(input, streams.input.info, .read, to: &request.sources[0], for: request)
    request.destination.layout = streams.output.frame.layout
    try binder.bind(target, streams.output.info, .write, to: &request.destination, for: request)
    guard !request.isCancelled else { return nil }
    let (submission, report) = try renderer.submit(
      plan, from: request.sources, to: request.destination)
    var cost = ElementStats()
    cost.passesPerFrame = UInt64(clamping: report.passes)
    cost.imports = binder.importCount - imports
    cost.copies = binder.copyCount - copies
    cost.pipelines = UInt64(clamping: report.compiledKernels)
    cost.plans = UInt64(clamping: report.newPlans)
    cost.allocations = UInt64(clamping: report.allocations)
    cost.deviceTime = report.deviceTime
    guard report.newPlans > 0 || !isStaged else { return (submission, cost, nil) }
    isStaged = true
    let rehearsal = Rehearsal(context, from: request.sources, to: request.destination)
    return (submission, cost, RehearsalStage(streams: streams, plan: plan, rehearsal: rehearsal))
  }

  /// Waits until the device has done all frames.
  ///
  /// - Returns: device time that was not reported before, in nanoseconds.
  mutating func finish() -> UInt64 {
    // A lost device has nothing under way, and was reported when a request failed.
    (try? renderer.finish()) ?? 0
  }

  /// The plan of the work: that of the frame before while no setting changes.
  private mutating func plan(
    _ work: FilterWork, _ time: Double, _ streams: FilterStreams
  ) throws(RasterError) -> RenderPlan {
    if let planned, planned.version == work.version, !work.isTimed { return planned.plan }
    let plan = try work.plan(streams, time: time)
    planned = (work.version, plan)
    return plan
  }
}
