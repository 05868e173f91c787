/// A map of the plane as three rows of three numbers, apart from the product's.
struct ReferenceMatrix {
  var rows: [[Double]]

  /// The matrix of the map that applies `next` after this one.
  func then(_ next: ReferenceMatrix) -> ReferenceMatrix {
    ReferenceMatrix(
      rows: next.rows.map { row in
        (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * rows[$1][column] } }
      })
  }

  /// The map back.
  var inverse: ReferenceMatrix {
    let unit = (0..<3).map { row in (0..<3).map { $0 == row ? 1.0 : 0 } }
    let solved = ReferenceMatrix.solve(zip(rows, unit).map { $0 + $1 })
    return ReferenceMatrix(rows: solved.map { Array($0.suffix(3)) })
  }

  /// The place of a position, and the third coordinate that it was divided by.
  func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double, w: Double) {
    let values = rows.map { $0[0] * x + $0[1] * y + $0[2] }
    return (values[0] / values[2], values[1] / values[2], values[2])
  }

  /// The map that takes four points to four others: the solution of eight equations.
  init(from points: [(Double, Double)], to places: [(Double, Double)]) {
    var system: [[Double]] = []
    for ((x, y), (u, v)) in zip(points, places) {
      system.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
      system.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    }
    let numbers = ReferenceMatrix.solve(system).map { $0[8] } + [1]
    rows = stride(from: 0, to: 9, by: 3).map { Array(numbers[$0..<$0 + 3]) }
  }

  init(rows: [[Double]]) { self.rows = rows }

  /// Gauss-Jordan elimination with pivots.
  private static func solve(_ system: [[Double]]) -> [[Double]] {
    var rows = system
    for column in rows.indices {
      let pivot = (column..<rows.count).max { abs(rows[$0][column]) < abs(rows[$1][column]) }
      guard let pivot else { continue }
      rows.swapAt(column, pivot)
      let scale = rows[column][column]
      rows[column] = rows[column].map { $0 / scale }
      for other in rows.indices where other != column {
        let factor = rows[other][column]
        rows[other] = zip(rows[other], rows[column]).map { $0 - factor * $1 }
      }
    }
    return rows
  }
}
