import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVulkan
import Testing

/// Prints what passes cost, for whoever tunes them; bounds only what nobody could use.
@Suite(.serialized) struct TimingTests {
  private func milliseconds(_ duration: Duration) -> Double {
    (Double(duration.components.seconds) * 1000
      + Double(duration.components.attoseconds) / 1e15) * 10
  }

  private func text(_ duration: Duration) -> String {
    "\(milliseconds(duration).rounded() / 10) ms"
  }

  /// Times of the first frame and of the median one.
  private func time(
    _ own: FilterCase, _ width: Int, _ height: Int, frames: Int
  ) throws -> (first: Duration, median: Duration, passes: Int) {
    // Its own context, so that nothing is compiled already.
    let context = RenderContext(try Device(DeviceSelection("")), cachingIn: nil)
    var renderer = try Renderer(context)
    var random = Random(1)
    let filter = try own.make(FilterCase.resources(&random))
    let layout = try layout("RGBA")
    let frame = try FilterRenderTests.frame(
      "RGBA", (width, height), .ramp, .full, isEven: false, &random)
    let plan = try RenderPlan([filter], frame.frameDescription)
    let extent = plan.passes.last?.extent ?? Extent(width: width, height: height)
    var end = ReferenceFrame(
      layout: layout, encoding: frame.encoding, width: extent.width, height: extent.height,
      colors: [], alpha: [])
    end.clear()
    let source = try frame.makeFrame(.aligned, on: context.device, filler: 0, withSamples: true)
    let target = try end.makeFrame(.aligned, on: context.device, filler: 0, withSamples: false)
    let clock = ContinuousClock()
    let first = try clock.measure { _ = try renderer.render(plan, from: [source], to: target) }
    let times = try (0..<frames).map { _ in
      try clock.measure { _ = try renderer.render(plan, from: [source], to: target) }
    }
    return (first, times.sorted()[frames / 2], plan.passes.count)
  }

  static let large = [
    "gaussian-blur, sigma=4", "gaussian-blur, sigma=1.5", "gaussian-blur, sigma=17.5",
    "scale, width=640, height=360", "scale, width=640, height=360, interpolation=lanczos",
    "rotate, angle=10, expand=false", "box-blur, width=31, height=31", "sobel", "clahe",
    "exposure, ev=0.5", "blend, source=gradient, mode=soft-light",
  ].map { FilterCase(text: $0) }

  @Test(arguments: large)
  func `frames of 1920×1080 RGBA`(own: FilterCase) throws {
    let (_, median, passes) = try time(own, 1920, 1080, frames: 20)
    print("time of a frame: \(own.text): \(text(median)), \(passes) passes")
  }

  @Test(arguments: FilterCase.all)
  func `no kernel takes long to compile`(own: FilterCase) throws {
    let (first, median, passes) = try time(own, 96, 64, frames: 3)
    print("time to compile: \(own.text): \(text(first - median)), \(passes) passes")
    #expect(first < .seconds(3 * passes))
  }
}
