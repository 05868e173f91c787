internal import CShim
internal import RasterColor
internal import RasterGraph
internal import RasterRender
internal import RasterVideo

/// What the caps of a stream mean for its frames.
struct FilterStream: @unchecked Sendable {
  // @unchecked: GstVideoInfo points to GStreamer's table of formats, which is constant.
  let info: GstVideoInfo
  let layout: PixelLayout
  let encoding: ColorEncoding

  /// Nil for formats that are not processed.
  init?(_ info: GstVideoInfo) {
    guard let format = info.finfo, let layout = PixelLayout(format), VideoFormats.contains(layout)
    else { return nil }
    self.info = info
    self.layout = layout
    encoding = ColorEncoding(info)
  }
}

/// What a `rasterfilter` holds from NULL→READY to READY→NULL: the device, and all that is kept from
/// frame to frame. Thread-safety: one thread at a time.
struct FilterSession: ~Copyable, @unchecked Sendable {
  // @unchecked: it lives in a Mutex, which hands it to one thread at a time, and nothing in it is
  // bound to a thread.
  let context: RenderContext
  /// Nil before caps, and for formats that only pass through.
  var stream: FilterStream? {
    didSet { program = nil }
  }
  /// Set by the first error; later frames fail at once, without a message.
  var hasFailed = false

  private var renderer: Renderer
  private var source: SourceBinder
  private var program: (version: UInt64, folded: PointwiseProgram)?

  init(_ context: RenderContext) throws(RasterError) {
    self.context = context
    renderer = try Renderer(context)
    source = SourceBinder(context)
  }

  /// Renders `input` into `target`, a buffer of `pool`.
  ///
  /// - Parameters:
  ///   - filters: what happens to each pixel, in order.
  ///   - version: equal only for equal filters.
  /// - Returns: what the frame cost.
  mutating func render(
    _ input: UnsafeMutablePointer<GstBuffer>, into target: UnsafeMutablePointer<GstBuffer>,
    _ filters: [any Filter], _ version: UInt64, _ pool: OutputPool
  ) throws(RasterError) -> FilterStats {
    guard let stream else {
      throw RasterError(
        .invalidFrame, "The format of the frames cannot be processed.",
        remedy: "Put videoconvert in front of rasterfilter.")
    }
    let program = folded(filters, version, stream.encoding)
    let (imports, copies) = (source.importCount, source.copyCount)
    defer { source.release() }
    let report = try renderer.render(
      program, from: try source.bind(input, stream.info, stream.layout),
      to: try pool.bind(target, stream.info, stream.layout),
      width: Int(stream.info.width), height: Int(stream.info.height))
    var cost = FilterStats()
    cost.frames = 1
    cost.passesPerFrame = UInt64(clamping: report.passes)
    cost.imports = source.importCount - imports
    cost.copies = source.copyCount - copies
    cost.pipelines = UInt64(clamping: report.compiledKernels)
    cost.deviceTime = report.deviceTime
    return cost
  }

  /// The program of the filters: that of the frame before while no setting changes.
  private mutating func folded(
    _ filters: [any Filter], _ version: UInt64, _ encoding: ColorEncoding
  ) -> PointwiseProgram {
    if let program, program.version == version { return program.folded }
    let folded = PointwiseProgram(
      filters.flatMap { $0.steps(luma: encoding.lumaCoefficients) }, from: encoding, to: encoding)
    program = (version, folded)
    return folded
  }
}
