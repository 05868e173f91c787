internal import CShim
internal import RasterColor
internal import RasterGraph
internal import RasterRender
internal import RasterVideo

/// What the caps of a stream mean for its frames.
struct VideoStream: @unchecked Sendable {
  // @unchecked: GstVideoInfo points to GStreamer's table of formats, which is constant.
  let info: GstVideoInfo
  let frame: FrameDescription
  /// How the signal follows light.
  let transfer: TransferFunction

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
  }
}

/// The two sides of a filter.
struct FilterStreams: Sendable {
  let input: VideoStream
  let output: VideoStream

  /// Whether frames need no conversion.
  var areAlike: Bool { input.frame == output.frame }
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
    didSet { planned = nil }
  }
  /// Set by the first error; later frames fail at once, without a message.
  var hasFailed = false

  private var renderer: Renderer
  private var source: SourceBinder
  private var planned: (version: UInt64, plan: RenderPlan)?

  init(_ context: RenderContext) throws(RasterError) {
    self.context = context
    renderer = try Renderer(context)
    source = SourceBinder(context)
  }

  /// Renders `input` into `target`, a buffer of `pool`.
  ///
  /// - Parameter time: stream time of the frame in seconds.
  /// - Returns: what the frame cost, and the plan where its structure was new.
  mutating func render(
    _ input: UnsafeMutablePointer<GstBuffer>, into target: UnsafeMutablePointer<GstBuffer>,
    _ work: FilterWork, time: Double, _ pool: OutputPool
  ) throws(RasterError) -> (cost: FilterStats, newPlan: RenderPlan?) {
    guard let streams else {
      throw RasterError(
        .invalidFrame, "The format of the frames cannot be processed.",
        remedy: "Put videoconvert in front of rasterfilter.")
    }
    let plan = try plan(work, time, streams)
    let (imports, copies) = (source.importCount, source.copyCount)
    defer { source.release() }
    let report = try renderer.render(
      plan, from: [try source.bind(input, streams.input.info, streams.input.frame.layout)],
      to: try pool.bind(target, streams.output.info, streams.output.frame.layout))
    var cost = FilterStats()
    cost.frames = 1
    cost.passesPerFrame = UInt64(clamping: report.passes)
    cost.imports = source.importCount - imports
    cost.copies = source.copyCount - copies
    cost.pipelines = UInt64(clamping: report.compiledKernels)
    cost.plans = UInt64(clamping: report.newPlans)
    cost.allocations = UInt64(clamping: report.allocations)
    cost.deviceTime = report.deviceTime
    return (cost, report.newPlans > 0 ? plan : nil)
  }

  /// The plan of the work: that of the frame before while no setting changes.
  private mutating func plan(
    _ work: FilterWork, _ time: Double, _ streams: FilterStreams
  ) throws(RasterError) -> RenderPlan {
    if let planned, planned.version == work.version, !work.isTimed { return planned.plan }
    let wanted = streams.output.frame
    let image = work.image(of: streams.input.frame, time: time)
      .scaled(to: wanted.extent, .bilinear)
    let plan = try RenderPlan(
      image, from: [streams.input.frame], to: wanted,
      transfer: work.isLinear ? streams.input.transfer : nil)
    planned = (work.version, plan)
    return plan
  }
}
