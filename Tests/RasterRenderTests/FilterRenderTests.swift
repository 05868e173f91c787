import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVideo
import RasterVulkan
import Testing

/// Every filter of the registry on the device against its twin in double precision.
@Suite(.serialized) struct FilterRenderTests {
  static let names = FilterRegistry.all.map { $0.name }
  static let formats = ["RGBA", "RGB", "xBGR", "I420", "NV21", "GRAY8"]
  static let sizes = [(1, 1), (2, 2), (5, 3), (37, 7), (64, 4)]

  /// A filter with random values.
  static func random(_ name: String, _ random: inout Random) throws -> any ReferenceFilter {
    var filter = try FilterRegistry.make(name)
    for (index, parameter) in type(of: filter).descriptors.enumerated() {
      switch parameter.kind {
      case .number(let range, _):
        // Exposure beyond this leaves nothing to compare.
        let bounded = max(range.lowerBound, -3)...min(range.upperBound, 3)
        try filter.set(.number(Double.random(in: bounded, using: &random)), at: index)
      case .toggle: try filter.set(.toggle(Bool.random(using: &random)), at: index)
      case .text: try filter.set(.text(text(name, &random)), at: index)
      }
    }
    return try #require(filter as? any ReferenceFilter)
  }

  /// Words that a text parameter of a filter understands.
  private static func text(_ name: String, _ random: inout Random) -> String {
    switch name {
    case "color-matrix":
      return (0..<12).map { _ in "\(Double.random(in: -1...1, using: &random))" }
        .joined(separator: " ")
    case "tone-curve":
      let inner = [0.2, 0.45, 0.8].map { "\($0),\(Double.random(in: 0...1, using: &random))" }
      return (["0,0.05"] + inner + ["1,0.9"]).joined(separator: " ")
    default: return ""
    }
  }

  /// The largest difference between a rendered frame and its twin.
  private func difference(
    _ filters: [any ReferenceFilter], _ frame: ReferenceFrame, _ renderer: inout Renderer
  ) throws -> Int {
    let device = renderer.context.device
    let source = try frame.makeFrame(.caps, on: device, filler: 0x5a, withSamples: true)
    let target = try frame.makeFrame(.aligned, on: device, filler: 0xa5, withSamples: false)
    let active = filters.filter { !$0.isIdentity }
    let program = PointwiseProgram(
      active.flatMap { $0.steps(luma: frame.encoding.lumaCoefficients) }, from: frame.encoding,
      to: frame.encoding)
    let report = try renderer.render(
      program, from: source, to: target, width: frame.width, height: frame.height)
    #expect(report.passes == 1)
    return frame.read(from: target).maxDifference(to: frame.applying(filters))
  }

  /// Random filters of the given names over formats, sizes and ranges; returns the largest difference.
  private func worst(_ names: [String], rounds: Int) throws -> Int {
    var random = Random(UInt64(names.joined().utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
    var renderer = try Renderer(try RenderContext.context(for: DeviceSelection("")))
    var worst = 0
    for format in Self.formats {
      let layout = try layout(format)
      for (width, height) in Self.sizes {
        for _ in 0..<rounds {
          let encoding = RendererTests.encoding(
            layout, range: Bool.random(using: &random) ? .full : .limited)
          let frame = ReferenceFrame(
            random: layout, encoding: encoding, width: width, height: height, using: &random)
          let filters = try names.map { try Self.random($0, &random) }
          let found = try difference(filters, frame, &renderer)
          #expect(found <= 1, "\(format) \(width)×\(height) \(encoding): \(filters)")
          worst = max(worst, found)
        }
      }
    }
    return worst
  }

  @Test(arguments: names)
  func `every filter is within one code value of its twin`(name: String) throws {
    let worst = try worst([name], rounds: 3)
    print("\(name): largest difference \(worst) of 255")
  }

  @Test
  func `a chain of many filters is one pass, also with more numbers than push constants hold`()
    throws
  {
    _ = try worst(
      ["saturation", "tone-curve", "vibrance", "color-matrix", "tone-curve", "opacity"], rounds: 1)
  }

  @Test func `a changed table is used with the next frame`() throws {
    let layout = try layout("RGBA")
    var random = Random(3)
    var renderer = try Renderer(try RenderContext.context(for: DeviceSelection("")))
    let encoding = ColorEncoding(model: .rgb, range: .full)
    let frame = ReferenceFrame(
      random: layout, encoding: encoding, width: 40, height: 4, using: &random)
    for points in ["0,0 1,1", "0,1 1,0", "0,0.5 1,0.5"] {
      var curve = ToneCurve()
      curve.points = points
      #expect(try difference([curve], frame, &renderer) <= 1)
    }
  }
}
