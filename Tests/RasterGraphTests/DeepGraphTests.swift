import RasterColor
import RasterGraph
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Graphs as deep as a user's list of filters is long: no walk and no release may go down with them on the
/// stack of a thread.
@Suite struct DeepGraphTests {
  /// What lies on top of an image, again and again.
  enum Level: CaseIterable {
    /// A pointwise step over a blend with one and the same picture.
    case blendOfOne
    /// A pointwise step over a blend with a picture of its own.
    case blendOfOwn
    /// Reads its input at two places of the graph.
    case unsharp
    case warp
    case blur
    case clahe

    /// An image with one more level.
    func over(_ image: Image, _ index: Int, _ picture: Image) throws -> Image {
      let half = Blending(mode: .normal, opacity: 0.5)
      let darker = PointwiseStep.matrix(.scaling(0.9 + Double(index % 3) / 100))
      switch self {
      case .blendOfOne: return image.blended(with: picture, half).mapped([darker])
      case .blendOfOwn:
        let own = try #require(
          StillImage(extent: DeepGraphTests.extent, pixels: [1, 2, 3, UInt16(index % 9)]))
        return image.blended(with: Image(own), half).mapped([darker])
      case .unsharp:
        return image.combined(
          with: image.mapped([darker]), ShaderFunction("Filters/Unsharp", arguments: [0.5, 0]))
      case .warp:
        return image.warped(ShaderFunction("Filters/Bulge", arguments: [0, 0, 1, 1]), .bicubic)
      case .blur: return image.blurred(.gaussian(sigma: 20)).mapped([darker])
      case .clahe:
        return image.equalized(
          Equalization(columns: 2, rows: 2, clipLimit: 2, intensity: 1))
      }
    }

    /// An image with that many levels.
    func chain(of count: Int) throws -> Image {
      let picture = Image(
        try #require(StillImage(extent: DeepGraphTests.extent, pixels: [1, 2, 3, 4])))
      var image = DeepGraphTests.frame.image(0)
      for index in 0..<count { image = try over(image, index, picture) }
      return image
    }
  }

  static let extent = Extent(width: 1, height: 1)
  static let frame: FrameDescription = {
    var frame = RenderPlanTests.rgba
    frame.extent = extent
    return frame
  }()

  /// Runs `body` on a thread with a stack of 512 KiB, the least of systems that GStreamer runs on.
  private func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) throws -> Result {
    var result: Swift.Result<Result, any Error>?
    try withoutActuallyEscaping({ result = Swift.Result { try body() } }) { run in
      var attributes = pthread_attr_t()
      try #require(pthread_attr_init(&attributes) == 0)
      defer { pthread_attr_destroy(&attributes) }
      try #require(pthread_attr_setstacksize(&attributes, 512 << 10) == 0)
      var thread = pthread_t()
      let status = pthread_create(
        &thread, &attributes,
        {
          $0.map { Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue().run() }
          return nil
        }, Unmanaged.passRetained(ThreadBody(run)).toOpaque())
      #expect(status == 0)
      pthread_join(thread, nil)
    }
    return try #require(result).get()
  }

  private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  @Test(arguments: Level.allCases)
  func `a chain of 50,000 is planned and released on a small stack`(_ level: Level) throws {
    let (passes, largest) = try onSmallStack {
      let image = try level.chain(of: 50_000)
      let plan = try RenderPlan(image, from: [Self.frame], to: Self.frame)
      let largest = plan.passes.compactMap {
        $0.body.kernel?.groups.reduce(0) { $0 + $1.statements.count }
      }.max()
      return (plan.passes.count, largest ?? 0)
    }
    #expect(passes > 1000)
    // No kernel holds more than the levels up to the next cut.
    #expect(largest < 400)
  }

  @Test func `what others still hold of a deep chain outlives it`() throws {
    let depth = try onSmallStack {
      var whole: Image? = try Level.blendOfOne.chain(of: 50_000)
      var image = try #require(whole)
      for _ in 0..<50_000 { image = try #require(image.inputs.first) }
      whole = nil
      var depth = 0
      while let next = image.inputs.first { (image, depth) = (next, depth + 1) }
      return depth
    }
    #expect(depth == 50_000)
  }

  /// Each level reads the one below twice: for its curves and for its pixels.
  @Test func `equalized images on top of each other take one pass more each`() throws {
    let image = try Level.clahe.chain(of: 30)
    let plan = try RenderPlan(image, from: [Self.frame], to: Self.frame)
    #expect(plan.passes.count == 31)
  }
}
