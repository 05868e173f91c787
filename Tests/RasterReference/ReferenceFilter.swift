package import RasterColor
package import RasterGraph

/// A filter in double precision, written from its definition: what kernels are compared with.
package protocol ReferenceFilter: PointwiseFilter {
  /// - Parameter weights: the luma weights of the frame.
  func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor
  /// - Parameter alpha: 0…1.
  func reference(alpha: Double) -> Double
}

extension ReferenceFilter {
  package func reference(alpha: Double) -> Double { alpha }
}

extension ColorChain {
  /// The twins of the chain's filters, in the order in which they apply.
  package var twins: [any ReferenceFilter] { [exposure, balance, gamma] }
}
