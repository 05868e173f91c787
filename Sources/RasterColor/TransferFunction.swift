/// How a signal follows light: linear near black, a power above.
///
/// Light is `signal / slope` up to `threshold` and `((signal + offset) / (1 + offset)) ^ exponent` above.
package struct TransferFunction: Hashable, Sendable {
  /// The signal up to which it is linear.
  package let threshold: Double
  package let slope: Double
  package let offset: Double
  package let exponent: Double

  package init(threshold: Double, slope: Double, offset: Double, exponent: Double) {
    self.threshold = threshold
    self.slope = slope
    self.offset = offset
    self.exponent = exponent
  }

  /// IEC 61966-2-1, sections 5.2 and 5.3.
  package static let srgb = TransferFunction(
    threshold: 0.04045, slope: 12.92, offset: 0.055, exponent: 2.4)
  /// ITU-R BT.709-6, item 1.2, inverted; BT.601 and BT.2020 for 8 and 10 bits have the same.
  package static let bt709 = TransferFunction(
    threshold: 0.081, slope: 4.5, offset: 0.099, exponent: 1 / 0.45)
  /// A plain power, as analog systems have it.
  package static func gamma(_ exponent: Double) -> TransferFunction {
    TransferFunction(threshold: 0, slope: 1, offset: 0, exponent: exponent)
  }
  /// Signal and light are the same.
  package static let linear = gamma(1)
}
