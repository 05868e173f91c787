package import RasterColor

/// Turns every color into its complement.
package struct ColorInvert: PointwiseFilter {
  package static let name = "color-invert"
  package static let blurb = "Replaces R'G'B' by 1 - R'G'B'"
  package static let example = ""
  package static let parameters: [Parameter<ColorInvert>] = []

  package init() {}

  package var isIdentity: Bool { false }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    [.matrix(.scaling(-1, offset: 1))]
  }
}
