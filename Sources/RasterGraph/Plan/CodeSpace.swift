internal import RasterColor

/// The code values of a destination: what layers are composed of where that is the same as composing R'G'B'.
///
/// Blending with the mode `normal` is linear in premultiplied colors and alpha, and so is an affine map of colors
/// whose offset is multiplied by alpha: they may change places.
struct CodeSpace {
  /// From R'G'B' to code values.
  let encoding: AffineMatrix
  let decoding: AffineMatrix
  /// Whether black has the code 0 in all channels, so that nothing is to be added to premultiplied codes over black.
  let hasZeroBlack: Bool
  /// The largest code.
  let largest: Double

  init(_ destination: FrameDescription) {
    encoding = destination.encoding.encodingSamples(depth: destination.layout.depth)
    decoding = destination.encoding.decodingSamples(depth: destination.layout.depth)
    largest = Double((1 << destination.layout.depth) - 1)
    let black = encoding(0, 0, 0)
    hasZeroBlack = max(abs(black.0), abs(black.1), abs(black.2)) < Value.dust
  }
}

extension Value {
  /// What rounding leaves of coefficients in units of code values.
  static let dust = 1e-9

  /// The shape of what is pending; nil where that changes nothing.
  ///
  /// Shapes are part of the kernel, so where filters may animate the numbers the full one is taken.
  var shape: SampledKernel.MatrixShape? {
    if pending.isIdentity { return nil }
    if isFiltered { return .full }
    let rows = [pending.first, pending.second, pending.third]
    let mixed = [rows[0].y, rows[0].z, rows[1].x, rows[1].z, rows[2].x, rows[2].y]
    guard mixed.allSatisfy({ abs($0) < Value.dust }) else { return .full }
    let factors = [rows[0].x, rows[1].y, rows[2].z]
    guard factors.allSatisfy({ abs($0 - 1) < Value.dust }) else { return .separate }
    return rows.allSatisfy { abs($0.offset) < Value.dust } ? nil : .shift
  }
}

extension SampledKernel.MatrixShape {
  /// The coefficients of a matrix that a kernel takes.
  func numbers(of matrix: AffineMatrix) -> [Double] {
    let rows = [matrix.first, matrix.second, matrix.third]
    switch self {
    case .full: return rows.flatMap { [$0.x, $0.y, $0.z, $0.offset] }
    case .separate:
      return zip(rows, [rows[0].x, rows[1].y, rows[2].z]).flatMap { [$1, $0.offset] }
    case .shift: return rows.map(\.offset)
    }
  }
}

extension KernelBuilder {
  /// A value as layers are blended: in the space of the composition, nothing pending, and premultiplied unless it may
  /// stay straight.
  func composable(
    _ value: Value, _ isEncoded: Bool, keepsStraight: Bool, in group: GroupBuilder
  ) -> Value {
    var result = converted(value, forMeansIn: group, keepsStraight: keepsStraight)
    if isEncoded, let codes {
      result.pending = result.pending.then(codes.encoding)
      result.isEncoded = true
    }
    return flushed(result, in: group)
  }

  /// A value that leads to R'G'B' or light again.
  func decoded(_ value: Value) -> Value {
    guard value.isEncoded, let codes else { return value }
    var result = value
    result.pending = value.pending.then(codes.decoding)
    result.isEncoded = false
    return result
  }
}
