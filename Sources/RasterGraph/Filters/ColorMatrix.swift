package import RasterColor

/// Any affine map of R'G'B'.
package struct ColorMatrix: PointwiseFilter {
  package static let name = "color-matrix"
  package static let blurb = "Maps R'G'B' by a 3×4 matrix"
  package static let example =
    "matrix=\"0.393 0.769 0.189 0 0.349 0.686 0.168 0 0.272 0.534 0.131 0\""
  package static let parameters: [Parameter<ColorMatrix>] = [
    .text(
      "matrix", "Matrix",
      "Twelve numbers apart by spaces: for each of R', G' and B' the factors of R', G' and B' and "
        + "what is added, with white at 1; empty changes nothing",
      \ColorMatrix.matrix)
  ]

  /// Twelve numbers, row by row; empty is the identity.
  package var matrix = ""

  package init() {}

  package var isIdentity: Bool { matrix.isEmpty || parsed?.isIdentity == true }

  package var problem: RasterError? {
    guard !matrix.isEmpty, parsed == nil else { return nil }
    return RasterError(
      .invalidSetting, "color-matrix: \"\(matrix)\" is not a matrix.",
      remedy: "Write twelve numbers, such as 1 0 0 0  0 1 0 0  0 0 1 0.")
  }

  private var parsed: AffineMatrix? {
    let words = matrix.split { $0 == " " || $0 == "," || $0 == "\n" || $0 == "\t" }
    let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && abs($0) <= 1000 }
    guard words.count == 12, numbers.count == 12 else { return nil }
    let rows = stride(from: 0, to: 12, by: 4).map {
      AffineMatrix.Row(numbers[$0], numbers[$0 + 1], numbers[$0 + 2], offset: numbers[$0 + 3])
    }
    return AffineMatrix(rows[0], rows[1], rows[2])
  }

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    parsed.map { [.matrix($0)] } ?? []
  }
}
