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
  package var filters: [any Filter] { [exposure, balance, gamma] }
}
