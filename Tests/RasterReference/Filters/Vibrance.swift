package import RasterColor
package import RasterGraph

extension Vibrance: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    let channels = [color.red, color.green, color.blue]
    let gray = 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue
    let spread = (channels.max() ?? 0) - (channels.min() ?? 0)
    let factor = amount > 0 ? 1 + amount * (1 - spread) : 1 + amount
    let mixed = channels.map { gray + ($0 - gray) * factor }
    return ReferenceColor(mixed[0], mixed[1], mixed[2])
  }
}
