/// An affine map of three color channels: `out = linear × in + offset`, in double precision.
///
/// Rows are outputs, columns inputs. Channels carry no unit of their own: the names of the
/// functions that make a matrix say which spaces it joins.
package struct AffineMatrix: Hashable, Sendable {
  /// One output channel: the weights of the three inputs, and a constant.
  package struct Row: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double
    package var offset: Double

    package init(_ x: Double, _ y: Double, _ z: Double, offset: Double = 0) {
      self.x = x
      self.y = y
      self.z = z
      self.offset = offset
    }

    func dot(_ x: Double, _ y: Double, _ z: Double) -> Double {
      self.x * x + self.y * y + self.z * z
    }
  }

  package var first: Row
  package var second: Row
  package var third: Row

  package init(_ first: Row, _ second: Row, _ third: Row) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// The map that changes nothing.
  package static let identity = scaling(1)

  /// Multiplies each channel by `factor` and then adds `offset`.
  package static func scaling(_ factor: Double, offset: Double = 0) -> AffineMatrix {
    AffineMatrix(
      Row(factor, 0, 0, offset: offset), Row(0, factor, 0, offset: offset),
      Row(0, 0, factor, offset: offset))
  }

  /// The image of one color.
  package func callAsFunction(_ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
    (
      first.dot(x, y, z) + first.offset, second.dot(x, y, z) + second.offset,
      third.dot(x, y, z) + third.offset
    )
  }

  /// The map that applies this one first and `next` after it.
  package func then(_ next: AffineMatrix) -> AffineMatrix {
    func combine(_ row: Row) -> Row {
      Row(
        row.dot(first.x, second.x, third.x), row.dot(first.y, second.y, third.y),
        row.dot(first.z, second.z, third.z),
        offset: row.dot(first.offset, second.offset, third.offset) + row.offset)
    }
    return AffineMatrix(combine(next.first), combine(next.second), combine(next.third))
  }

  /// Whether the map changes nothing, but for rounding.
  package var isIdentity: Bool {
    func isUnit(_ row: Row, _ x: Double, _ y: Double, _ z: Double) -> Bool {
      max(abs(row.x - x), abs(row.y - y), abs(row.z - z), abs(row.offset)) < 1e-12
    }
    return isUnit(first, 1, 0, 0) && isUnit(second, 0, 1, 0) && isUnit(third, 0, 0, 1)
  }
}
