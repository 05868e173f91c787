import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVulkan
import Testing

/// Lists of filters on the device against their twins, one after the other in double precision.
@Suite(.serialized) struct FilterListRenderTests {
  /// Settings with no step: there an error of the filter before decides, however small it is.
  private static let smooth = FilterCase.all.map(\.text).filter { text in
    let steps = [
      "nearest", "threshold", "hard-mix", "mode=hue", "mode=luminosity", "size=1.7", "width=7.3",
      "width=90", "height=90",
    ]
    return !steps.contains { text.contains($0) }
  }

  private static let pool =
    smooth + [
      "blend, source=soft, opacity=0.6", "blend, location=picture, source=soft, mode=multiply",
      "blend, source=spread, mode=screen, opacity=0.5",
      "blend-with-mask, source=soft, mask-source=broad",
      "blend-with-mask, source=broad, mask-source=spread, component=alpha",
      "blend-with-mask, location=picture, mask-source=soft, inverted=true",
    ]

  private static func resources(_ random: inout Random) throws -> ReferenceResources {
    var result = FilterCase.resources(&random)
    func filters(_ texts: String...) throws -> [any Filter] {
      try texts.map { try FilterCase(text: $0).make(result) }
    }
    result.add(try filters("gaussian-blur, sigma=1.3"), as: "soft")
    result.add(try filters("box-blur, width=9, height=5", "gaussian-blur, sigma=4"), as: "broad")
    result.add(try filters("gaussian-blur, sigma=2", "clahe, columns=2, rows=2"), as: "spread")
    return result
  }

  /// A list in which no two maps of the plane follow each other: those become one, which is not what
  /// their twins do.
  private static func list(_ random: inout Random) -> [FilterCase] {
    let maps: Set = ["scale", "rotate", "transform"]
    var result: [FilterCase] = []
    let count = Int.random(in: 3...8, using: &random)
    while result.count < count {
      let next = FilterCase(text: pool[Int.random(in: pool.indices, using: &random)])
      let last = result.last { $0.name != "crop" && $0.name != "flip" }
      if maps.contains(next.name), let last, maps.contains(last.name) { continue }
      result.append(next)
    }
    return result
  }

  /// One list over one frame. Each list is of its own number, so that one can be tried alone.
  private struct Trial {
    let filters: [any Filter]
    let frame: ReferenceFrame
    let end: ReferenceFrame
    let context: ReferenceContext
    let text: String

    init(_ cases: [FilterCase], _ index: Int, _ random: inout Random) throws {
      let resources = try FilterListRenderTests.resources(&random)
      filters = try cases.map { try $0.make(resources) }
      let format = ["RGBA", "NV12", "I420", "RGB"][index % 4]
      frame = try FilterRenderTests.frame(
        format, (64 - index % 3, 48 - index % 5), index / 4 % 2 == 0 ? .random : .ramp, .full,
        isEven: true, &random)
      context = ReferenceContext(luma: frame.encoding.lumaCoefficients, resources: resources)
      let filterContext = FilterContext(luma: context.luma)
      let image = filters.reduce(frame.frameDescription.image(0)) {
        $1.output($0, in: filterContext)
      }
      // Without alpha, pixels count in full that are hardly there: their color is as good as any.
      let target = try layout(image.isOpaque ? format : "RGBA")
      end = ReferenceFrame(
        layout: target, encoding: RendererTests.encoding(target, range: .full),
        width: image.extent.width, height: image.extent.height, colors: [], alpha: [])
      text =
        "\(format) \(frame.width)×\(frame.height) → \(target.name): "
        + cases.map(\.text).joined(separator: "; ")
    }

    /// How far the end can be off if each step is off by a quarter of a code value, which is less than each
    /// filter by itself is allowed: up, down, or at random.
    func slack(_ random: inout Random) -> Double {
      let unit = 0.25 / 255
      let exact = end.samples(of: twins { 0 })
      var own = random
      return [{ unit }, { -unit }, { Double.random(in: -unit...unit, using: &own) }].map { noise in
        let moved = end.samples(of: twins(noise))
        let differences = exact.components.indices.flatMap { component in
          exact.components[component].indices.map { place in
            exact.weights[component][place]
              * abs(exact.components[component][place] - moved.components[component][place])
          }
        }
        return differences.max() ?? 0
      }.max() ?? 0
    }

    /// What the twins make of the frame, with noise after each: colors are as exact as alpha lets them be seen.
    private func twins(_ noise: () -> Double) -> ReferenceImage {
      filters.reduce(frame.image) { image, filter in
        var result = image.applying([filter], context)
        for index in result.pixels.indices {
          let change = SIMD4(noise(), noise(), noise(), 0)
          result.pixels[index] += change / max(result.pixels[index].w, 1e-3)
          if !result.overBlack.isEmpty { result.overBlack[index] += change }
        }
        return result
      }
    }
  }

  /// Errors add up where results between passes are half floats and each filter's own error goes through the
  /// next. A list may be off by one code value more than its twins are when each is a quarter off. Where
  /// that is much, as with an equalization of an equalization, the comparison says nothing; others follow.
  @Test func `random lists are as near to their twins as each filter is`() throws {
    var renderer = try FilterRenderTests.renderer()
    var (compared, within, index) = (0, 0, 0)
    while compared < 40, index < 120 {
      var random = Random(UInt64(index))
      let trial = try Trial(Self.list(&random), index, &random)
      index += 1
      let error = try FilterRenderTests.error(
        trial.filters, trial.frame, to: trial.end.layout.name, trial.context, &renderer,
        name: "lists")
      if error <= 1 { within += 1 }
      let slack = error <= 1 ? 0 : trial.slack(&random)
      guard slack <= 4 else { continue }
      compared += 1
      #expect(error <= 1 + slack, "\(index - 1): \(slack), \(trial.text)")
    }
    #expect(compared == 40)
    print("\(compared) of \(index) lists compared, \(within) within one code value")
  }

  /// A kernel computes runs of eight rows, of which the last ones may lie beyond the frame: they must not
  /// change the chroma that the last rows share.
  @Test(arguments: [2, 4, 6, 7, 9, 10, 12, 14])
  func `blurs of any height keep the chroma of the last rows`(height: Int) throws {
    var random = Random(UInt64(height))
    var renderer = try FilterRenderTests.renderer()
    for text in ["gaussian-blur, sigma=0.7", "box-blur, width=1, height=3", "unsharp, sigma=0.7"] {
      for format in ["NV12", "I420"] {
        let frame = try FilterRenderTests.frame(
          format, (15, height), .random, .full, isEven: false, &random)
        let error = try FilterRenderTests.error(
          [try FilterCase(text: text).make(ReferenceResources())], frame, to: format,
          ReferenceContext(luma: frame.encoding.lumaCoefficients), &renderer, name: "heights")
        #expect(error <= 1, "\(text), \(format)")
      }
    }
  }
}
