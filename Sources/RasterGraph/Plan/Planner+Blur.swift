internal import RasterColor

/// One walk of a separable filter: runs of pixels along an axis, each the weighted sum of pixels of another
/// picture.
struct ConvolutionStage {
  var axis: SampledKernel.Convolution.Axis
  var first: Int
  var advance: Int
  var pixels: [SampledKernel.Convolution.Pixel]
  var weights: [Double]
  /// Set for the mean of that many pixels.
  var boxSize: Int?
  /// The size of the result.
  var extent: Extent
  /// Taps of a run; a box reads them in a loop.
  var tapCount: Int { pixels.map { $0.firstTap + $0.count }.max() ?? 0 }
}

extension Planner {
  /// The smallest sigma that is worth a smaller picture, and the factors that it is then made smaller by.
  static let reductions: [(sigma: Double, factor: Int)] = [(16, 8), (8, 4), (2.5, 2)]
  /// The sigma up to which a blur takes two passes where its result is sampled again.
  static let directLimit = 8.0
  /// The taps up to which heavy pointwise steps are repeated for each. Taps are straight code: a table of
  /// colors at a hundred of them takes lavapipe minutes to compile, and ends in a crash.
  static let heavyTapLimit = 48

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
    if case .pointwise(let steps) = input.operation, steps.isHeavy,
      stages.first.map({ $0.tapCount > Self.heavyTapLimit }) ?? false
    {
      // The kernel finds the result where it looks for the image.
      _ = try compute(input, isTapped: false)
    }
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
    let length = stage.axis == .horizontal ? size.width : size.height
    builder.kernel.convolution = SampledKernel.Convolution(
      axis: stage.axis, first: stage.first, advance: stage.advance, pixels: stage.pixels,
      isBox: stage.boxSize != nil, group: group.index, hasAlpha: group.value.alpha != .opaque)
    builder.convolutionNumbers =
      [Float(length - 1)] + stage.weights.map { Float($0) }
      + (stage.boxSize.map { [Float($0), Float(-($0 / 2))] } ?? [])
    var value = group.value
    value.paint = nil
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
    // All of the rest at once where that is few taps; else what keeps the smaller picture free of aliases,
    // and what remains on that.
    let isWhole = factor == 2 && sigma < 3
    let own = isWhole ? rest.squareRoot() : 0.75 * Double(factor)
    let margin = (ConvolutionStage.radius(own) + factor - 1) / factor + 2
    let small = Extent(
      width: (extent.width + factor - 1) / factor + 2 * margin,
      height: (extent.height + factor - 1) / factor + 2 * margin)
    let narrow = Extent(width: small.width, height: extent.height)
    let remaining = max(0, rest - own * own).squareRoot() / Double(factor)
    return [
      .reducing(.horizontal, sigma: own, by: factor, margin: margin, extent: narrow),
      .reducing(.vertical, sigma: own, by: factor, margin: margin, extent: small),
    ] + (isWhole ? [] : gaussian(remaining, small, isDirect: false)) + [
      .stretching(.vertical, by: factor, margin: margin, extent: narrow),
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
  private static let run = SampledKernel.Convolution.run

  /// Pixels on each side that a Gaussian reaches: what lies beyond weighs less than 0.05 %. A multiple of
  /// four, so that a changed sigma seldom changes the kernel.
  static func radius(_ sigma: Double) -> Int { Int((sigma * 3.5 / 4).rounded(.up)) * 4 }

  static func gaussian(
    _ axis: SampledKernel.Convolution.Axis, sigma: Double, extent: Extent
  ) -> ConvolutionStage {
    let radius = radius(sigma)
    let weights = normalized((-radius...radius).map { bell(Double($0), sigma) })
    return sliding(axis, weights, step: 1, first: -radius, extent)
  }

  /// The mean of an odd number of pixels.
  static func box(
    _ axis: SampledKernel.Convolution.Axis, size: Int, extent: Extent
  ) -> ConvolutionStage {
    guard size > 2 * run else {
      let weights = [Double](repeating: 1 / Double(size), count: size)
      return sliding(axis, weights, step: 1, first: -(size / 2), extent)
    }
    return ConvolutionStage(
      axis: axis, first: 0, advance: run, pixels: [], weights: [1 / Double(size)], boxSize: size,
      extent: extent)
  }

  /// The same weights for each pixel, whose taps begin `step` after those of the one before.
  private static func sliding(
    _ axis: SampledKernel.Convolution.Axis, _ weights: [Double], step: Int, first: Int,
    _ extent: Extent
  ) -> ConvolutionStage {
    ConvolutionStage(
      axis: axis, first: first, advance: run * step,
      pixels: (0..<run).map {
        SampledKernel.Convolution.Pixel(
          firstTap: $0 * step, count: weights.count, firstWeight: 0)
      }, weights: weights, extent: extent)
  }

  /// Every pixel of the result stands for `factor` of the source, after `margin` that lie before it.
  static func reducing(
    _ axis: SampledKernel.Convolution.Axis, sigma: Double, by factor: Int, margin: Int,
    extent: Extent
  ) -> ConvolutionStage {
    let radius = radius(sigma)
    // Centres lie between pixels, since factors are even.
    let weights = normalized((-radius..<radius).map { bell(Double($0) + 0.5, sigma) })
    return sliding(
      axis, weights, step: factor, first: factor / 2 - margin * factor - radius, extent)
  }

  /// The way back, by cubic B-splines.
  static func stretching(
    _ axis: SampledKernel.Convolution.Axis, by factor: Int, margin: Int, extent: Extent
  ) -> ConvolutionStage {
    let first = margin - 2
    var pixels: [SampledKernel.Convolution.Pixel] = []
    var weights: [Double] = []
    for pixel in 0..<run {
      // From the run's first tap.
      let position = (Double(pixel) + 0.5) / Double(factor) + 2
      let tap = Int((position - 1.5).rounded(.up)) - 1
      if pixel < factor {
        weights += (0..<4).map { spline(Double(tap + $0) + 0.5 - position) }
      }
      pixels.append(
        SampledKernel.Convolution.Pixel(
          firstTap: tap, count: 4, firstWeight: pixel % factor * 4))
    }
    return ConvolutionStage(
      axis: axis, first: first, advance: run / factor, pixels: pixels, weights: weights,
      extent: extent)
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
