/// Gray that rises from black at the left to the amount at the right.
///
/// Say here which color a position has, in pixels from the top left, and which range colors are in.
package struct $Name: Filter {
  package static let name = "$name"
  package static let blurb = "A picture of gray that rises to the right"
  package static let example = ""
  package static let kind = FilterKind.generator
  package static let parameters: [Parameter<$Name>] = [
    .number("amount", "Amount", "The gray at the right; white is 1", 0...1, default: 1, \.amount)
  ]

  /// Nonlinear R', G' and B' at the right edge, with white at 1.
  package var amount = 1.0

  package init() {}

  package var isIdentity: Bool { false }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    Image(
      generator: ShaderFunction(
        "Filters/$Name", arguments: [amount / Double(input.extent.width)]),
      extent: input.extent, isOpaque: true, pixelAspect: input.pixelAspect)
  }
}
