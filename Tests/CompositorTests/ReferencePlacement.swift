import CGstCheck
import RasterReference

/// Where a picture lies in the output, in pixels.
struct PadRectangle: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var columns: Range<Int> { x..<x + width }
  var rows: Range<Int> { y..<y + height }
}

extension PadRectangle {
  /// Where the properties of a pad of GStreamer's compositor put a picture.
  ///
  /// - Parameters:
  ///   - info: of the pad.
  ///   - output: of the output.
  init(_ pad: PadSettings, showing info: GstVideoInfo, in output: GstVideoInfo) {
    let size = (
      width: pad.width > 0 ? pad.width : Int(info.width),
      height: pad.height > 0 ? pad.height : Int(info.height)
    )
    let shape = Ratio(Int(info.par_n) * Int(output.par_d), Int(info.par_d) * Int(output.par_n))
    (x, y, width, height) = (pad.x, pad.y, size.width, size.height)
    if pad.keepsAspectRatio {
      let whole = Ratio(Int(info.width) * shape.over, Int(info.height) * shape.under)
      if whole.over * size.height > size.width * whole.under {
        height = size.width * whole.under / whole.over
      } else {
        width = size.height * whole.over / whole.under
      }
      x += (size.width - width) / 2
      y += (size.height - height) / 2
    } else {
      // One side stays, the height where both could.
      let display = Ratio(size.width * shape.over, size.height * shape.under)
      if size.height % display.over != 0, size.width % display.under == 0 {
        height = size.width * display.under / display.over
      } else {
        width = size.height * display.over / display.under
      }
    }
  }
}

/// A fraction in its lowest terms.
private struct Ratio {
  let over: Int
  let under: Int

  init(_ over: Int, _ under: Int) {
    var (a, b) = (over, under)
    while b != 0 { (a, b) = (b, a % b) }
    (self.over, self.under) = (over / a, under / a)
  }
}

extension ReferenceImage {
  /// The picture stretched to a size; beyond its edges it goes on as at them.
  func resampled(
    to size: (width: Int, height: Int), _ kernel: CompositionRules.Kernel
  ) -> ReferenceImage {
    guard size != (width, height) else { return self }
    let (across, down) = (
      taps(from: width, to: size.width, kernel), taps(from: height, to: size.height, kernel)
    )
    let wide = ReferenceImage(width: size.width, height: height) { x, y in
      across[x].reduce(SIMD4(repeating: 0)) { $0 + $1.weight * self[clamped: $1.index, y] }
    }
    return ReferenceImage(width: size.width, height: size.height) { x, y in
      down[y].reduce(SIMD4(repeating: 0)) { $0 + $1.weight * wide[clamped: x, $1.index] }
    }
  }
}

/// The pixels, and how much each counts, that a pixel is a mean of along one direction. Where several become one, the
/// kernel is as much wider.
private func taps(
  from source: Int, to target: Int, _ kernel: CompositionRules.Kernel
) -> [[(index: Int, weight: Double)]] {
  let step = Double(source) / Double(target)
  let footprint = max(1, step)
  return (0..<target).map { pixel in
    let center = (Double(pixel) + 0.5) * step
    let reach = Int((2 * footprint).rounded(.up)) + 1
    let indices = Int(center) - reach...Int(center) + reach
    let weights = indices.map { weight(kernel, abs(Double($0) + 0.5 - center) / footprint) }
    let sum = weights.reduce(0, +)
    return zip(indices, weights).filter { $0.1 != 0 }.map { ($0, $1 / sum) }
  }
}

private func weight(_ kernel: CompositionRules.Kernel, _ distance: Double) -> Double {
  switch kernel {
  case .bilinear: return max(0, 1 - distance)
  case .mitchell:
    // Mitchell and Netravali 1988, equation 8, with B = C = 1/3.
    let (square, cube) = (distance * distance, distance * distance * distance)
    if distance < 1 { return (7 * cube - 12 * square + 16.0 / 3) / 6 }
    if distance < 2 {
      return (-7.0 / 3 * cube + 12 * square - 20 * distance + 32.0 / 3) / 6
    }
    return 0
  }
}
