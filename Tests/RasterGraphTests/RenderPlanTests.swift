import RasterColor
import RasterGraph
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// How graphs become passes.
@Suite struct RenderPlanTests {
  static let extent = Extent(width: 1920, height: 1080)
  static let nv12 = description(.init(model: .ycbcr(.bt709), range: .limited), [(1, 0), (2, 1)])
  static let i420 = description(
    .init(model: .ycbcr(.bt709), range: .limited), [(1, 0), (1, 1), (1, 1)])
  static let rgba = description(.init(model: .rgb, range: .full), [(4, 0)])
  static let context = FilterContext(luma: .bt709)
  /// Whether a sanitizer watches the process, which then takes many times as long.
  static let isWatched = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// A frame whose planes have that many bytes for each sample, and that subsampling in both directions.
  static func description(
    _ encoding: ColorEncoding, _ planes: [(stride: Int, subsampling: Int)]
  ) -> FrameDescription {
    let components = planes.enumerated().flatMap { index, plane in
      (0..<plane.stride).map { PixelLayout.Component(plane: index, offset: $0, depth: 8) }
    }
    let layout = PixelLayout(
      name: "\(planes.count) planes",
      planes: planes.map {
        .init(
          pixelStride: $0.stride, horizontalSubsampling: $0.subsampling,
          verticalSubsampling: $0.subsampling)
      }, colors: Array(components.prefix(3)), alpha: components.count > 3 ? components[3] : nil)
    return FrameDescription(layout: layout, encoding: encoding, extent: extent)
  }

  /// A filter with values for its parameters.
  static func filter(_ name: String, _ values: [String: ParameterValue] = [:]) throws -> any Filter
  {
    var filter = try FilterRegistry.make(name)
    for (field, value) in values {
      let index = type(of: filter).descriptors.firstIndex { $0.name == field }
      try filter.set(value, at: try #require(index))
    }
    return filter
  }

  static func plan(
    _ filters: [any Filter], from source: FrameDescription = rgba,
    to destination: FrameDescription? = nil
  ) throws -> RenderPlan {
    let image = filters.reduce(source.image(0)) {
      $1.isIdentity ? $0 : $1.output($0, in: context)
    }
    return try plan(image, from: source, to: destination ?? source)
  }

  static func plan(
    _ image: Image, from source: FrameDescription = rgba, to destination: FrameDescription = rgba
  ) throws -> RenderPlan {
    var target = destination
    target.extent = image.extent
    return try RenderPlan(image, from: [source], to: target)
  }

  /// The kernel of a pass; nil where it walks words.
  static func kernel(_ pass: RenderPlan.Pass?) -> SampledKernel? {
    if case .sampled(let kernel) = pass?.body { kernel } else { nil }
  }

  private static func colors() throws -> [any Filter] {
    [
      try filter("exposure", ["ev": .number(0.5)]),
      try filter("saturation", ["amount": .number(0.5)]),
      try filter("tone-curve", ["points": .text("0,0 0.4,0.5 1,1")]),
    ]
  }

  private static func geometry() throws -> [any Filter] {
    [
      try filter("rotate", ["angle": .number(90)]),
      try filter("scale", ["width": .number(640), "height": .number(360)]),
    ]
  }

  // MARK: - Passes

  @Test func `pointwise chains are one walk over words`() throws {
    for source in [Self.nv12, Self.rgba] {
      let plan = try Self.plan(try Self.colors(), from: source)
      #expect(plan.passes.count == 1 && Self.kernel(plan.passes.first) == nil)
    }
    let plan = try Self.plan(try Self.colors(), from: Self.nv12, to: Self.i420)
    #expect(plan.passes.count == 1 && Self.kernel(plan.passes.first) == nil)
  }

  @Test func `colors, a turn, a new size and another format are one pass`() throws {
    let filters = try Self.colors() + Self.geometry()
    let plan = try Self.plan(filters, from: Self.nv12, to: Self.i420)
    #expect(plan.passes.count == 1, "\(plan)")
  }

  @Test func `with a blur in the middle they are three`() throws {
    let blur = try Self.filter("gaussian-blur", ["sigma": .number(4)])
    let plan = try Self.plan(
      try Self.colors() + [blur] + Self.geometry(), from: Self.nv12, to: Self.i420)
    #expect(plan.passes.count <= 3, "\(plan)")
  }

  /// Two walks at full size, or a picture of a half with two on the way and two back.
  @Test(arguments: [(1.0, 2), (2.6, 4)])
  func `a blur has two walks for each size`(sigma: Double, count: Int) throws {
    let plan = try Self.plan([try Self.filter("gaussian-blur", ["sigma": .number(sigma)])])
    #expect(plan.passes.count == count, "\(plan)")
  }

  @Test func `filters that change nothing vanish`() throws {
    let filters = try FilterRegistry.all.map { try Self.filter($0.name) }
      .filter { $0.isIdentity }
    #expect(filters.count > 10)
    let plan = try Self.plan(filters)
    #expect(plan.passes.count == 1)
    guard case .pointwise(let operations, _, _) = plan.passes[0].body else {
      Issue.record("a copy is a walk")
      return
    }
    #expect(operations.count <= 1)
  }

  @Test func `affine warps fold to one`() throws {
    let filters = [
      try Self.filter("rotate", ["angle": .number(10)]),
      try Self.filter("scale", ["width": .number(640), "height": .number(360)]),
      try Self.filter("flip"), try Self.filter("transform", ["scale-x": .number(1.1)]),
    ]
    let kernel = try #require(Self.kernel(try Self.plan(filters).passes.first))
    let samples = kernel.groups.flatMap(\.statements).filter {
      if case .sample = $0 { true } else { false }
    }
    #expect(samples.count == 1)
    #expect(try Self.plan(filters).passes.count == 1)
  }

  @Test func `a quarter turn and back is nothing`() throws {
    let filters = [
      try Self.filter("rotate", ["angle": .number(90)]),
      try Self.filter("rotate", ["angle": .number(-90)]),
    ]
    #expect(Self.kernel(try Self.plan(filters).passes.first) == nil)
  }

  // MARK: - Blending

  private func still(_ width: Int = 4, alpha: UInt16 = 0xffff) throws -> Image {
    let pixels = (0..<width * 4).map { $0 % 4 == 3 ? alpha : UInt16($0 * 999) }
    return Image(try #require(StillImage(extent: Extent(width: width, height: 1), pixels: pixels)))
  }

  @Test func `an opaque picture hides what is below`() throws {
    let frame = Self.rgba.image(0)
    let below = frame.blurred(.gaussian(sigma: 4))
    let plan = try Self.plan(
      below.blended(with: try still(), Blending(mode: .normal, opacity: 1)))
    #expect(plan.passes.count == 1)
    #expect(Self.kernel(plan.passes.first)?.inputs.count == 1)
    let clear = try Self.plan(
      frame.blended(with: try still(alpha: 7), Blending(mode: .normal, opacity: 1)))
    #expect(Self.kernel(clear.passes.first)?.inputs.count == 2)
  }

  @Test func `a chain of many pictures is split`() throws {
    var image = Self.rgba.image(0)
    for width in 4...16 {
      image = image.blended(
        with: try still(width, alpha: 9), Blending(mode: .normal, opacity: 0.5))
    }
    let plan = try RenderPlan(image, from: [Self.rgba], to: Self.rgba, storageBuffers: 6)
    #expect(plan.passes.count == 4)
    #expect(plan.stills.count == 13)
    for pass in plan.passes { #expect((Self.kernel(pass)?.inputs.count ?? 9) <= 5) }
    #expect(try Self.plan(image).passes.count == 1)
  }

  // MARK: - Large graphs and structures

  @Test func `a thousand images that each read the one before twice are planned at once`() throws {
    let function = ShaderFunction("Filters/Unsharp", arguments: [0.5, 0])
    for isBlend in [false, true] {
      var image = Self.rgba.image(0)
      for index in 0..<1000 {
        let darker = image.mapped([.matrix(.scaling(0.9 + Double(index % 3) / 100))])
        image =
          isBlend
          ? image.blended(with: darker, Blending(mode: .normal, opacity: 0.5))
          : image.combined(with: darker, function)
      }
      let clock = ContinuousClock()
      var plan: RenderPlan?
      let times = try (0..<5).map { _ in try clock.measure { plan = try Self.plan(image) } }
      let statements = plan?.passes.reduce(0) {
        $0 + (Self.kernel($1)?.groups.reduce(0) { $0 + $1.statements.count } ?? 0)
      }
      let best = times.min() ?? .seconds(1)
      print("1,000 images of two inputs: \(best), \(plan?.passes.count ?? 0) passes")
      #expect((statements ?? .max) < 20_000)
      #if !DEBUG
        #expect(best < .milliseconds(Self.isWatched ? 400 : 20))
      #endif
    }
  }

  @Test func `animated values change numbers alone`() throws {
    func plans(_ name: String, _ field: String, _ values: [Double]) throws -> [RenderPlan] {
      try values.map { try Self.plan([try Self.filter(name, [field: .number($0)])]) }
    }
    let animated = [
      try plans("gaussian-blur", "sigma", [3.1, 3.15, 3.2]),
      try plans("rotate", "angle", [3.1, 4.2]), try plans("bulge", "amount", [0.1, 0.2]),
      try plans("unsharp", "amount", [0.3, 0.7]), try plans("exposure", "ev", [0.3, 0.7]),
      try plans("clahe", "clip-limit", [2, 3]), try plans("box-blur", "width", [41, 43]),
      try plans("transform", "translate-x", [1.5, 7.25]),
    ]
    for plans in animated {
      let first = plans[0]
      for plan in plans.dropFirst() {
        #expect(plan.structure == first.structure, "\(plan)")
        #expect(plan.passes.map(\.numbers) != first.passes.map(\.numbers), "\(plan)")
      }
    }
  }

  @Test func `intermediate results are as large as what they hold`() throws {
    let blur = try Self.filter("gaussian-blur", ["sigma": .number(1)])
    let plan = try Self.plan([blur])
    #expect(plan.intermediates == [.image(Self.extent)])
    #expect(plan.intermediates[0].size == 1920 * 1080 * 8)
  }
}
