/// The picture swollen or pinched around a point.
///
/// Within the radius a pixel at distance `d` shows the one at `d × (1 - amount × (radius - d) / radius)²`.
package struct Bulge: Filter {
  package static let name = "bulge"
  package static let blurb = "Swells or pinches the picture around a point"
  package static let example = "center-x=0.37, center-y=0.3, radius=50, amount=0.5"
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<Bulge>] = [
    .number("center-x", "Centre X", "Fraction of the width", -1...2, default: 0.5, \Bulge.centerX),
    .number("center-y", "Centre Y", "Fraction of the height", -1...2, default: 0.5, \Bulge.centerY),
    .number(
      "radius", "Radius", "Pixels around the centre that change", 0...65535, default: 100,
      \Bulge.radius),
    .number(
      "amount", "Amount", "Above 0 swells, below 0 pinches, 0 changes nothing", -1...1, default: 0,
      \Bulge.amount),
    .interpolation(\Bulge.interpolation),
  ]

  package var centerX = 0.5
  package var centerY = 0.5
  package var radius = 100.0
  package var amount = 0.0
  package var interpolation = Interpolation.bilinear.rawValue

  package init() {}

  package var isIdentity: Bool { amount == 0 || radius == 0 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.warped(
      ShaderFunction(
        "Filters/Bulge",
        arguments: [
          centerX * Double(input.extent.width), centerY * Double(input.extent.height), radius,
          amount,
        ]), Interpolation(rawValue: interpolation) ?? .bilinear)
  }
}
