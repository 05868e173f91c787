import RasterGraph
import RasterReference
import Testing

/// A filter with values, as text: `name, property=value, …`.
struct FilterCase: Hashable, Sendable, CustomTestStringConvertible {
  let text: String

  var testDescription: String { text }
  var name: String { fields[0] }
  private var fields: [String] {
    text.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }

  /// - Parameter resources: what the filter loads.
  func make(_ resources: ReferenceResources) throws -> any Filter {
    var filter = try FilterRegistry.make(name)
    let descriptors = type(of: filter).descriptors
    for field in fields.dropFirst() {
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      let index = try #require(descriptors.firstIndex { $0.name == parts[0] }, "\(field)")
      try filter.set(try Self.value(parts[1], descriptors[index].kind), at: index)
    }
    try filter.load(resources)
    return filter
  }

  /// Colons take the place of commas within values.
  private static func value(_ text: String, _ kind: ParameterKind) throws -> ParameterValue {
    switch kind {
    case .number: .number(try #require(Double(text)))
    case .toggle: .toggle(text == "true")
    case .text, .choice: .text(text.replacing(":", with: ","))
    }
  }

  /// The settings in which each filter is compared with its twin. Those in which a definition has a step at
  /// whole pixels are left out.
  static let texts = [
    "blend, source=gradient, mode=normal, opacity=0.6",
    "blend, location=picture, mode=multiply, opacity=0.8",
    "blend, location=picture, mode=soft-light", "blend, source=gradient, mode=luminosity",
    "blend, location=small, mode=hard-mix, opacity=0.5",
    "blend-with-mask, source=gradient, mask-location=picture",
    "blend-with-mask, location=picture, mask-source=gradient, component=alpha, mode=screen",
    "blend-with-mask, source=gradient, mask-location=small, inverted=true, mode=hue",
    "box-blur, width=5, height=3", "box-blur, width=31, height=1",
    "bulge, radius=20, amount=0.7",
    "bulge, center-x=0.2, radius=40, amount=-0.6, interpolation=lanczos",
    "checkerboard, size=3, color=#ff8000, color-2=#0040c080",
    "checkerboard, size=1.7, color=black, color-2=white",
    "clahe, columns=3, rows=2, clip-limit=3", "clahe, columns=4, rows=4, intensity=0.5",
    "color-invert", "color-matrix, matrix=0.5 0.3 -0.1 0.05 0.1 0.7 0.2 0 -0.2 0.4 0.8 0.1",
    "crop, left=1, top=2, right=3, bottom=1", "crop, left=7",
    "exposure, ev=0.7", "flip", "flip, horizontal=false, vertical=true", "gamma, gamma=1.7",
    "gaussian-blur, sigma=0.7", "gaussian-blur, sigma=2", "gaussian-blur, sigma=2.6",
    "gaussian-blur, sigma=4", "gaussian-blur, sigma=9", "gaussian-blur, sigma=17.5",
    "gaussian-blur, sigma=50",
    "histogram-equalize", "histogram-equalize, intensity=0.4",
    "linear-gradient, angle=30, color=#20408080, color-2=#ffc000", "linear-gradient",
    "lut, location=warm.cube, intensity=0.8", "lut, location=warm.cube, interpolation=trilinear",
    "opacity, amount=0.4", "pixellate, width=4, height=3", "pixellate, width=7.3, height=16",
    "rotate, angle=90", "rotate, angle=180, expand=false", "rotate, angle=10",
    "rotate, angle=-37, expand=false, interpolation=bicubic",
    "rotate, angle=200, interpolation=lanczos", "rotate, angle=33, interpolation=nearest",
    "saturation, amount=0.3",
    "scale, width=40, height=9, interpolation=nearest", "scale, width=40, height=9",
    "scale, width=21, height=31, interpolation=bicubic",
    "scale, width=10, height=90, interpolation=lanczos",
    "scale, width=90, interpolation=lanczos", "scale, height=12, interpolation=bicubic",
    "shader, code=\(rotating), uniforms=strength=0.5", "shader, kind=sampled, code=\(doubling)",
    "sobel", "sobel, amount=0.3, inverted=true", "solid-color, color=#30ff8060",
    "tone-curve, points=0:0.05 0.2:0.3 0.45:0.4 0.8:0.9 1:0.9",
    "transform, translate-x=3.3, translate-y=-2.25, scale-x=0.6, scale-y=1.3, rotation=20",
    "transform, matrix=1 0.2 0 0.1 1 0 0 0 1, interpolation=bicubic, edge=clamp",
    "transform, corners=0.1:0 1:0.05 0.9:1 0:0.9",
    "transform, corners=0.1:0 1:0.05 0.9:1 0:0.9, rotation=15, interpolation=lanczos, edge=clamp",
    "transform, scale-x=0.37, scale-y=0.45, interpolation=lanczos",
    "unsharp, amount=1.5, sigma=1.2", "unsharp, amount=0.8, sigma=5, threshold=0.05",
    "vibrance, amount=0.6", "video-balance, brightness=0.1, contrast=1.3, hue=0.3, saturation=1.4",
  ]

  static let all = texts.map { FilterCase(text: $0) }

  /// What the cases load.
  static func resources(_ random: inout Random) -> ReferenceResources {
    var result = ReferenceResources()
    func picture(_ width: Int, _ height: Int) -> ReferenceImage {
      ReferenceImage(width: width, height: height) { _, _ in
        SIMD4.random(in: 0...1, using: &random)
      }
    }
    result.add(picture(45, 33), as: "picture")
    result.add(picture(3, 2), as: "small")
    var gradient = LinearGradient()
    gradient.angle = 70
    gradient.color = "#ff000040"
    gradient.second = "#20ff80"
    result.add([gradient], as: "gradient")
    result.add(warmTable, as: "warm.cube")
    result.add(shader: rotating.replacing(":", with: ",")) { image in
      var result = image
      result.pixels = image.pixels.map { SIMD4($0.y * 0.5, $0.z, $0.x, $0.w) }
      return result
    }
    result.add(shader: doubling.replacing(":", with: ",")) { image in
      ReferenceImage(width: image.width, height: image.height) { x, y in
        (image[clamped: x - 1, y] + image[clamped: x + 1, y]) * 0.5
      }
    }
    return result
  }

  private static let rotating =
    "vec4 color(vec4 p) { return p.gbra * vec4(strength: 1.0: 1.0: 1.0); }"
  private static let doubling =
    "vec4 sampled(vec2 p) { return 0.5 * (pixel(p - vec2(1.0: 0.0)) + pixel(p + vec2(1.0: 0.0))); }"

  /// A cube of eight colors.
  private static let warmTable = """
    LUT_3D_SIZE 2
    0 0 0.1
    1 0.1 0
    0.1 0.9 0
    1 1 0.1
    0 0.2 0.8
    0.9 0 0.7
    0.1 0.8 0.9
    1 0.95 0.8
    """
}

/// Frames that show what a filter gets wrong.
enum TestPattern: CaseIterable {
  case random, ramp, checker, point, constant

  /// The samples of a component.
  func samples(
    _ component: Int, _ columns: Int, _ rows: Int, largest: Int, using random: inout Random
  ) -> [Int] {
    (0..<columns * rows).map { index in
      let (x, y) = (index % columns, index / columns)
      switch self {
      case .random: return Int.random(in: 0...largest, using: &random)
      case .ramp:
        let step = x * (component + 1) * 7 + y * 5 + component * 60
        return step * (largest / 255) % (largest + 1)
      case .checker: return (x + y + component / 3) % 2 * largest
      case .point:
        let rest = component == 3 ? largest / 2 : 0
        return x == columns / 2 && y == rows / 2 ? largest : rest
      case .constant: return [90, 160, 60, 200][component] * (largest / 255)
      }
    }
  }
}
