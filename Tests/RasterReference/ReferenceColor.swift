package import RasterColor

/// A color in double precision: nonlinear R'G'B' with black at 0 and white at 1.
package struct ReferenceColor: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double

  package init(_ red: Double, _ green: Double, _ blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The color of 8-bit limited-range Y'CbCr code values (ITU-R BT.601-7, section 2.5.1; the other
  /// recommendations differ in the weights alone).
  package init(luma: Double, cb: Double, cr: Double, weights: LumaCoefficients) {
    let y = (luma - 16) / 219
    let blueDifference = (cb - 128) / 112 * (1 - weights.blue)
    let redDifference = (cr - 128) / 112 * (1 - weights.red)
    red = y + redDifference
    blue = y + blueDifference
    green = (y - weights.red * red - weights.blue * blue) / (1 - weights.red - weights.blue)
  }

  /// The 8-bit limited-range Y'CbCr code values of the color, not rounded and not cut.
  package func codes(weights: LumaCoefficients) -> (luma: Double, cb: Double, cr: Double) {
    let y =
      weights.red * red + (1 - weights.red - weights.blue) * green + weights.blue * blue
    return (
      16 + 219 * y, 128 + 112 * (blue - y) / (1 - weights.blue),
      128 + 112 * (red - y) / (1 - weights.red)
    )
  }
}
