package import RasterColor
package import RasterGraph

extension $Name: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    ReferenceColor(color.red * amount, color.green * amount, color.blue * amount)
  }
}
