/// How steep the luma is, by Sobel's operator; alpha stays.
///
/// The length of the two sums with weights 1 2 1 of the differences across and down (Sobel and Feldman 1968), of
/// luma with the weights of BT.601.
package struct Sobel: Filter {
  package static let name = "sobel"
  package static let blurb = "Shows edges"
  package static let example = ""
  package static let kind = FilterKind.neighborhood
  package static let parameters: [Parameter<Sobel>] = [
    .number(
      "amount", "Amount", "Factor of the result", 0...10, default: 1, \Sobel.amount),
    .toggle(
      "inverted", "Inverted", "Whether edges are dark on white", default: false, \Sobel.inverted),
  ]

  package var amount = 1.0
  package var inverted = false

  package init() {}

  package var isIdentity: Bool { false }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.neighborhood(
      ShaderFunction("Filters/Sobel", arguments: [amount, inverted ? 1 : 0]))
  }
}
