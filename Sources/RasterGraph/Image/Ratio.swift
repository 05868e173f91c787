/// A positive fraction in lowest terms.
package struct Ratio: Hashable, Sendable {
  package let numerator: Int
  package let denominator: Int

  /// Parts beyond 32 bits are rounded; those below 1 become 1.
  package init(_ numerator: Int, _ denominator: Int) {
    var (n, d) = (max(numerator, 1), max(denominator, 1))
    var (a, b) = (n, d)
    while b != 0 { (a, b) = (b, a % b) }
    n /= a
    d /= a
    while max(n, d) > Int(Int32.max) {
      n = max(1, n / 2)
      d = max(1, d / 2)
    }
    self.numerator = n
    self.denominator = d
  }

  package static let one = Ratio(1, 1)
  package var inverted: Ratio { Ratio(denominator, numerator) }

  /// The product with `numerator / denominator`.
  package func times(_ numerator: Int, _ denominator: Int) -> Ratio {
    let (n, over) = self.numerator.multipliedReportingOverflow(by: numerator)
    let (d, beyond) = self.denominator.multipliedReportingOverflow(by: denominator)
    return over || beyond ? self : Ratio(n, d)
  }
}
