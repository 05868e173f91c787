package import RasterColor
package import RasterGraph

extension Saturation: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    let gray =
      weights.red * color.red + (1 - weights.red - weights.blue) * color.green
      + weights.blue * color.blue
    func mix(_ channel: Double) -> Double { gray * (1 - amount) + channel * amount }
    return ReferenceColor(mix(color.red), mix(color.green), mix(color.blue))
  }
}
