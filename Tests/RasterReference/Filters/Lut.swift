package import RasterColor
package import RasterGraph

extension Lut: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    guard let table else { return color }
    let wanted = ColorTableLookup.lookup(
      table, color, tetrahedral: interpolation == "tetrahedral")
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * intensity }
    return ReferenceColor(
      mix(color.red, wanted.red), mix(color.green, wanted.green), mix(color.blue, wanted.blue))
  }
}
