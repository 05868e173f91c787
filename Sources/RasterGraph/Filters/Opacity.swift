package import RasterColor

/// Makes the picture more transparent.
package struct Opacity: PointwiseFilter {
  package static let name = "opacity"
  package static let blurb = "Multiplies alpha"
  package static let example = "amount=0.4"
  package static let parameters: [Parameter<Opacity>] = [
    .number(
      "amount", "Amount",
      "0 is transparent, 1 changes nothing; frames without alpha stay opaque",
      0...1, default: 1, \Opacity.amount)
  ]

  package var amount = 1.0

  package init() {}

  package var isIdentity: Bool { amount == 1 }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] { [.opacity(amount)] }
}
