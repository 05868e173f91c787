/// Sharpening by what a blurred picture lacks in luma.
///
/// `Y' + amount × (Y' - blurred Y')` where they differ by the threshold at least; the color differences stay.
/// The luma has the weights of BT.601.
package struct Unsharp: Filter {
  package static let name = "unsharp"
  package static let blurb = "Sharpens by what a blurred picture lacks"
  package static let example = "amount=2, sigma=1.5"
  package static let kind = FilterKind.neighborhood
  package static let parameters: [Parameter<Unsharp>] = [
    .number(
      "amount", "Amount", "How much of the difference is added; below 0 smooths", -1...10,
      default: 0.5, \Unsharp.amount),
    .number(
      "sigma", "Sigma", "Standard deviation of the blur in pixels", 0.1...200, default: 2,
      \Unsharp.sigma),
    .number(
      "threshold", "Threshold", "Differences below it are left alone; white is 1", 0...1,
      default: 0, \Unsharp.threshold),
  ]

  package var amount = 0.5
  package var sigma = 2.0
  package var threshold = 0.0

  package init() {}

  package var isIdentity: Bool { amount == 0 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.combined(
      with: input.blurred(.gaussian(sigma: sigma)),
      ShaderFunction("Filters/Unsharp", arguments: [amount, threshold]))
  }
}
