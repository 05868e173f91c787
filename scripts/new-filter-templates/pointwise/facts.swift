package import RasterColor

/// R'G'B' times the amount.
///
/// Say here what is computed: the formula or the work that defines it, which color and range it is
/// for, and what stays as it is.
package struct $Name: PointwiseFilter {
  package static let name = "$name"
  package static let blurb = "Multiplies R'G'B' by the amount"
  package static let example = "amount=0.5"
  package static let parameters: [Parameter<$Name>] = [
    .number(
      "amount", "Amount", "0 is black, 1 changes nothing, 2 doubles", 0...2, default: 1,
      \.amount)
  ]

  /// Factor of R'G'B', without unit.
  package var amount = 1.0

  package init() {}

  package var isIdentity: Bool { amount == 1 }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    [.color(ShaderFunction("Filters/$Name", arguments: [amount]))]
  }
}
