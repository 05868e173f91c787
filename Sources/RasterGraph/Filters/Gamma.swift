package import RasterColor

/// A power of the luma with the results of GStreamer's `gamma` element.
///
/// That element takes `Y = 255 × (Y / 255)^(1 / gamma)` of the 8-bit limited-range luma code and
/// leaves Cb' and Cr' as they are. Here the same is done to every format.
package struct Gamma: PointwiseFilter {
  package static let name = "gamma"
  package static let blurb = "Raises the luma to a power"
  package static let example = "gamma=2"
  package static let parameters: [Parameter<Gamma>] = [
    .number(
      "gamma", "Gamma",
      "The luma is raised to 1/gamma: below 1 darkens the middle tones, above 1 lightens them",
      0.01...10, default: 1, \Gamma.gamma)
  ]

  package var gamma = 1.0

  package init() {}

  package var isIdentity: Bool { gamma == 1 }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    [.luma(ShaderFunction("Filters/Gamma", arguments: [1 / gamma]), luma)]
  }
}
