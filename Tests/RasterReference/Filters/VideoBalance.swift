package import RasterColor
package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension VideoBalance: ReferenceFilter {
  /// The filter in double precision, on code values as the stock element has it.
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    func cut(_ code: Double) -> Double { min(max(code, 0), 255) }
    let (luma, cb, cr) = color.codes(weights: weights)
    let (u, v) = (cb - 128, cr - 128)
    let angle = hue * .pi
    return ReferenceColor(
      luma: cut(16 + (luma - 16) * contrast + 255 * brightness),
      cb: cut(128 + (u * cos(angle) + v * sin(angle)) * saturation),
      cr: cut(128 + (v * cos(angle) - u * sin(angle)) * saturation), weights: weights)
  }
}
