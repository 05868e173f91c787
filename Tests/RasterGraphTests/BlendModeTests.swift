import RasterGraph
import RasterReference
import ShaderLibrary
import Testing

@Suite struct BlendModeTests {
  static let names = BlendMode.all.map(\.name)
  static let steps = (0...20).map { Double($0) / 20 }
  /// Colors at the ends of the range, in the middle and between.
  static let colors = [0, 0.2, 0.5, 0.85, 1].flatMap { red in
    [0, 0.3, 0.5, 1].flatMap { green in
      [0, 0.1, 0.5, 0.7, 1].map { ReferenceColor(red, green, $0) }
    }
  }

  /// One channel of a separable mode.
  private func channel(_ name: String, _ cb: Double, _ cs: Double) throws -> Double {
    blend(
      try BlendMode.named(name), backdrop: ReferenceColor(cb, cb, cb),
      source: ReferenceColor(cs, cs, cs)
    ).green
  }

  private func isClose(
    _ left: ReferenceColor, _ right: ReferenceColor, _ tolerance: Double = 1e-12
  ) -> Bool {
    abs(left.red - right.red) <= tolerance && abs(left.green - right.green) <= tolerance
      && abs(left.blue - right.blue) <= tolerance
  }

  // MARK: - The list

  @Test func `every mode is there once, and found by its name`() throws {
    #expect(Self.names.count == 26 && Set(Self.names).count == 26)
    #expect(Set(BlendMode.all.map(\.function)).count == 26)
    for mode in BlendMode.all {
      #expect(try BlendMode.named(mode.name) == mode)
      #expect(!mode.blurb.isEmpty && mode.blurb.last != ".")
      #expect(mode.name.allSatisfy { $0 == "-" || ($0.isLowercase && $0.isASCII) })
    }
    #expect(BlendMode.all.first == .normal)
  }

  @Test func `a wrong name is refused with all the right ones`() {
    let error = #expect(throws: RasterError.self) { try BlendMode.named("Multiply") }
    #expect(error?.code == .invalidSetting)
    for name in Self.names { #expect(error?.remedy.contains(name) == true) }
  }

  @Test func `every mode has its function in the shader library, and every function a mode`() {
    for mode in BlendMode.all {
      let head =
        mode.isSeparable
        ? "vec4 \(mode.function)(vec4 b, vec4 s) {"
        : "void \(mode.function)(inout vec4 r, inout vec4 g, inout vec4 b, vec4 sr, vec4 sg, vec4 sb) {"
      #expect(ShaderLibrary.source(mode.source)?.contains("\n" + head) == true, "\(mode.name)")
    }
    let files = ShaderLibrary.names.filter { $0.hasPrefix("Blend/") }
    #expect(Set(files) == Set(BlendMode.all.map(\.source)))
  }

  // MARK: - Golden values

  /// Results for (Cb, Cs) of (0.25, 0.6), (0.6, 0.25), (0.8, 0.8) and (0.1, 0.9), to four digits.
  @Test(arguments: [
    ("normal", [0.6, 0.25, 0.8, 0.9]), ("multiply", [0.15, 0.15, 0.64, 0.09]),
    ("screen", [0.7, 0.7, 0.96, 0.91]), ("overlay", [0.3, 0.4, 0.92, 0.18]),
    ("darken", [0.25, 0.25, 0.8, 0.1]), ("lighten", [0.6, 0.6, 0.8, 0.9]),
    ("color-dodge", [0.625, 0.8, 1, 1]), ("color-burn", [0, 0, 0.75, 0]),
    ("hard-light", [0.4, 0.3, 0.92, 0.82]), ("soft-light", [0.3, 0.48, 0.8567, 0.2568]),
    ("difference", [0.35, 0.35, 0, 0.8]), ("exclusion", [0.55, 0.55, 0.32, 0.82]),
    ("linear-burn", [0, 0, 0.6, 0]), ("add", [0.85, 0.85, 1, 1]),
    ("vivid-light", [0.3125, 0.2, 1, 0.5]), ("linear-light", [0.45, 0.1, 1, 0.9]),
    ("pin-light", [0.25, 0.5, 0.8, 0.8]), ("hard-mix", [0, 0, 1, 0.5]),
    ("subtract", [0, 0.35, 0, 0]), ("divide", [0.4167, 1, 1, 0.1111]),
  ])
  func `separable modes have their golden values`(name: String, wanted: [Double]) throws {
    let inputs = [(0.25, 0.6), (0.6, 0.25), (0.8, 0.8), (0.1, 0.9)]
    for ((cb, cs), value) in zip(inputs, wanted) {
      #expect(abs(try channel(name, cb, cs) - value) < 5e-5, "\(cb), \(cs)")
    }
  }

  /// The exceptions in the definitions, in the order in which they are tried.
  @Test(arguments: [
    ("color-dodge", 0.0, 1.0, 0.0), ("color-dodge", 0, 0, 0), ("color-dodge", 0.3, 1, 1),
    ("color-dodge", 1, 0, 1), ("color-burn", 1, 0, 1), ("color-burn", 1, 1, 1),
    ("color-burn", 0.7, 0, 0), ("color-burn", 0, 1, 0), ("vivid-light", 1, 0, 0),
    ("vivid-light", 0, 1, 1), ("vivid-light", 1, 0.1, 1), ("vivid-light", 0, 0.9, 0),
    ("divide", 0, 0, 1), ("divide", 0.4, 0, 1), ("divide", 0, 0.4, 0),
    ("soft-light", 0.25, 1, 0.5), ("soft-light", 0, 1, 0), ("soft-light", 1, 0, 1),
    ("hard-mix", 0.3, 0.7, 0.5), ("hard-mix", 0.3, 0.7001, 1), ("hard-mix", 0.3, 0.6999, 0),
  ])
  func `exceptions at the ends`(name: String, cb: Double, cs: Double, wanted: Double) throws {
    #expect(abs(try channel(name, cb, cs) - wanted) < 1e-12)
  }

  /// Worked by hand for Cb = (0.8, 0.4, 0.2), whose luma is 0.498 and saturation 0.6, and
  /// Cs = (0.2, 0.5, 0.9), whose luma is 0.454 and saturation 0.7.
  @Test(arguments: [
    ("hue", 0.280286, 0.537429, 0.880286), ("saturation", 0.850333, 0.383667, 0.150333),
    ("color", 0.244, 0.544, 0.944), ("luminosity", 0.756, 0.356, 0.156),
    ("darker-color", 0.2, 0.5, 0.9), ("lighter-color", 0.8, 0.4, 0.2),
  ])
  func `modes of whole colors have their golden values`(
    name: String, red: Double, green: Double, blue: Double
  ) throws {
    let result = blend(
      try BlendMode.named(name), backdrop: ReferenceColor(0.8, 0.4, 0.2),
      source: ReferenceColor(0.2, 0.5, 0.9))
    #expect(isClose(result, ReferenceColor(red, green, blue), 5e-7), "\(result)")
  }

  /// Red on dark gray leaves the range below, blue on light gray above. By hand:
  /// 0.1 + 0.7 × 0.1 / 0.3, and 0.9 - 0.11 × 0.1 / 0.89.
  @Test func `colors beyond the range are drawn towards their luma`() throws {
    let color = try BlendMode.named("color")
    let dark = blend(
      color, backdrop: ReferenceColor(0.1, 0.1, 0.1), source: ReferenceColor(1, 0, 0))
    #expect(isClose(dark, ReferenceColor(1.0 / 3, 0, 0)))
    let light = blend(
      color, backdrop: ReferenceColor(0.9, 0.9, 0.9), source: ReferenceColor(0, 0, 1))
    #expect(isClose(light, ReferenceColor(0.887640, 0.887640, 1), 5e-7))
  }

  // MARK: - Properties

  @Test(arguments: [
    "multiply", "screen", "darken", "lighten", "difference", "exclusion", "linear-burn", "add",
    "hard-mix",
  ])
  func `modes that treat both alike`(name: String) throws {
    for cb in Self.steps {
      for cs in Self.steps {
        #expect(abs(try channel(name, cb, cs) - channel(name, cs, cb)) < 1e-12)
      }
    }
  }

  @Test func `modes that are others with their inputs changed`() throws {
    for cb in Self.steps {
      for cs in Self.steps {
        #expect(try channel("normal", cb, cs) == cs)
        #expect(try channel("overlay", cb, cs) == channel("hard-light", cs, cb))
        let dodged = try 1 - channel("color-dodge", 1 - cb, cs)
        #expect(abs(try channel("color-burn", cb, 1 - cs) - dodged) < 1e-9)
        let screened = try 1 - channel("multiply", 1 - cb, 1 - cs)
        #expect(abs(try channel("screen", cb, cs) - screened) < 1e-12)
      }
    }
  }

  @Test(arguments: BlendMode.all.map(\.name))
  func `results are in 0 … 1`(name: String) throws {
    let mode = try BlendMode.named(name)
    for backdrop in Self.colors {
      for source in Self.colors {
        let color = blend(mode, backdrop: backdrop, source: source)
        for value in [color.red, color.green, color.blue] {
          #expect(value >= -1e-12 && value <= 1 + 1e-12, "\(backdrop) \(source)")
        }
      }
    }
  }

  @Test(arguments: ["hue", "saturation", "color", "luminosity"])
  func `the luma is that of the one that gives it`(name: String) throws {
    let mode = try BlendMode.named(name)
    for backdrop in Self.colors {
      for source in Self.colors {
        let result = blend(mode, backdrop: backdrop, source: source)
        let wanted = blendLuma(name == "luminosity" ? source : backdrop)
        #expect(abs(blendLuma(result) - wanted) < 1e-12, "\(backdrop) \(source)")
      }
    }
  }

  @Test func `a gray has no hue to give and no saturation to change`() throws {
    let gray = ReferenceColor(0.3, 0.3, 0.3)
    for color in Self.colors {
      let luma = blendLuma(color)
      let asGray = ReferenceColor(luma, luma, luma)
      for name in ["hue", "saturation", "color"] {
        let result = blend(try BlendMode.named(name), backdrop: color, source: gray)
        #expect(isClose(result, asGray), "\(name) \(color)")
      }
      let result = blend(try BlendMode.named("saturation"), backdrop: gray, source: color)
      #expect(isClose(result, gray), "\(color)")
    }
  }

  // MARK: - Alpha

  /// By hand: B = 0.4, Cs' = 0.5 × 0.5 + 0.5 × 0.4, co = 0.4 × 0.45 + 0.6 × 0.5 × 0.8, αo = 0.7.
  @Test func `multiply with alpha on both sides`() throws {
    let result = composite(
      try BlendMode.named("multiply"), backdrop: ReferenceColor(0.8, 0.8, 0.8), backdropAlpha: 0.5,
      source: ReferenceColor(0.5, 0.5, 0.5), sourceAlpha: 0.4)
    #expect(abs(result.alpha - 0.7) < 1e-12 && abs(result.color.red - 0.6) < 1e-12)
  }

  @Test(arguments: BlendMode.all.map(\.name))
  func `a transparent side leaves the other as it is`(name: String) throws {
    let mode = try BlendMode.named(name)
    for backdrop in Self.colors {
      for source in [ReferenceColor(0.2, 0.5, 0.9), ReferenceColor(1, 0, 0.5)] {
        func over(_ backdropAlpha: Double, _ sourceAlpha: Double) -> ReferenceColor {
          composite(
            mode, backdrop: backdrop, backdropAlpha: backdropAlpha, source: source,
            sourceAlpha: sourceAlpha
          ).color
        }
        #expect(isClose(over(0.7, 0), backdrop))
        #expect(isClose(over(0, 0.7), source))
        #expect(isClose(over(1, 1), blend(mode, backdrop: backdrop, source: source)))
        #expect(isClose(over(0, 0), ReferenceColor(0, 0, 0)))
      }
    }
  }
}
