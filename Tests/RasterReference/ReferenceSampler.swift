internal import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

/// How a twin finds values between pixel centres.
struct ReferenceSampler {
  var interpolation: Interpolation
  /// Whether there is nothing beyond the edges, instead of the edge.
  var isTransparent = false
  /// Pixels of the input that one of the result covers, at least 1: kernels are as much wider.
  var footprint = (x: 1.0, y: 1.0)

  /// A picture of positions in another; `map` gives nil where nothing is to be seen.
  func picture(
    of input: ReferenceImage, width: Int, height: Int, _ context: ReferenceContext,
    _ map: (_ x: Double, _ y: Double) -> (x: Double, y: Double)?
  ) -> ReferenceImage {
    let isMean = interpolation != .nearest || isTransparent
    let source = isMean ? input.forMeans(context) : input
    var places: [(x: Double, y: Double)?] = []
    let result = ReferenceImage(width: width, height: height) { x, y in
      let place = map(Double(x) + 0.5, Double(y) + 0.5)
      places.append(place)
      return place.map { value(source, $0.x, $0.y) } ?? SIMD4(repeating: 0)
    }
    var output = isMean ? result.fromMeans(context) : result
    if interpolation == .nearest {
      // Between two pixels, rounding decides which is the nearest.
      output.markTies { x, y in
        guard let place = places[y * width + x] else { return false }
        return [place.x, place.y].contains { abs($0 - $0.rounded()) < 1e-4 }
      }
    }
    return output
  }

  private func value(_ source: ReferenceImage, _ u: Double, _ v: Double) -> SIMD4<Double> {
    func read(_ x: Int, _ y: Int) -> SIMD4<Double> {
      let isInside = (0..<source.width).contains(x) && (0..<source.height).contains(y)
      return isTransparent && !isInside ? SIMD4(repeating: 0) : source[clamped: x, y]
    }
    guard interpolation != .nearest else { return read(Int(floor(u)), Int(floor(v))) }
    let reach = Double(support)
    let columns = Int(floor(u - reach * footprint.x)) - 1...Int(ceil(u + reach * footprint.x)) + 1
    let rows = Int(floor(v - reach * footprint.y)) - 1...Int(ceil(v + reach * footprint.y)) + 1
    var (sum, total) = (SIMD4<Double>(repeating: 0), 0.0)
    for y in rows {
      let down = weight((Double(y) + 0.5 - v) / footprint.y)
      guard down != 0 else { continue }
      for x in columns {
        let weight = down * weight((Double(x) + 0.5 - u) / footprint.x)
        guard weight != 0 else { continue }
        sum += weight * read(x, y)
        total += weight
      }
    }
    return sum / total
  }

  private var support: Int {
    switch interpolation {
    case .nearest: 0
    case .bilinear: 1
    case .bicubic: 2
    case .lanczos: 3
    }
  }

  /// The weight of a pixel at a distance.
  private func weight(_ distance: Double) -> Double {
    let d = abs(distance)
    switch interpolation {
    case .nearest: return 0
    case .bilinear: return max(0, 1 - d)
    case .bicubic:
      // Keys 1981, equation 8, with a = -0.5.
      let a = -0.5
      if d <= 1 { return (a + 2) * d * d * d - (a + 3) * d * d + 1 }
      if d < 2 { return a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a }
      return 0
    case .lanczos:
      if d < 1e-9 { return 1 }
      return d < 3 ? sinc(d) * sinc(d / 3) : 0
    }
  }

  private func sinc(_ x: Double) -> Double { sin(.pi * x) / (.pi * x) }
}

extension ReferenceImage {
  /// The picture stretched to a size.
  func stretched(
    to size: (width: Int, height: Int), _ interpolation: Interpolation, _ context: ReferenceContext
  ) -> ReferenceImage {
    guard size != (width, height) else { return self }
    let factor = (x: Double(width) / Double(size.width), y: Double(height) / Double(size.height))
    let sampler = ReferenceSampler(
      interpolation: interpolation, footprint: (max(1, factor.x), max(1, factor.y)))
    return sampler.picture(of: self, width: size.width, height: size.height, context) {
      ($0 * factor.x, $1 * factor.y)
    }
  }
}
