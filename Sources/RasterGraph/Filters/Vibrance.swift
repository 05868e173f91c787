package import RasterColor

/// Saturation that spares colors that are saturated already.
///
/// Below 0 it is plain desaturation. Above, the factor is `1 + amount × (1 - (max - min))` of the three
/// channels; the gray has the luma weights of BT.601.
package struct Vibrance: PointwiseFilter {
  package static let name = "vibrance"
  package static let blurb = "Saturates dull colors more than vivid ones"
  package static let example = "amount=1"
  package static let parameters: [Parameter<Vibrance>] = [
    .number(
      "amount", "Amount", "-1 is gray, 0 changes nothing, 1 is the most",
      -1...1, default: 0, \Vibrance.amount)
  ]

  package var amount = 0.0

  package init() {}

  package var isIdentity: Bool { amount == 0 }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    [.color(ShaderFunction("Filters/Vibrance", arguments: [amount]))]
  }
}
