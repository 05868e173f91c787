package import RasterColor

/// Curves through points, one for each channel and one for all.
///
/// A curve is the natural cubic spline through its points (the second derivative is 0 at both ends);
/// left of the first and right of the last point it is level.
package struct ToneCurve: PointwiseFilter {
  package static let name = "tone-curve"
  package static let blurb = "Maps R', G' and B' by curves"
  package static let example = "points=\"0,0 0.25,0.12 0.75,0.88 1,1\""
  package static let parameters: [Parameter<ToneCurve>] = [
    .text("points", "Points", "Curve of all channels, after their own: " + form, \ToneCurve.points),
    .text("red", "Red", "Curve of R': " + form, \ToneCurve.red),
    .text("green", "Green", "Curve of G': " + form, \ToneCurve.green),
    .text("blue", "Blue", "Curve of B': " + form, \ToneCurve.blue),
    .number(
      "intensity", "Intensity", "0 changes nothing, 1 is the curve alone",
      0...1, default: 1, \ToneCurve.intensity),
  ]

  private static let form =
    "points x,y in 0 … 1 apart by spaces, such as 0,0 0.5,0.6 1,1; empty changes nothing"

  package var points = ""
  package var red = ""
  package var green = ""
  package var blue = ""
  package var intensity = 1.0

  package init() {}

  package var isIdentity: Bool {
    intensity == 0 || (points.isEmpty && red.isEmpty && green.isEmpty && blue.isEmpty)
  }

  package var problem: RasterError? {
    for text in [points, red, green, blue] where Spline(parsing: text) == nil {
      return RasterError(
        .invalidSetting, "tone-curve: \"\(text)\" is not a curve.",
        remedy: "Write at least two points with rising x, such as 0,0 0.5,0.6 1,1.")
    }
    return nil
  }

  /// The curves of R', G' and B', each followed by that of all channels.
  package var curves: [@Sendable (Double) -> Double] {
    let all = Spline(parsing: points) ?? Spline()
    return [red, green, blue].map { text in
      let own = Spline(parsing: text) ?? Spline()
      return { min(max(all(min(max(own($0), 0), 1)), 0), 1) }
    }
  }

  /// Samples of a curve: their spacing keeps the error of linear steps far below a code value.
  package static let sampleCount = 1024

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    let last = ToneCurve.sampleCount - 1
    let values = curves.flatMap { curve in
      (0...last).map { Float(curve(Double($0) / Double(last))) }
    }
    return [
      .color(
        ShaderFunction(
          "Filters/ToneCurve", arguments: [intensity], table: LookupTable(values)))
    ]
  }
}
