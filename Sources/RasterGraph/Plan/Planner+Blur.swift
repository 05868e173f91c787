internal import RasterColor

/// One walk of a separable filter: runs of pixels along an axis, each the weighted sum of pixels of another
/// picture.
struct ConvolutionStage {
  var axis: SampledKernel.Convolution.Axis
  var advance: Int
  /// The pixel that the first run reads first.
  var first: Int
  var taps: Int
  /// The size of the result.
  var extent: Extent
  /// The weight of a tap in a pixel of the run.
  var weight: (_ tap: Int, _ pixel: Int) -> Double
}

extension Planner {
  /// Pixels of a run.
  static let run = 8
  /// The smallest sigma that is worth a smaller picture, and the factors that it is then made smaller by.
  static let reductions: [(sigma: Double, factor: Int)] = [(16, 8), (8, 4), (2.5, 2)]
  /// The sigma up to which a blur takes two passes where its result is sampled again.
  static let directLimit = 8.0

  /// A blurred image as the convolution that a kernel begins with; all other walks are passes before.
  func blurred(
    _ input: Image, _ blur: Blur, _ builder: KernelBuilder, isSampledAfter: Bool
  ) throws(RasterError) -> Value {
    let stages: [ConvolutionStage]
    switch blur {
    case .box(let width, let height):
      stages = [
        .box(.horizontal, size: width, extent: input.extent),
        .box(.vertical, size: height, extent: input.extent),
      ]
    case .gaussian(let sigma):
      stages = gaussian(sigma, input.extent, isDirect: isSampledAfter && sigma < Self.directLimit)
    }
    var source: ConvolutionSource = .image(input)
    for stage in stages.dropLast() {
      let pass = KernelBuilder(self)
      let value = try convolve(source, stage, in: pass)
      let index = add(.image(stage.extent), value)
      add(pass, .intermediate(index), extent: stage.extent)
      source = .intermediate(index, stage.extent)
    }
    guard let last = stages.last else { throw Planner.broken }
    return try convolve(source, last, in: builder)
  }

  private enum ConvolutionSource {
    case image(Image)
    case intermediate(Int, Extent)
  }

  /// Begins a kernel with a convolution.
  private func convolve(
    _ source: ConvolutionSource, _ stage: ConvolutionStage, in builder: KernelBuilder
  ) throws(RasterError) -> Value {
    let group: (index: Int, value: Value)
    let size: Extent
    switch source {
    case .image(let image):
      group = try builder.group(image, .mean, isTapped: true)
      size = image.extent
    case .intermediate(let index, let extent):
      group = builder.loading(index)
      size = extent
    }
    let isHorizontal = stage.axis == .horizontal
    let taps = isHorizontal ? (stage.taps + 3) / 4 * 4 : stage.taps
    let last = (isHorizontal ? size.width : size.height) - 1
    var numbers: [Float] = [Float(stage.first), Float(taps), Float(last), 0]
    if isHorizontal {
      for four in 0..<(taps / 4) {
        for pixel in 0..<Self.run {
          for tap in (four * 4)..<(four * 4 + 4) { numbers.append(Float(stage.weight(tap, pixel))) }
        }
      }
    } else {
      for tap in 0..<taps {
        for pixel in 0..<Self.run { numbers.append(Float(stage.weight(tap, pixel))) }
      }
    }
    var capacity = 512
    while capacity < numbers.count { capacity *= 2 }
    builder.kernel.convolution = SampledKernel.Convolution(
      axis: stage.axis, run: Self.run, advance: stage.advance, group: group.index,
      hasAlpha: group.value.alpha != .opaque, capacity: capacity)
    builder.convolutionNumbers = numbers
    var value = group.value
    value.statement = builder.root.add(.convolved)
    return value
  }

  /// The walks of a Gaussian: two at full size where sigma is small; else a picture that is made smaller
  /// in both directions, blurred there if that is not enough, and stretched by cubic B-splines. Variances
  /// add up: a B-spline has a third of the square of the factor.
  private func gaussian(_ sigma: Double, _ extent: Extent, isDirect: Bool) -> [ConvolutionStage] {
    guard !isDirect, let reduction = Self.reductions.first(where: { sigma >= $0.sigma }) else {
      return [
        .gaussian(.horizontal, sigma: sigma, extent: extent),
        .gaussian(.vertical, sigma: sigma, extent: extent),
      ]
    }
    let factor = reduction.factor
    let rest = sigma * sigma - Double(factor * factor) / 3
    // All of the rest at once as long as that is few taps; else what makes the smaller picture free of
    // aliases, and what remains on that.
    let own = sigma < 40 ? rest.squareRoot() : 0.75 * Double(factor)
    let margin = (ConvolutionStage.radius(own) + factor - 1) / factor + 2
    let small = Extent(
      width: (extent.width + factor - 1) / factor + 2 * margin,
      height: (extent.height + factor - 1) / factor + 2 * margin)
    let remaining = max(0, rest - own * own).squareRoot() / Double(factor)
    let half = Extent(width: small.width, height: extent.height)
    let tall = Extent(width: small.width, height: extent.height)
    return [
      .reducing(.horizontal, sigma: own, by: factor, margin: margin, extent: half),
      .reducing(.vertical, sigma: own, by: factor, margin: margin, extent: small),
    ] + (sigma < 40 ? [] : gaussian(remaining, small, isDirect: false)) + [
      .stretching(.vertical, by: factor, margin: margin, extent: tall),
      .stretching(.horizontal, by: factor, margin: margin, extent: extent),
    ]
  }
}

extension KernelBuilder {
  /// A group that reads an intermediate result.
  func loading(_ index: Int) -> (index: Int, value: Value) {
    group { planner.load(index, in: $0, of: self) }
  }
}

extension ConvolutionStage {
  /// Pixels on each side that a Gaussian reaches: what lies beyond weighs less than 0.05 %.
  static func radius(_ sigma: Double) -> Int { Int((sigma * 3.5).rounded(.up)) }

  static func gaussian(
    _ axis: SampledKernel.Convolution.Axis, sigma: Double, extent: Extent
  ) -> ConvolutionStage {
    let radius = radius(sigma)
    let weights = normalized((-radius...radius).map { bell(Double($0), sigma) })
    return sliding(axis, weights, extent)
  }

  static func box(
    _ axis: SampledKernel.Convolution.Axis, size: Int, extent: Extent
  ) -> ConvolutionStage {
    sliding(axis, [Double](repeating: 1 / Double(size), count: size), extent)
  }

  /// An odd number of weights around each pixel.
  private static func sliding(
    _ axis: SampledKernel.Convolution.Axis, _ weights: [Double], _ extent: Extent
  ) -> ConvolutionStage {
    ConvolutionStage(
      axis: axis, advance: Planner.run, first: -(weights.count / 2),
      taps: weights.count + Planner.run - 1, extent: extent
    ) { tap, pixel in
      weights.indices.contains(tap - pixel) ? weights[tap - pixel] : 0
    }
  }

  /// Every pixel of the result stands for `factor` of the source, after `margin` that lie before it.
  static func reducing(
    _ axis: SampledKernel.Convolution.Axis, sigma: Double, by factor: Int, margin: Int,
    extent: Extent
  ) -> ConvolutionStage {
    let radius = radius(sigma)
    // Centres lie between pixels, since factors are even.
    let weights = normalized((-radius..<radius).map { bell(Double($0) + 0.5, sigma) })
    let centre = factor / 2 - margin * factor
    return ConvolutionStage(
      axis: axis, advance: Planner.run * factor, first: centre - radius,
      taps: 2 * radius + (Planner.run - 1) * factor, extent: extent
    ) { tap, pixel in
      let index = tap - pixel * factor
      return weights.indices.contains(index) ? weights[index] : 0
    }
  }

  /// The way back, by cubic B-splines.
  static func stretching(
    _ axis: SampledKernel.Convolution.Axis, by factor: Int, margin: Int, extent: Extent
  ) -> ConvolutionStage {
    let first = margin - 2
    return ConvolutionStage(
      axis: axis, advance: Planner.run / factor, first: first, taps: Planner.run / factor + 4,
      extent: extent
    ) { tap, pixel in
      let position = (Double(pixel) + 0.5) / Double(factor) + Double(margin)
      return spline(Double(first + tap) + 0.5 - position)
    }
  }

  private static func bell(_ distance: Double, _ sigma: Double) -> Double {
    Trigonometry.exponential(-distance * distance / (2 * sigma * sigma))
  }

  private static func normalized(_ weights: [Double]) -> [Double] {
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// The cubic B-spline (Schoenberg 1946).
  private static func spline(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return 2.0 / 3 - x * x + x * x * x / 2 }
    let rest = max(0, 2 - x)
    return rest * rest * rest / 6
  }
}
