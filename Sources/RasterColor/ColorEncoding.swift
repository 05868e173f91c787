/// The luma weights of red and blue, which define a Y'CbCr color matrix.
///
/// Green has the rest: `1 - red - blue`.
package struct LumaCoefficients: Hashable, Sendable {
  package let red: Double
  package let blue: Double

  package init(red: Double, blue: Double) {
    self.red = red
    self.blue = blue
  }

  /// ITU-R BT.601-7, section 2.5.1.
  package static let bt601 = LumaCoefficients(red: 0.299, blue: 0.114)
  /// ITU-R BT.709-6, item 3.2.
  package static let bt709 = LumaCoefficients(red: 0.2126, blue: 0.0722)
  /// ITU-R BT.2020-2, table 4 (non-constant luminance).
  package static let bt2020 = LumaCoefficients(red: 0.2627, blue: 0.0593)
  /// SMPTE ST 240:1999, section 4.
  package static let smpte240m = LumaCoefficients(red: 0.212, blue: 0.087)
  /// United States FCC Title 47 (2003), 73.682 (a) (20).
  package static let fcc = LumaCoefficients(red: 0.30, blue: 0.11)

  /// From nonlinear R'G'B' in 0…1 to Y' in 0…1 and Cb', Cr' in -0.5…0.5.
  package var fromRGB: AffineMatrix {
    let green = 1 - red - blue
    let cb = 0.5 / (1 - blue)
    let cr = 0.5 / (1 - red)
    return AffineMatrix(
      .init(red, green, blue), .init(-red * cb, -green * cb, (1 - blue) * cb),
      .init((1 - red) * cr, -green * cr, -blue * cr))
  }

  /// From Y' in 0…1 and Cb', Cr' in -0.5…0.5 to nonlinear R'G'B' in 0…1.
  package var toRGB: AffineMatrix {
    let green = 1 - red - blue
    let cb = 2 * (1 - blue)
    let cr = 2 * (1 - red)
    return AffineMatrix(
      .init(1, 0, cr), .init(1, -blue * cb / green, -red * cr / green), .init(1, cb, 0))
  }
}

/// Which code values black and white have.
package enum NominalRange: Hashable, Sendable {
  /// 16…235 for luma and R'G'B', 16…240 for chroma, of 256 (ITU-R BT.601-7, section 2.5.3).
  case limited
  /// All code values.
  case full
}

/// What the stored numbers of a frame mean: color model, color matrix and nominal range.
package struct ColorEncoding: Hashable, Sendable {
  package enum Model: Hashable, Sendable {
    /// Red, green, blue.
    case rgb
    /// Luma and two color differences with the given color matrix.
    case ycbcr(LumaCoefficients)
    /// Luma alone.
    case gray
  }

  package let model: Model
  package let range: NominalRange

  package init(model: Model, range: NominalRange) {
    self.model = model
    self.range = range
  }

  /// The luma weights for operations that are defined on luma: the frame's own for Y'CbCr, and
  /// BT.601 for R'G'B', as the stock videobalance and gamma elements have it.
  package var lumaCoefficients: LumaCoefficients {
    if case .ycbcr(let coefficients) = model { return coefficients }
    return .bt601
  }

  /// From 8-bit code values divided by 255 to nonlinear R'G'B' in 0…1.
  ///
  /// Gray becomes R' = G' = B'; its second and third input are ignored.
  package var decoding: AffineMatrix {
    switch model {
    case .rgb: return rangeExpansion
    case .ycbcr(let coefficients): return rangeExpansion.then(coefficients.toRGB)
    case .gray:
      let luma = rangeExpansion.first
      return AffineMatrix(luma, luma, luma)
    }
  }

  /// From nonlinear R'G'B' in 0…1 to 8-bit code values divided by 255.
  ///
  /// All three outputs of gray are its luma, with the weights of ``lumaCoefficients``.
  package var encoding: AffineMatrix {
    switch model {
    case .rgb: return rangeCompression
    case .ycbcr(let coefficients): return coefficients.fromRGB.then(rangeCompression)
    case .gray:
      let luma = lumaCoefficients.fromRGB.then(rangeCompression).first
      return AffineMatrix(luma, luma, luma)
    }
  }

  /// From stored samples of `depth` bits, 8…16, to nonlinear R'G'B' in 0…1.
  ///
  /// The code values of the limited range grow by a power of two with the depth, those of the full range
  /// reach up to the largest one (ITU-R BT.2100-2, table 9).
  package func decodingSamples(depth: Int) -> AffineMatrix {
    let steps = sampleSteps(depth)
    return AffineMatrix(
      .init(1 / steps.scale, 0, 0), .init(0, 1 / steps.scale, 0, offset: steps.chroma),
      .init(0, 0, 1 / steps.scale, offset: steps.chroma)
    ).then(decoding)
  }

  /// From nonlinear R'G'B' in 0…1 to samples of `depth` bits, neither rounded nor cut.
  package func encodingSamples(depth: Int) -> AffineMatrix {
    let steps = sampleSteps(depth)
    let chroma = -steps.chroma * steps.scale
    return encoding.then(
      AffineMatrix(
        .init(steps.scale, 0, 0), .init(0, steps.scale, 0, offset: chroma),
        .init(0, 0, steps.scale, offset: chroma)))
  }

  /// What a sample is divided by to give what ``decoding`` takes, and what is then added to chroma.
  private func sampleSteps(_ depth: Int) -> (scale: Double, chroma: Double) {
    let more = Double(1 << (depth - 8))
    guard range == .full else { return (255 * more, 0) }
    let largest = 256 * more - 1
    // The middle code is half of a power of two at every depth.
    return (largest, isRGB || model == .gray ? 0 : 128.0 / 255 - 128 * more / largest)
  }

  private var isRGB: Bool { model == .rgb }

  private var rangeCompression: AffineMatrix {
    let luma = range == .limited ? (219.0 / 255, 16.0 / 255) : (1.0, 0.0)
    // Cb' = Cr' = 0 has the code value 128 in both ranges.
    let chroma =
      isRGB ? luma : (range == .limited ? (224.0 / 255, 128.0 / 255) : (1.0, 128.0 / 255))
    return AffineMatrix(
      .init(luma.0, 0, 0, offset: luma.1), .init(0, chroma.0, 0, offset: chroma.1),
      .init(0, 0, chroma.0, offset: chroma.1))
  }

  private var rangeExpansion: AffineMatrix {
    let compression = rangeCompression
    func expand(_ scale: Double, _ offset: Double) -> (Double, Double) {
      (1 / scale, -offset / scale)
    }
    let first = expand(compression.first.x, compression.first.offset)
    let second = expand(compression.second.y, compression.second.offset)
    return AffineMatrix(
      .init(first.0, 0, 0, offset: first.1), .init(0, second.0, 0, offset: second.1),
      .init(0, 0, second.0, offset: second.1))
  }
}
