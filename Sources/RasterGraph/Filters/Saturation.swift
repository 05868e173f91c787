package import RasterColor

/// Moves colors away from or towards the gray of equal luma.
package struct Saturation: PointwiseFilter {
  package static let name = "saturation"
  package static let blurb = "Scales the distance of R'G'B' to its luma"
  package static let example = "amount=2"
  package static let parameters: [Parameter<Saturation>] = [
    .number(
      "amount", "Amount", "0 is gray, 1 changes nothing, 4 is the most",
      0...4, default: 1, \Saturation.amount)
  ]

  package var amount = 1.0

  package init() {}

  package var isIdentity: Bool { amount == 1 }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    let scale = AffineMatrix(.init(1, 0, 0), .init(0, amount, 0), .init(0, 0, amount))
    return [.matrix(luma.fromRGB.then(scale).then(luma.toRGB))]
  }
}
