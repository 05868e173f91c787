/// Contrast-limited adaptive histogram equalization of the lightness (Zuiderveld 1994, "Graphics Gems IV").
///
/// The lightness is that of HSL, in 256 steps. Counts above the limit are shared out evenly over all steps.
package struct Clahe: Filter {
  package static let name = "clahe"
  package static let blurb = "Spreads the lightness of each part of the picture"
  package static let example = "clip-limit=4"
  package static let kind = FilterKind.reduction
  package static let parameters: [Parameter<Clahe>] = [
    .number("columns", "Columns", "Tiles across", 1...32, default: 8, \Clahe.columns),
    .number("rows", "Rows", "Tiles down", 1...32, default: 8, \Clahe.rows),
    .number(
      "clip-limit", "Clip limit", "Times the mean that a step of lightness may count", 1...256,
      default: 2, \Clahe.clipLimit),
    .number(
      "intensity", "Intensity", "0 changes nothing, 1 is the result alone", 0...1, default: 1,
      \Clahe.intensity),
  ]

  package var columns = 8.0
  package var rows = 8.0
  package var clipLimit = 2.0
  package var intensity = 1.0

  package init() {}

  package var isIdentity: Bool { intensity == 0 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.equalized(
      Equalization(
        columns: Int(columns.rounded()), rows: Int(rows.rounded()), clipLimit: clipLimit,
        intensity: intensity))
  }
}
