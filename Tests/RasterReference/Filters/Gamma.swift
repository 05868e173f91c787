package import RasterColor
package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Gamma: ReferenceFilter {
  /// The filter in double precision, on code values as the stock element has it.
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    let (luma, cb, cr) = color.codes(weights: weights)
    // What is left of 0 by the conversion through R'G'B' would become visible.
    let code = luma < 1e-9 ? 0 : luma / 255
    let raised = min(pow(code, 1 / gamma), 65504) * 255
    return ReferenceColor(luma: raised, cb: cb, cr: cr, weights: weights)
  }
}
