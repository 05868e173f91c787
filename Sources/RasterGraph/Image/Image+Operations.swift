package import RasterColor

/// How images are made of others. What changes nothing returns the image itself.
extension Image {
  /// Pointwise steps on straight R'G'B'; steps on steps become one chain.
  package func mapped(_ steps: [PointwiseStep]) -> Image {
    guard !steps.isEmpty else { return self }
    let staysOpaque = steps.allSatisfy { step in
      if case .opacity(let factor) = step { factor == 1 } else { true }
    }
    // An input with other readers is computed for them anyway; a chain does not repeat it in vain, since
    // pointwise steps cost little beside the memory that they would save.
    if case .pointwise(let first) = operation, let input = inputs.first {
      return Image(
        .pointwise(first + steps), [input], extent: extent, isOpaque: isOpaque && staysOpaque)
    }
    return Image(.pointwise(steps), [self], extent: extent, isOpaque: isOpaque && staysOpaque)
  }

  /// The image through a map of the plane; maps on affine maps become one.
  ///
  /// - Parameters:
  ///   - map: from positions of the result to positions of this image.
  ///   - extent: the size of the result.
  ///   - folds: whether this map and one before it may become one, which makes one mean of two, and edges
  ///     that are as soft as the mean is wide.
  package func resampled(
    _ map: Homography, to extent: Extent, _ interpolation: Interpolation, edge: EdgeMode = .clamp,
    window: Resampling.Window? = nil, pixelAspect: Ratio? = nil, folds: Bool = true
  ) -> Image {
    let aspect = pixelAspect ?? self.pixelAspect
    let own = Resampling(
      map: map, interpolation: interpolation, edge: edge,
      window: window ?? Resampling.Window(self.extent))
    if folds, case .resampled(let inner) = operation, let input = inputs.first,
      let folded = own.folded(onto: inner)
    {
      return Image.resampling(input, folded, to: extent, aspect)
    }
    return Image.resampling(self, own, to: extent, aspect)
  }

  private static func resampling(
    _ input: Image, _ resampling: Resampling, to extent: Extent, _ aspect: Ratio
  ) -> Image {
    let isWhole = resampling.window == Resampling.Window(input.extent)
    if resampling.map == .identity, extent == input.extent, isWhole { return input }
    return Image(
      .resampled(resampling), [input], extent: extent,
      isOpaque: input.isOpaque && resampling.edge == .clamp, pixelAspect: aspect)
  }

  /// The image stretched to a size; its pixels change their aspect so that what is shown does not.
  package func scaled(to extent: Extent, _ interpolation: Interpolation) -> Image {
    guard extent != self.extent else { return self }
    return resampled(
      .scaling(
        Double(self.extent.width) / Double(extent.width),
        Double(self.extent.height) / Double(extent.height)), to: extent, interpolation,
      pixelAspect: pixelAspect.times(
        self.extent.width * extent.height, self.extent.height * extent.width))
  }

  /// A rectangle of the image, in whole pixels that lie within it.
  package func cropped(left: Int, top: Int, to extent: Extent) -> Image {
    resampled(
      .translation(Double(left), Double(top)), to: extent, .nearest,
      window: Resampling.Window(
        left: left, top: top, right: left + extent.width - 1, bottom: top + extent.height - 1))
  }

  /// The image through a function of the position.
  package func warped(
    _ function: ShaderFunction, _ interpolation: Interpolation, edge: EdgeMode = .clamp
  ) -> Image {
    Image(
      .warped(function, interpolation, edge), [self], extent: extent,
      isOpaque: isOpaque && edge == .clamp)
  }

  /// The image through a function that reads around each position.
  package func neighborhood(_ function: ShaderFunction) -> Image {
    Image(.neighborhood(function), [self], extent: extent, isOpaque: isOpaque)
  }

  /// A function of two images of one size.
  package func combined(with second: Image, _ function: ShaderFunction) -> Image {
    let fitting = second.scaled(to: extent, .bilinear)
    return Image(.combined(function), [self, fitting], extent: extent, isOpaque: isOpaque)
  }

  /// Another image, stretched to the size of this one, blended over it.
  ///
  /// What has bounds stays part of the graph even where it is not seen, so that an animated opacity makes no new
  /// kernel.
  package func blended(with top: Image, _ blending: Blending, mask: Image? = nil) -> Image {
    let isBounded = blending.bounds != nil || blending.opaqueBounds != nil
    let keeps = blending.operator == .source || isBounded
    guard blending.opacity > 0 || keeps else { return self }
    let fitting = top.scaled(to: extent, .bilinear)
    var inputs = [self, fitting]
    if let mask { inputs.append(mask.scaled(to: extent, .bilinear)) }
    let hides = blending.mode == .normal && blending.opacity == 1 && mask == nil && !isBounded
    if hides, fitting.isOpaque { return fitting }
    let replaces = blending.operator == .source
    return Image(
      .blended(blending), inputs, extent: extent,
      isOpaque: isOpaque && (!replaces || (fitting.isOpaque && blending.opacity == 1)))
  }

  package func blurred(_ blur: Blur) -> Image {
    Image(.blurred(blur), [self], extent: extent, isOpaque: isOpaque)
  }

  package func equalized(_ equalization: Equalization) -> Image {
    Image(.equalized(equalization), [self], extent: extent, isOpaque: isOpaque)
  }
}

extension Resampling {
  /// This map after another one, as one; nil where two are needed.
  func folded(onto inner: Resampling) -> Resampling? {
    guard map.isAffine || inner.map.isAffine else { return nil }
    let isExact = map.isPixelExact
    // A perspective map has no one footprint, so nothing that shrinks may follow it.
    guard inner.map.isAffine || isExact else { return nil }
    guard let window = window(within: inner) else { return nil }
    let better =
      interpolation.radius > inner.interpolation.radius ? interpolation : inner.interpolation
    return Resampling(
      map: map.then(inner.map),
      interpolation: isExact
        ? inner.interpolation : (inner.map.isPixelExact ? interpolation : better),
      edge: edge == .transparent || inner.edge == .transparent ? .transparent : .clamp,
      window: window)
  }

  /// The window in pixels of the inner map's input; nil where two maps are needed.
  private func window(within inner: Resampling) -> Window? {
    guard inner.map.isPixelExact else {
      // What the inner map repeats beyond its edge would become transparent.
      let losesEdge = edge == .transparent && inner.edge == .clamp && !inner.map.isAxisAligned
      return losesEdge ? nil : inner.window
    }
    let first = inner.map(Double(window.left) + 0.5, Double(window.top) + 0.5)
    let last = inner.map(Double(window.right) + 0.5, Double(window.bottom) + 0.5)
    func pixel(_ position: Double) -> Int? { Int(exactly: position.rounded(.down)) }
    guard let x0 = pixel(first.x), let x1 = pixel(last.x), let y0 = pixel(first.y),
      let y1 = pixel(last.y)
    else { return nil }
    let common = Window(
      left: max(inner.window.left, min(x0, x1)), top: max(inner.window.top, min(y0, y1)),
      right: min(inner.window.right, max(x0, x1)), bottom: min(inner.window.bottom, max(y0, y1)))
    // No pixel could stand for what lies beyond the edge.
    return common.left <= common.right && common.top <= common.bottom ? common : nil
  }
}
