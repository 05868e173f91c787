package import RasterColor
package import RasterGraph

extension ToneCurve: ReferenceFilter {
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    func apply(_ channel: Double, _ own: String) -> Double {
      let first = curve(own, min(max(channel, 0), 1))
      let value = min(max(curve(points, min(max(first, 0), 1)), 0), 1)
      return channel + (value - channel) * intensity
    }
    return ReferenceColor(
      apply(color.red, red), apply(color.green, green), apply(color.blue, blue))
  }

  /// The natural spline by Cramer-free elimination on the full system, apart from the product's.
  private func curve(_ text: String, _ position: Double) -> Double {
    let points = text.split(separator: " ").map { word in
      word.split(separator: ",").compactMap { Double($0) }
    }
    guard let first = points.first, let last = points.last else { return position }
    if position <= first[0] { return first[1] }
    if position >= last[0] { return last[1] }
    let slopes = bends(points)
    guard let right = points.firstIndex(where: { $0[0] > position }) else { return last[1] }
    let (p, q) = (points[right - 1], points[right])
    let h = q[0] - p[0]
    let t = position - p[0]
    // The cubic with the second derivatives m and n at its ends.
    let (m, n) = (slopes[right - 1], slopes[right])
    let linear = (q[1] - p[1]) / h - h * (2 * m + n) / 6
    return p[1] + t * (linear + t * (m / 2 + t * (n - m) / (6 * h)))
  }

  /// Second derivatives at the points: Gauss-Jordan elimination of the dense system.
  private func bends(_ points: [[Double]]) -> [Double] {
    let count = points.count
    var rows = [[Double]](repeating: [Double](repeating: 0, count: count + 1), count: count)
    rows[0][0] = 1
    rows[count - 1][count - 1] = 1
    for index in 1..<max(count - 1, 1) where index < count - 1 {
      let (left, right) = (
        points[index][0] - points[index - 1][0], points[index + 1][0] - points[index][0]
      )
      rows[index][index - 1] = left / 6
      rows[index][index] = (left + right) / 3
      rows[index][index + 1] = right / 6
      rows[index][count] =
        (points[index + 1][1] - points[index][1]) / right
        - (points[index][1] - points[index - 1][1]) / left
    }
    for pivot in 0..<count {
      let scale = rows[pivot][pivot]
      for column in 0...count { rows[pivot][column] /= scale }
      for other in 0..<count where other != pivot {
        let factor = rows[other][pivot]
        for column in 0...count { rows[other][column] -= factor * rows[pivot][column] }
      }
    }
    return rows.map { $0[count] }
  }
}
