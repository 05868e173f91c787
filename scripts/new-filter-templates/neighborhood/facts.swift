/// Each pixel mixed with the mean of the four beside, above and below it; alpha stays.
///
/// Say here what is computed of which pixels around: the formula or the work that defines it.
/// Beyond the picture its edge goes on.
package struct $Name: Filter {
  package static let name = "$name"
  package static let blurb = "Mixes each pixel with the mean of its neighbors"
  package static let example = "amount=1"
  package static let kind = FilterKind.neighborhood
  package static let parameters: [Parameter<$Name>] = [
    .number(
      "amount", "Amount", "0 changes nothing, 1 is the mean alone", 0...1, default: 0, \.amount)
  ]

  /// Share of the mean, without unit.
  package var amount = 0.0

  package init() {}

  package var isIdentity: Bool { amount == 0 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.neighborhood(ShaderFunction("Filters/$Name", arguments: [amount]))
  }
}
