internal import RasterColor

/// The colors of an image that has one or two of them: numbers of the frame.
///
/// Channels are whatever the value means that has them, so that what is pending needs no arithmetic per pixel.
/// A class, since values are copied on the stack at every level of a graph.
final class Paint {
  /// Three channels and alpha of each color.
  let colors: [SIMD4<Double>]
  /// Pixels of a square's side where there are two colors.
  let side: Int

  init(_ colors: [SIMD4<Double>], side: Int) {
    self.colors = colors
    self.side = side
  }

  convenience init(_ colors: [StraightColor], side: Int = 1) {
    self.init(colors.map { SIMD4($0.red, $0.green, $0.blue, $0.alpha) }, side: side)
  }

  var isOpaque: Bool { colors.allSatisfy { $0.w == 1 } }

  /// With the colors multiplied by their alpha.
  var premultiplied: Paint {
    Paint(colors.map { SIMD4($0.x * $0.w, $0.y * $0.w, $0.z * $0.w, $0.w) }, side: side)
  }

  /// After what is pending in the value that has these colors.
  func through(_ value: Value) -> Paint {
    func row(_ row: AffineMatrix.Row, _ color: SIMD4<Double>) -> Double {
      row.x * color.x + row.y * color.y + row.z * color.z
        + row.offset * (value.alpha == .premultiplied ? color.w : 1)
    }
    let matrix = value.pending
    let mapped = colors.map {
      SIMD4(row(matrix.first, $0), row(matrix.second, $0), row(matrix.third, $0), $0.w)
    }
    return Paint(mapped, side: side)
  }

  /// With opaque colors cut to codes from 0 to the largest, as a frame would hold them.
  func limited(_ largest: Double?) -> Paint {
    guard let largest, isOpaque else { return self }
    let limited = colors.map { color in
      var color = color.clamped(
        lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: largest))
      color.w = 1
      return color
    }
    return Paint(limited, side: side)
  }

  var statement: SampledKernel.Statement {
    colors.count == 1 ? .solid : .checkered(isCoarse: side % 8 == 0)
  }

  /// The numbers of the statement.
  var numbers: [Double] {
    (colors.count == 1 ? [] : [1 / Double(side)]) + colors.flatMap { [$0.x, $0.y, $0.z, $0.w] }
  }
}

extension KernelBuilder {
  // Not inlined: walks of deep graphs have little room on the stack.

  /// The value of colors in straight R'G'B'.
  @inline(never)
  func painted(_ paint: Paint, in group: GroupBuilder) -> Value {
    let alpha: Value.Alpha = paint.isOpaque ? .opaque : .straight
    return painted(
      paint, like: Value(statement: 0, pending: .identity, alpha: alpha, isLinear: false),
      in: group)
  }

  /// A value of colors, with nothing pending, that else means what another one does.
  @inline(never)
  func painted(_ paint: Paint, like value: Value, in group: GroupBuilder) -> Value {
    var result = value
    result.statement = group.add(paint.statement, paint.numbers)
    result.pending = .identity
    result.paint = paint
    return result
  }
}
