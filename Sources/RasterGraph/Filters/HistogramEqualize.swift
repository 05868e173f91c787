/// Histogram equalization of the lightness of the whole picture: its cumulative histogram is the curve.
package struct HistogramEqualize: Filter {
  package static let name = "histogram-equalize"
  package static let blurb = "Spreads the lightness of the picture evenly"
  package static let example = ""
  package static let kind = FilterKind.reduction
  package static let parameters: [Parameter<HistogramEqualize>] = [
    .number(
      "intensity", "Intensity", "0 changes nothing, 1 is the result alone", 0...1, default: 1,
      \HistogramEqualize.intensity)
  ]

  package var intensity = 1.0

  package init() {}

  package var isIdentity: Bool { intensity == 0 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.equalized(
      Equalization(columns: 1, rows: 1, clipLimit: .infinity, intensity: intensity))
  }
}
