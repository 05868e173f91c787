internal import CShim
internal import RasterColor
internal import RasterGraph
internal import RasterRender
internal import RasterVideo
internal import RasterVulkan

/// A pad's frame that is part of an output frame.
struct LayerFrame {
  let pad: CompositorPad
  let stream: VideoStream
  /// Borrowed from the pad, which keeps it while an output frame is made.
  let buffer: UnsafeMutablePointer<GstBuffer>
}

/// What a `rastercompositor` holds from NULL→READY to READY→NULL: the device, and all that is kept from
/// frame to frame. Thread-safety: one thread at a time.
struct CompositorSession: ~Copyable, @unchecked Sendable {
  // @unchecked: it lives in a Mutex, which hands it to one thread at a time, and nothing in it is
  // bound to a thread.
  let context: RenderContext
  /// What the output is; nil before caps.
  var canvas: VideoStream? {
    didSet { planned = nil }
  }

  private var renderer: Renderer
  private var binder: FrameBinder
  private var planned: Planned?

  /// How frames are rendered while nothing changes but their pixels.
  private struct Planned {
    let version: UInt64
    /// The pads with a frame, from the lowest, and what their streams are.
    let pads: [(pad: ObjectIdentifier, frame: FrameDescription, light: LightEncoding)]
    let plan: RenderPlan
    /// The places among the pads of the frames that are read.
    let used: [Int]
    let isTimed: Bool
  }

  init(_ context: RenderContext) throws(RasterError) {
    self.context = context
    renderer = try Renderer(context)
    binder = FrameBinder(context)
  }

  /// Hands an output frame to the device.
  ///
  /// - Parameters:
  ///   - layers: the pads' frames, from the lowest.
  ///   - version: of all settings.
  ///   - time: stream time of the frame in seconds.
  ///   - work: gathers the settings; called where they have changed.
  ///   - request: what to keep until the device is done; it may be called off meanwhile.
  /// - Returns: what to wait for, what the frame cost, and the plan where that is new; nil where the request was
  ///   called off.
  mutating func render(
    _ layers: [LayerFrame], into target: UnsafeMutablePointer<GstBuffer>, version: UInt64,
    time: Double, for request: RenderRequest, _ work: () -> CompositorWork
  ) throws(RasterError) -> (begun: ElementCore.Begun, newPlan: RenderPlan?)? {
    guard let canvas else {
      throw RasterError(
        .internalFailure, "A frame is wanted before its format is known.",
        remedy: "Report it with GST_DEBUG=raster*:6.")
    }
    let (plan, used) = try plan(layers, canvas, version, time, work)
    guard !request.isCancelled else { return nil }
    let (imports, copies) = (binder.importCount, binder.copyCount)
    try bind(layers, used, to: request)
    request.destination.layout = canvas.frame.layout
    try binder.bind(target, canvas.info, .write, to: &request.destination, for: request)
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
    let begun = ElementCore.Begun(submission: submission, cost: cost)
    return (begun, report.newPlans > 0 ? plan : nil)
  }

  /// Waits until the device has done all frames.
  ///
  /// - Returns: device time that was not reported before, in nanoseconds.
  mutating func finish() -> UInt64 {
    // A lost device has nothing under way, and was reported when a request failed.
    (try? renderer.finish()) ?? 0
  }

  private mutating func bind(
    _ layers: [LayerFrame], _ used: [Int], to request: RenderRequest
  ) throws(RasterError) {
    while request.sources.count > used.count { request.sources.removeLast() }
    for (number, place) in used.enumerated() {
      let layer = layers[place]
      if number == request.sources.count {
        request.sources.append(Frame(layout: layer.stream.frame.layout, planes: []))
      }
      request.sources[number].layout = layer.stream.frame.layout
      try binder.bind(
        layer.buffer, layer.stream.info, .read, to: &request.sources[number], number: number,
        for: request)
    }
  }

  /// The plan of the frame: that of the one before while nothing has changed.
  private mutating func plan(
    _ layers: [LayerFrame], _ canvas: VideoStream, _ version: UInt64, _ time: Double,
    _ work: () -> CompositorWork
  ) throws(RasterError) -> (RenderPlan, used: [Int]) {
    if let planned, planned.version == version, !planned.isTimed,
      planned.pads.elementsEqual(
        layers,
        by: {
          $0.pad == ObjectIdentifier($1.pad) && $0.frame == $1.stream.frame
            && $0.light == $1.stream.light
        })
    {
      return (planned.plan, planned.used)
    }
    let gathered = work()
    let (composition, used) = gathered.composition(of: layers, on: canvas, time: time)
    let frame = canvas.frame
    let image = composition.image(luma: frame.encoding.lumaCoefficients, time: time)
      .scaled(to: frame.extent, .bilinear)
    let plan = try RenderPlan(
      image, from: composition.sources, to: frame,
      transfer: gathered.settings.isLinear ? canvas.transfer : nil,
      storageBuffers: context.device.limits.maxStorageBuffers)
    planned = Planned(
      version: version,
      pads: layers.map { (ObjectIdentifier($0.pad), $0.stream.frame, $0.stream.light) }, plan: plan,
      used: used,
      isTimed: gathered.isTimed)
    return (plan, used)
  }
}

/// All settings that decide an output frame, gathered at one moment.
struct CompositorWork {
  let settings: CompositorSettings
  let filters: [any Filter]
  /// Of each pad with a frame, from the lowest.
  let pads: [(state: CompositorPad.State, filters: [any Filter], name: String)]

  /// Whether a frame's time changes its picture.
  var isTimed: Bool {
    filters.contains { $0.isTimed } || pads.contains { $0.filters.contains { $0.isTimed } }
  }

  /// What is composed, and the places among the pads of the frames that it reads.
  func composition(
    of frames: [LayerFrame], on canvas: VideoStream, time: Double
  ) -> (Composition, used: [Int]) {
    var result = Composition(
      canvas: Canvas(
        extent: canvas.frame.extent, pixelAspect: canvas.frame.pixelAspect,
        background: settings.canvasBackground, isLimited: canvas.frame.encoding.range == .limited),
      sources: [], layers: [], filters: filters, zeroIsUnscaled: settings.zeroIsUnscaled)
    var used: [Int] = []
    func source(_ place: Int) -> Int {
      if let known = used.firstIndex(of: place) { return known }
      used.append(place)
      result.sources.append(frames[place].stream.frame)
      return used.count - 1
    }
    for place in visible(frames, result.canvas, time) {
      let (state, filters, _) = pads[place]
      var layer = Layer(
        state.settings, frame: source(place), orientation: state.orientation, filters: filters,
        conversion: frames[place].stream.light.steps(to: canvas.light))
      if let mask = maskPlace(of: state) {
        layer.mask = .frame(source(mask), pads[mask].state.orientation)
      } else if let still = state.still {
        layer.mask = .still(still)
      }
      result.layers.append(layer)
    }
    return (result, used)
  }

  /// The place of the pad that masks another.
  private func maskPlace(of state: CompositorPad.State) -> Int? {
    let name = state.settings.mask.pad
    return name.isEmpty ? nil : pads.firstIndex { $0.name == name }
  }

  /// The places of the pads that are seen, from the lowest: all but masks, those beyond the canvas or
  /// without a size, and those that one above hides.
  private func visible(_ frames: [LayerFrame], _ canvas: Canvas, _ time: Double) -> [Int] {
    let masks = pads.compactMap { maskPlace(of: $0.state) }
    var result: [Int] = []
    var covers: [Bounds] = []
    for place in frames.indices.reversed() where !masks.contains(place) {
      let (state, filters, _) = pads[place]
      var layer = Layer(
        state.settings, frame: 0, orientation: state.orientation, filters: filters)
      // What is masked hides nothing.
      if maskPlace(of: state) != nil || state.still != nil { layer.mask = .frame(0, .identity) }
      guard
        let picture = layer.picture(of: frames[place].stream.frame, number: 0, time: time),
        let placement = layer.placement(
          of: picture, frames[place].stream.frame, on: canvas,
          zeroIsUnscaled: settings.zeroIsUnscaled)
      else { continue }
      let seen = placement.bounds.intersection(Bounds(canvas.extent))
      let casts = state.settings.shadow.color.value >> 24 > 0
      if !casts, seen.isEmpty || covers.contains(where: { $0.contains(seen) }) { continue }
      if layer.hides(picture, placement) { covers.append(placement.rectangle) }
      result.append(place)
    }
    return result.reversed()
  }
}
