import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVideo
import RasterVulkan
import Synchronization
import Testing

/// The largest and the mean error of each filter: in code values of 8 bits, or in 1/1024 of the range of
/// deeper ones.
final class ErrorTable: Sendable {
  private struct Row {
    var worst = 0.0
    var sum = 0.0
    var count = 0
    var skipped = 0
  }

  private let rows = Mutex<[String: Row]>([:])

  /// Adds the errors between samples and what they should be; returns the largest.
  ///
  /// - Parameter unit: code values that count as an error of 1.
  func add(
    _ name: String, _ samples: [[Int]], _ wanted: ReferenceSamples, unit: Double
  ) -> Double {
    var own = Row()
    for (component, values) in samples.enumerated() {
      for (index, value) in values.enumerated() {
        guard !wanted.ties[component][index] else {
          own.skipped += 1
          continue
        }
        let difference = abs(Double(value) - wanted.components[component][index])
        let error = difference * wanted.weights[component][index] / unit
        // What is not a number must not pass.
        own.worst = error.isNaN ? .infinity : max(own.worst, error)
        own.sum += error
        own.count += 1
      }
    }
    rows.withLock { rows in
      var row = rows[name] ?? Row()
      row.worst = max(row.worst, own.worst)
      row.sum += own.sum
      row.count += own.count
      row.skipped += own.skipped
      rows[name] = row
    }
    return own.worst
  }

  func text(_ title: String) -> String {
    func places(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
    let lines = rows.withLock { rows in
      rows.sorted { $0.key < $1.key }.map { name, row in
        let mean = row.sum / Double(max(row.count, 1))
        let parts = 1000 * row.skipped / max(row.count + row.skipped, 1)
        return "\(name) | \(places(row.worst)) | \(places(mean)) | \(parts) ‰"
      }
    }
    return (["\(title): filter | max | mean | on a step"] + lines).joined(separator: "\n")
  }
}

/// Every filter of the registry on the device against its twin in double precision.
@Suite(.serialized) struct FilterRenderTests {
  static let table = ErrorTable()
  static let deepTable = ErrorTable()
  static let names = FilterRegistry.all.map { $0.name }
  /// Formats at both sides of a filter.
  static let formats = [
    ("RGBA", "RGBA"), ("NV12", "I420"), ("RGB", "RGB"), ("I420", "I420"), ("RGBA", "NV12"),
    ("xBGR", "xBGR"), ("NV12", "RGBA"), ("NV21", "NV21"), ("GRAY8", "GRAY8"), ("GRAY8", "RGB"),
  ]
  static let sizes = [(64, 48), (37, 7), (1, 1), (131, 67), (5, 3), (2, 2)]

  static func renderer() throws -> Renderer {
    try Renderer(try RenderContext.context(for: DeviceSelection("")))
  }

  /// Renders filters and returns the largest error in code values.
  static func error(
    _ filters: [any Filter], _ frame: ReferenceFrame, to format: String,
    _ context: ReferenceContext, _ renderer: inout Renderer, name: String
  ) throws -> Double {
    let device = renderer.context.device
    let wanted = frame.image.applying(filters, context)
    let target = try layout(format)
    var end = ReferenceFrame(
      layout: target, encoding: RendererTests.encoding(target, range: frame.encoding.range),
      width: wanted.width, height: wanted.height, colors: [], alpha: [])
    end.clear()
    let plan = try RenderPlan(
      filters, frame.frameDescription, to: end.frameDescription, transfer: context.transfer)
    let source = try frame.makeFrame(.caps, on: device, filler: 0x5a, withSamples: true)
    let output = try end.makeFrame(.aligned, on: device, filler: 0xa5, withSamples: false)
    _ = try renderer.render(plan, from: [source], to: output)
    let result = end.read(from: output)
    let samples = result.colors + (target.alpha == nil ? [] : [result.alpha])
    return target.depth > 8
      ? deepTable.add(name, samples, end.samples(of: wanted), unit: end.largest / 1024)
      : table.add(name, samples, end.samples(of: wanted), unit: 1)
  }

  /// A frame with a pattern. Filters with a histogram get even samples: the lightness of others lies between
  /// two of its steps.
  static func frame(
    _ format: String, _ size: (Int, Int), _ pattern: TestPattern, _ range: NominalRange,
    isEven: Bool, _ random: inout Random
  ) throws -> ReferenceFrame {
    let layout = try layout(format)
    var frame = ReferenceFrame(
      layout: layout, encoding: RendererTests.encoding(layout, range: range), width: size.0,
      height: size.1, colors: [], alpha: [])
    frame.clear()
    for component in layout.colors.indices {
      let (columns, rows) = frame.size(of: component)
      frame.colors[component] = pattern.samples(
        component, columns, rows, largest: layout.colors[component].largest, using: &random
      ).map { isEven ? $0 & ~1 : $0 }
    }
    if let alpha = layout.alpha {
      frame.alpha = pattern.samples(3, size.0, size.1, largest: alpha.largest, using: &random)
    }
    return frame
  }

  /// Every case meets every format, with sizes in turn.
  @Test(arguments: FilterCase.all)
  func `every filter is within one code value of its twin`(own: FilterCase) throws {
    try Self.check(own, Self.formats, sizes: Self.sizes, patterns: TestPattern.allCases)
  }

  /// Intermediate results have eleven bits.
  @Test(arguments: FilterCase.all)
  func `every filter is within a thousandth of its twin in deep formats`(own: FilterCase) throws {
    try Self.check(
      own, [("RGBA64_LE", "RGBA64_LE"), ("P010_10LE", "I420_10LE")], sizes: [(37, 7), (64, 48)],
      patterns: [.random, .ramp])
  }

  private static func check(
    _ own: FilterCase, _ formats: [(String, String)], sizes: [(Int, Int)], patterns: [TestPattern],
    transfer: TransferFunction? = nil, renderer: consuming Renderer? = nil
  ) throws {
    var random = Random(UInt64(own.text.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xffff))
    var renderer = try renderer ?? Self.renderer()
    let resources = FilterCase.resources(&random)
    let filter = try own.make(resources)
    let isEven = type(of: filter).kind == .reduction
    for (index, (from, to)) in formats.enumerated() {
      let size = sizes[(index + own.text.utf8.count) % sizes.count]
      for pattern in patterns {
        let range: NominalRange = index % 2 == 0 ? .full : .limited
        let frame = try Self.frame(from, size, pattern, range, isEven: isEven, &random)
        let context = ReferenceContext(
          luma: frame.encoding.lumaCoefficients, transfer: transfer, resources: resources)
        let found = try Self.error([filter], frame, to: to, context, &renderer, name: own.name)
        // The twin is not rounded: half a code value of a deep format is due to that.
        let depth = try layout(to).depth
        let rounding = depth > 8 ? 512 / Double(1 << depth) : 0
        #expect(found <= 1 + rounding, "\(own.text): \(from) → \(to) \(size), \(pattern), \(range)")
      }
    }
  }

  static let lightCases = [
    "scale, width=21, height=31, interpolation=bicubic", "gaussian-blur, sigma=4",
    "blend, location=picture, mode=screen, opacity=0.7", "rotate, angle=10",
  ].map { FilterCase(text: $0) }

  @Test(arguments: lightCases)
  func `means of light are within one code value of their twins`(own: FilterCase) throws {
    for transfer in [TransferFunction.srgb, .bt709] {
      try Self.check(
        own, [("RGBA", "RGBA"), ("RGB", "RGB"), ("RGBA", "RGB"), ("NV12", "NV12")],
        sizes: [(64, 48), (37, 7)], patterns: TestPattern.allCases, transfer: transfer)
    }
  }

  /// Those that look up, sample or count at computed places.
  static let lookupCases = [
    "clahe, columns=3, rows=2, clip-limit=3", "lut, location=warm.cube, intensity=0.8",
    "lut, location=warm.cube, interpolation=trilinear", "rotate, angle=10",
    "tone-curve, points=0:0.05 0.2:0.3 0.45:0.4 0.8:0.9 1:0.9", "exposure, ev=0.7",
    "gaussian-blur, sigma=4",
  ].map { FilterCase(text: $0) }

  /// The kernels of a Mesa that this machine may not have compute the same.
  @Test(arguments: [false, true])
  func `kernels for earlier and later lavapipe are within one code value of the twins`(
    isLater: Bool
  ) throws {
    for own in Self.lookupCases {
      let context = RenderContext(
        try Device(DeviceSelection("")), cachingIn: nil, isLaterLavapipe: isLater)
      try Self.check(
        own, [("RGBA", "RGBA"), ("NV12", "NV12")], sizes: [(64, 48), (37, 7)],
        patterns: [.random, .ramp], renderer: try Renderer(context))
    }
  }

  @Test func `the cases have every filter`() {
    #expect(Set(FilterCase.all.map(\.name)) == Set(Self.names))
  }

  @Test func `a table of all errors`() {
    print(Self.table.text("8 bits"))
    print(Self.deepTable.text("deeper, in 1/1024"))
  }
}
