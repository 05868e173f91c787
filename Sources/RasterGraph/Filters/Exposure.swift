package import RasterColor

#if canImport(Glibc)
  import Glibc
#endif

/// Makes the picture lighter or darker by photographic stops.
package struct Exposure: PointwiseFilter {
  package static let name = "exposure"
  package static let blurb = "Multiplies the encoded color by a power of two"
  package static let example = "ev=0.7"
  package static let parameters: [Parameter<Exposure>] = [
    .number(
      "ev", "Exposure",
      "Exposure in EV: each step of 1 doubles the encoded R'G'B' values, each of -1 halves them",
      -10...10, default: 0, \Exposure.ev)
  ]

  /// Stops; 0 changes nothing.
  package var ev = 0.0

  package init() {}

  package var isIdentity: Bool { ev == 0 }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    [.matrix(.scaling(exp2(ev)))]
  }
}
