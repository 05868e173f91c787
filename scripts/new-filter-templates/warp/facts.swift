/// The picture, where each pixel shows the one at its distance from the centre times the amount.
///
/// Say here where a pixel comes from: the formula from a position of the result to one of the
/// input, in pixels from the top left, and what lies beyond the edge.
package struct $Name: Filter {
  package static let name = "$name"
  package static let blurb = "Multiplies distances from the centre by the amount"
  package static let example = "amount=0.5"
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<$Name>] = [
    .number(
      "amount", "Amount", "Below 1 enlarges, 1 changes nothing, above 1 shrinks", 0...2, default: 1,
      \.amount)
  ]

  /// Factor of distances, without unit.
  package var amount = 1.0

  package init() {}

  package var isIdentity: Bool { amount == 1 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    let centre = [Double(input.extent.width) / 2, Double(input.extent.height) / 2]
    return input.warped(
      ShaderFunction("Filters/$Name", arguments: centre + [amount]), .bilinear)
  }
}
