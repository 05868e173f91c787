package import RasterColor

#if canImport(Glibc)
  import Glibc
#endif

/// Brightness, contrast, hue and saturation with the results of GStreamer's `videobalance`.
///
/// That element is defined on 8-bit limited-range code values: luma `Y = 16 + (Y - 16) × contrast
/// + 255 × brightness`, and (Cb', Cr') turned by `hue × 180°` and scaled by `saturation`, all cut to
/// 0…255. Here the same is done to every format, so that one picture looks the same in each.
package struct VideoBalance: PointwiseFilter {
  package static let name = "video-balance"
  package static let blurb = "Adjusts brightness, contrast, hue and saturation"
  package static let example = "hue=0.4, contrast=1.2"
  package static let parameters: [Parameter<VideoBalance>] = [
    .number(
      "brightness", "Brightness",
      "Added to the luma, as a part of the code range: -1 is black, 0 changes nothing, 1 is white",
      -1...1, default: 0, \VideoBalance.brightness),
    .number(
      "contrast", "Contrast",
      "Factor of the luma's distance from black: 0 is black, 1 changes nothing, 2 doubles it",
      0...2, default: 1, \VideoBalance.contrast),
    .number(
      "hue", "Hue",
      "Turn of the hue in units of 180 degrees: -1 and 1 give the complementary color",
      -1...1, default: 0, \VideoBalance.hue),
    .number(
      "saturation", "Saturation",
      "Factor of the color difference: 0 is gray, 1 changes nothing, 2 doubles it",
      0...2, default: 1, \VideoBalance.saturation),
  ]

  package var brightness = 0.0
  package var contrast = 1.0
  package var hue = 0.0
  package var saturation = 1.0

  package init() {}

  package var isIdentity: Bool {
    brightness == 0 && contrast == 1 && hue == 0 && saturation == 1
  }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    let cosine = cos(.pi * hue) * saturation
    let sine = sin(.pi * hue) * saturation
    // 219 code values lie between black and white.
    let balance = AffineMatrix(
      .init(contrast, 0, 0, offset: brightness * 255 / 219), .init(0, cosine, sine),
      .init(0, -sine, cosine))
    return [.matrix(luma.fromRGB.then(balance).then(luma.toRGB)), .codeLimits(luma)]
  }
}
