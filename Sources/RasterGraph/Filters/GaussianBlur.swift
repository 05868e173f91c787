/// Gaussian smoothing; the edge of the picture goes on beyond it.
package struct GaussianBlur: Filter {
  package static let name = "gaussian-blur"
  package static let blurb = "Blurs by a Gaussian"
  package static let example = "sigma=4"
  package static let kind = FilterKind.neighborhood
  package static let parameters: [Parameter<GaussianBlur>] = [
    .number(
      "sigma", "Sigma", "Standard deviation in pixels", 0.1...200, default: 2,
      \GaussianBlur.sigma)
  ]

  package var sigma = 2.0

  package init() {}

  package var isIdentity: Bool { false }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.blurred(.gaussian(sigma: sigma))
  }
}
