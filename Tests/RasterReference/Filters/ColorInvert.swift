package import RasterColor
package import RasterGraph

extension ColorInvert: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    ReferenceColor(1 - color.red, 1 - color.green, 1 - color.blue)
  }
}
