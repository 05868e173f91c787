package import RasterColor
package import RasterGraph

extension ColorMatrix: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    let numbers = matrix.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 12 else { return color }
    func row(_ first: Int) -> Double {
      numbers[first] * color.red + numbers[first + 1] * color.green
        + numbers[first + 2] * color.blue + numbers[first + 3]
    }
    return ReferenceColor(row(0), row(4), row(8))
  }
}
