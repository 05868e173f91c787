package import RasterColor
package import RasterGraph

extension Opacity: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    color
  }

  package func reference(alpha: Double) -> Double { alpha * amount }
}
