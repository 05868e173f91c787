/// Where one plane of a frame lies in the range of memory that is bound for it.
package struct PlaneGeometry: Hashable, Sendable {
  /// Bytes from the start of the range to the first sample of row 0.
  package let offset: Int
  /// Bytes from a row to the next; negative where rows are stored bottom up.
  package let stride: Int
  /// Bytes of the range. More than the plane needs, where memory goes on behind it.
  package let available: Int

  package init(offset: Int, stride: Int, available: Int) {
    self.offset = offset
    self.stride = stride
    self.available = available
  }
}

/// How a kernel reads a plane.
package enum SourceAccess: Hashable, Sendable {
  /// Loads of this many bytes, to which every row is aligned.
  case vectors(bytes: Int)
  /// Loads of 32-bit words that are shifted into place: rows start at any byte.
  case unaligned
}

/// How a kernel writes a plane.
package struct DestinationAccess: Hashable, Sendable {
  /// Bytes of a store, to which every row is aligned.
  package let bytes: Int
  /// Whether blocks reach beyond the end of a row, so that each store has to be checked.
  package let isGuarded: Bool
}

extension SourceAccess {
  /// The widest access that the geometry of a plane allows.
  ///
  /// - Parameters:
  ///   - needed: bytes of the range up to the last sample.
  ///   - widest: bytes of the widest vector to choose: 4, 8, 16 or 32.
  package init(_ plane: PlaneGeometry, needed: Int, widest: Int) {
    var bytes = widest
    while bytes >= 4 {
      let whole = (needed + bytes - 1) / bytes * bytes
      if plane.offset % bytes == 0, plane.stride % bytes == 0, whole <= plane.available {
        self = .vectors(bytes: bytes)
        return
      }
      bytes /= 2
    }
    self = .unaligned
  }

  /// Bytes that a row's share of a block has to be a multiple of.
  var granularity: Int {
    switch self {
    case .vectors(let bytes): bytes
    case .unaligned: 4
    }
  }
}
