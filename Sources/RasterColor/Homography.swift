/// A map of the plane by a 3×3 matrix: affine where the last row is 0 0 1, else perspective.
///
/// Maps `(x, y)` to `(a x + b y + c, d x + e y + f) / (g x + h y + i)`.
package struct Homography: Hashable, Sendable {
  /// The nine coefficients, row by row.
  package let rows: [Double]

  private init(rows: [Double]) { self.rows = rows }

  package init(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double,
    _ g: Double = 0, _ h: Double = 0, _ i: Double = 1
  ) {
    rows = [a, b, c, d, e, f, g, h, i]
  }

  package static let identity = Homography(1, 0, 0, 0, 1, 0)

  package static func translation(_ x: Double, _ y: Double) -> Homography {
    Homography(1, 0, x, 0, 1, y)
  }

  package static func scaling(_ x: Double, _ y: Double) -> Homography {
    Homography(x, 0, 0, 0, y, 0)
  }

  /// Turns by degrees, clockwise where y points down. Quarter turns are exact.
  package static func rotation(degrees: Double) -> Homography {
    let quarter = (degrees / 90).rounded()
    if quarter * 90 == degrees {
      let turn = Int(quarter.truncatingRemainder(dividingBy: 4)) & 3
      let (cosine, sine) = [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)][turn]
      return Homography(cosine, -sine, 0, sine, cosine, 0)
    }
    let (cosine, sine) = Trigonometry.cosineAndSine(degrees: degrees)
    return Homography(cosine, -sine, 0, sine, cosine, 0)
  }

  /// The map that applies this one first and `next` after it.
  package func then(_ next: Homography) -> Homography {
    var result = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for index in 0..<3 {
          result[row * 3 + column] += next.rows[row * 3 + index] * rows[index * 3 + column]
        }
      }
    }
    return Homography(rows: result)
  }

  /// The map back; nil where there is none.
  package var inverse: Homography? {
    let m = rows
    let cofactors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
    return Homography(rows: cofactors.map { $0 / determinant })
  }

  package func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let scale = rows[6] * x + rows[7] * y + rows[8]
    return (
      (rows[0] * x + rows[1] * y + rows[2]) / scale, (rows[3] * x + rows[4] * y + rows[5]) / scale
    )
  }

  /// Whether straight parallel lines stay parallel.
  package var isAffine: Bool { rows[6] == 0 && rows[7] == 0 && rows[8] == 1 }

  /// Whether the map only turns by quarters, mirrors, stretches along the axes and moves.
  package var isAxisAligned: Bool {
    isAffine && ((rows[1] == 0 && rows[3] == 0) || (rows[0] == 0 && rows[4] == 0))
  }

  /// Whether pixel centres are mapped to pixel centres, each to another.
  package var isPixelExact: Bool {
    let units = [rows[0], rows[1], rows[3], rows[4]].map(abs)
    return isAxisAligned && units.allSatisfy { $0 == 0 || $0 == 1 } && units[0] + units[1] == 1
      && rows[2] == rows[2].rounded() && rows[5] == rows[5].rounded()
  }
}

/// Sine and cosine without a foreign library: Taylor's series after reduction to an eighth of a turn.
package enum Trigonometry {
  package static func cosineAndSine(degrees: Double) -> (cosine: Double, sine: Double) {
    let quarter = (degrees / 90).rounded()
    let angle = (degrees - quarter * 90) * (Double.pi / 180)
    let (cosine, sine) = series(angle)
    switch Int(quarter.truncatingRemainder(dividingBy: 4)) & 3 {
    case 1: return (-sine, cosine)
    case 2: return (-cosine, -sine)
    case 3: return (sine, -cosine)
    default: return (cosine, sine)
    }
  }

  private static func series(_ angle: Double) -> (Double, Double) {
    let square = angle * angle
    var (cosine, sine, term) = (1.0, angle, 1.0)
    var sineTerm = angle
    for index in stride(from: 2.0, through: 22, by: 2) {
      term *= -square / (index * (index - 1))
      cosine += term
      sineTerm *= -square / (index * (index + 1))
      sine += sineTerm
    }
    return (cosine, sine)
  }

  /// `e` to the power of `x`, for x ≤ 0: 0 below -60.
  package static func exponential(_ x: Double) -> Double {
    guard x > -60 else { return 0 }
    // Halved until small, then squared back.
    var halvings = 0
    var small = x
    while small < -0.5 {
      small /= 2
      halvings += 1
    }
    var (sum, term) = (1.0, 1.0)
    for index in 1...16 {
      term *= small / Double(index)
      sum += term
    }
    for _ in 0..<halvings { sum *= sum }
    return sum
  }
}
