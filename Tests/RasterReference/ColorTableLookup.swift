package import RasterGraph

/// The twin of table lookups in double precision, from the definitions.
package enum ColorTableLookup {
  /// The color that a table gives.
  ///
  /// - Parameter tetrahedral: how colors within the cells of a cube are made.
  package static func lookup(
    _ table: ColorTable, _ color: ReferenceColor, tetrahedral: Bool
  ) -> ReferenceColor {
    var channels = [color.red, color.green, color.blue]
    if let shaper = table.shaper {
      let (low, high) = (shaper.domain.lowerBound, shaper.domain.upperBound)
      channels = (0..<3).map {
        let place = (channels[$0] - low) / (high - low)
        return curve(shaper.values, shaper.size, channel: $0, at: place)
      }
    }
    let places = (0..<3).map {
      (channels[$0] - table.domainMinimum[$0])
        / (table.domainMaximum[$0] - table.domainMinimum[$0])
    }
    let result: [Double]
    if table.dimensions == 1 {
      result = (0..<3).map { curve(table.values, table.size, channel: $0, at: places[$0]) }
    } else {
      let cells = places.map { cell(at: $0, points: table.size) }
      result = tetrahedral ? tetrahedron(table, cells) : trilinear(table, cells)
    }
    return ReferenceColor(result[0], result[1], result[2])
  }

  /// The point at or left of a place in 0…1, and the way from there to the next one in 0…1.
  private static func cell(at place: Double, points: Int) -> (point: Int, fraction: Double) {
    let position = min(max(place, 0), 1) * Double(points - 1)
    let point = min(Int(position.rounded(.down)), points - 2)
    return (point, position - Double(point))
  }

  private static func curve(
    _ values: [Float], _ size: Int, channel: Int, at place: Double
  ) -> Double {
    let (point, fraction) = cell(at: place, points: size)
    let left = Double(values[3 * point + channel])
    let right = Double(values[3 * (point + 1) + channel])
    return (1 - fraction) * left + fraction * right
  }

  /// A point of a cube.
  private static func point(_ table: ColorTable, _ at: [Int]) -> [Double] {
    let index = at[0] + table.size * (at[1] + table.size * at[2])
    return (0..<3).map { Double(table.values[3 * index + $0]) }
  }

  /// The mean of the eight corners of a cell, each weighted by the volume across from it.
  private static func trilinear(
    _ table: ColorTable, _ cells: [(point: Int, fraction: Double)]
  ) -> [Double] {
    var sum = [0.0, 0, 0]
    for corner in 0..<8 {
      let sides = (0..<3).map { corner >> $0 & 1 }
      let weight = (0..<3).reduce(1.0) {
        $0 * (sides[$1] == 1 ? cells[$1].fraction : 1 - cells[$1].fraction)
      }
      let color = point(table, (0..<3).map { cells[$0].point + sides[$0] })
      for channel in 0..<3 { sum[channel] += weight * color[channel] }
    }
    return sum
  }

  /// A walk from the first corner of a cell along its axes, the one with the largest fraction
  /// first, on which each fraction is the part of the step that is taken.
  private static func tetrahedron(
    _ table: ColorTable, _ cells: [(point: Int, fraction: Double)]
  ) -> [Double] {
    var corner = cells.map(\.point)
    var last = point(table, corner)
    var sum = last
    for axis in (0..<3).sorted(by: { cells[$0].fraction > cells[$1].fraction }) {
      corner[axis] += 1
      let next = point(table, corner)
      for channel in 0..<3 {
        sum[channel] += cells[axis].fraction * (next[channel] - last[channel])
      }
      last = next
    }
    return sum
  }
}
