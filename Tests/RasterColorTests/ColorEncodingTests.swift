import RasterColor
import Testing

@Suite struct ColorEncodingTests {
  static let weights: [LumaCoefficients] = [.bt601, .bt709, .bt2020, .smpte240m, .fcc]

  /// 8-bit code values of a color, not rounded.
  private func codes(
    _ encoding: ColorEncoding, _ red: Double, _ green: Double, _ blue: Double
  ) -> [Double] {
    let stored = encoding.encoding(red, green, blue)
    return [stored.0 * 255, stored.1 * 255, stored.2 * 255]
  }

  private func expectClose(_ codes: [Double], _ expected: [Double], within bound: Double = 1e-9) {
    for (code, wanted) in zip(codes, expected) { #expect(abs(code - wanted) < bound) }
  }

  @Test(arguments: weights)
  func `black, white and gray have the standard codes`(weights: LumaCoefficients) {
    let limited = ColorEncoding(model: .ycbcr(weights), range: .limited)
    expectClose(codes(limited, 0, 0, 0), [16, 128, 128])
    expectClose(codes(limited, 1, 1, 1), [235, 128, 128])
    let full = ColorEncoding(model: .ycbcr(weights), range: .full)
    expectClose(codes(full, 0, 0, 0), [0, 128, 128])
    expectClose(codes(full, 1, 1, 1), [255, 128, 128])
  }

  @Test(arguments: weights)
  func `pure blue and red reach the ends of the chroma range`(weights: LumaCoefficients) {
    let encoding = ColorEncoding(model: .ycbcr(weights), range: .limited)
    #expect(abs(codes(encoding, 0, 0, 1)[1] - 240) < 1e-9)
    #expect(abs(codes(encoding, 1, 0, 0)[2] - 240) < 1e-9)
    #expect(abs(codes(encoding, 1, 1, 0)[1] - 16) < 1e-9)
  }

  /// SMPTE EG 1 color bars at 75 %, as tables of the standards have them.
  @Test func `color bars have the published codes`() {
    let bt601 = ColorEncoding(model: .ycbcr(.bt601), range: .limited)
    expectClose(codes(bt601, 0.75, 0.75, 0), [162, 44, 142], within: 0.5)
    expectClose(codes(bt601, 0.75, 0, 0), [65, 100, 212], within: 0.5)
    let bt709 = ColorEncoding(model: .ycbcr(.bt709), range: .limited)
    expectClose(codes(bt709, 0.75, 0.75, 0), [168, 44, 136], within: 0.5)
    expectClose(codes(bt709, 0.75, 0, 0), [51, 109, 212], within: 0.5)
  }

  @Test(arguments: weights, [NominalRange.limited, .full])
  func `decoding undoes encoding`(weights: LumaCoefficients, range: NominalRange) {
    for model in [ColorEncoding.Model.rgb, .ycbcr(weights)] {
      let encoding = ColorEncoding(model: model, range: range)
      #expect(encoding.encoding.then(encoding.decoding).isIdentity)
    }
  }

  @Test func `gray decodes to a neutral color and back`() {
    for range in [NominalRange.limited, .full] {
      let encoding = ColorEncoding(model: .gray, range: range)
      let color = encoding.decoding(100.0 / 255, 0.9, 0.1)
      #expect(abs(color.0 - color.1) < 1e-12 && abs(color.1 - color.2) < 1e-12)
      #expect(abs(encoding.encoding(color.0, color.1, color.2).0 * 255 - 100) < 1e-9)
    }
  }
}
