package import RasterColor
package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Exposure: ReferenceFilter {
  /// The filter in double precision.
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    let factor = pow(2, ev)
    return ReferenceColor(color.red * factor, color.green * factor, color.blue * factor)
  }
}
