import RasterColor
import Testing

/// How far two colors are apart.
private func distance(
  _ left: (Double, Double, Double), _ right: (Double, Double, Double)
) -> Double {
  max(abs(left.0 - right.0), abs(left.1 - right.1), abs(left.2 - right.2))
}

@Suite struct AffineMatrixTests {
  private let matrix = AffineMatrix(
    .init(1.5, -0.25, 0.125, offset: 0.1), .init(0.2, 0.9, -0.3, offset: -0.05),
    .init(-0.4, 0.1, 1.1, offset: 0.3))

  @Test func `applies rows to a color`() {
    #expect(distance(matrix(1, 0, 0), (1.6, 0.15, -0.1)) < 1e-15)
    #expect(distance(matrix(0, 2, 1), (-0.275, 1.45, 1.6)) < 1e-15)
  }

  @Test func `then applies the left map first`() {
    let next = AffineMatrix.scaling(2, offset: 1)
    let color = matrix(0.3, 0.6, 0.9)
    let expected = next(color.0, color.1, color.2)
    #expect(distance(matrix.then(next)(0.3, 0.6, 0.9), expected) < 1e-15)
    #expect(distance(next.then(matrix)(0.3, 0.6, 0.9), expected) > 0.1)
  }
}
