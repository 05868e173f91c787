package import RasterColor

/// The color filters that `rasterfilter` has as properties, in the order in which they apply.
package struct ColorChain: Hashable, Sendable {
  package var exposure = Exposure()
  package var balance = VideoBalance()
  package var gamma = Gamma()

  package init() {}

  /// Whether no pixel changes.
  package var isIdentity: Bool {
    exposure.isIdentity && balance.isIdentity && gamma.isIdentity
  }

  /// The filters in the order in which they apply.
  package var filters: [any PointwiseFilter] { [exposure, balance, gamma] }

  /// What happens to a pixel; filters that change nothing are left out.
  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    filters.filter { !$0.isIdentity }.flatMap { $0.steps(luma: luma) }
  }
}
