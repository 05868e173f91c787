package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension GaussianBlur: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    image.blurred(sigma: sigma, context)
  }
}

extension ReferenceImage {
  /// Blurred by a Gaussian that reaches six standard deviations.
  func blurred(sigma: Double, _ context: ReferenceContext) -> ReferenceImage {
    let reach = Int(ceil(6 * sigma)) + 1
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    return smoothed(weights, weights, context)
  }

  /// The mean of the pixels around each, with weights across and down; the edge goes on.
  func smoothed(
    _ across: [Double], _ down: [Double], _ context: ReferenceContext
  ) -> ReferenceImage {
    let source = forMeans(context)
    func mean(_ weights: [Double], _ read: (Int) -> SIMD4<Double>) -> SIMD4<Double> {
      var sum = SIMD4<Double>(repeating: 0)
      for (index, weight) in weights.enumerated() {
        sum += weight * read(index - weights.count / 2)
      }
      return sum / weights.reduce(0, +)
    }
    let half = ReferenceImage(width: width, height: height) { x, y in
      mean(across) { source[clamped: x + $0, y] }
    }
    let full = ReferenceImage(width: width, height: height) { x, y in
      mean(down) { half[clamped: x, y + $0] }
    }
    return full.fromMeans(context)
  }
}
