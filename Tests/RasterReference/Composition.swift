package import RasterGraph

// The twin of compositions: pixel by pixel, from the definitions of Porter and Duff, X Render and W3C.

extension ReferenceImage {
  /// The picture moved and stretched onto a canvas; there is nothing around it.
  ///
  /// - Parameters:
  ///   - position: where its top left corner comes to lie, in pixels of the canvas.
  ///   - scale: pixels of the canvas for one of the picture.
  package func placed(
    at position: (x: Double, y: Double), scale: Double, width: Int, height: Int,
    _ interpolation: Interpolation, _ context: ReferenceContext
  ) -> ReferenceImage {
    let footprint = max(1, 1 / scale)
    let sampler = ReferenceSampler(
      interpolation: interpolation, isTransparent: true, footprint: (footprint, footprint))
    return sampler.picture(of: self, width: width, height: height, context) {
      (($0 - position.x) / scale, ($1 - position.y) / scale)
    }
  }

  /// The picture with an affine map of its colors.
  package func scaledColors(_ factor: Double) -> ReferenceImage {
    var result = mapped { SIMD4($0.x * factor, $0.y * factor, $0.z * factor, $0.w) }
    result.overBlack = []
    return result
  }

  /// Another picture over this one. Both have the same size, and so has the mask.
  package func composed(
    with top: ReferenceImage, _ blending: Blending, mask: ReferenceImage?,
    _ context: ReferenceContext
  ) -> ReferenceImage {
    var result = self
    for index in pixels.indices {
      let (x, y) = (index % width, index / width)
      let isInside = blending.bounds.map {
        ($0.left..<max($0.left, $0.right)).contains(x)
          && ($0.top..<max($0.top, $0.bottom)).contains(y)
      }
      let masked = mask.map { share(of: $0.pixels[index], blending.mask) } ?? 1
      let coverage = blending.operator == .source && isInside == false ? 0 : masked
      let value = composedPixel(
        context.light(pixels[index]), context.light(top.pixels[index]), blending,
        coverage: coverage)
      result.pixels[index] = value
    }
    result = result.fromMeans(context)
    result.markTies { x, y in
      let index = y * width + x
      return !top.ties.isEmpty && top.ties[index]
    }
    return result
  }

  private func share(of pixel: SIMD4<Double>, _ mask: Blending.Mask?) -> Double {
    let luma = min(max(luma601(pixel), 0), 1)
    return switch mask {
    case .luma: luma
    case .inverseLuma: 1 - luma
    case .alpha: pixel.w
    case .inverseAlpha: 1 - pixel.w
    case nil: 1
    }
  }
}

/// A straight source on a straight backdrop, premultiplied.
private func composedPixel(
  _ below: SIMD4<Double>, _ above: SIMD4<Double>, _ blending: Blending, coverage: Double
) -> SIMD4<Double> {
  let mixed = SIMD4(blend(blending.mode, backdrop: below.color, source: above.color), 1)
  // General formula: the color of the source is that of the mode where there is a backdrop.
  let color = above * (1 - below.w) + mixed * below.w
  let alpha = above.w * blending.opacity * coverage
  let source = SIMD4(color.x * alpha, color.y * alpha, color.z * alpha, alpha)
  let factor =
    switch blending.operator {
    case .over: 1 - alpha
    case .source: 1 - coverage
    case .add: below.w > 0 ? min(1, (1 - alpha) / below.w) : 1
    }
  return source + premultiply(below) * factor
}
