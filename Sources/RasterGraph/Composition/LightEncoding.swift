package import RasterColor

/// How the signal of a stream stands for light: what pictures of different kinds meet by.
package struct LightEncoding: Hashable, Sendable {
  /// How bright the signal can be.
  package enum DynamicRange: Hashable, Sendable {
    /// Up to reference white, by the transfer function.
    case standard
    /// Rec. ITU-R BT.2100-2, table 4: up to 10,000 cd/m².
    case pq
    /// Rec. ITU-R BT.2100-2, table 5, on a display of 1,000 cd/m².
    case hlg
  }

  package var range: DynamicRange
  /// For the standard range.
  package var transfer: TransferFunction
  /// Whether the primaries are those of BT.2020 instead of BT.709.
  package var isWide: Bool

  package init(
    range: DynamicRange = .standard, transfer: TransferFunction = .bt709, isWide: Bool = false
  ) {
    self.range = range
    self.transfer = transfer
    self.isWide = isWide
  }

  /// What makes a signal of this kind one of another kind, so that reference white is white in both; nothing
  /// where both have the same range: then signals mix as they are, as in other elements. What is brighter than
  /// the other kind can be is cut.
  package func steps(to other: LightEncoding) -> [PointwiseStep] {
    guard range != other.range else { return [] }
    var steps = [toLight]
    if isWide, !other.isWide { steps.append(.matrix(LightEncoding.narrowing)) }
    if !isWide, other.isWide { steps.append(.matrix(LightEncoding.widening)) }
    return steps + [other.fromLight]
  }

  private var toLight: PointwiseStep {
    switch range {
    case .standard: .color(ShaderFunction("Color/ToLight", arguments: transfer.arguments))
    case .pq: .color(ShaderFunction("Color/FromPQ", arguments: []))
    case .hlg: .color(ShaderFunction("Color/FromHLG", arguments: []))
    }
  }

  private var fromLight: PointwiseStep {
    switch range {
    case .standard: .color(ShaderFunction("Color/FromLight", arguments: transfer.arguments))
    case .pq: .color(ShaderFunction("Color/ToPQ", arguments: []))
    case .hlg: .color(ShaderFunction("Color/ToHLG", arguments: []))
    }
  }

  /// From BT.2020's primaries to BT.709's (Rec. ITU-R BT.2407-0, section 2).
  private static let narrowing = AffineMatrix(
    .init(1.6605, -0.5876, -0.0728), .init(-0.1246, 1.1329, -0.0083),
    .init(-0.0182, -0.1006, 1.1187))
  /// From BT.709's primaries to BT.2020's (Rec. ITU-R BT.2087-0, annex 1).
  private static let widening = AffineMatrix(
    .init(0.6274, 0.3293, 0.0433), .init(0.0691, 0.9195, 0.0114), .init(0.0164, 0.0880, 0.8956))
}

extension TransferFunction {
  fileprivate var arguments: [Double] { [threshold, slope, offset, exponent] }
}
