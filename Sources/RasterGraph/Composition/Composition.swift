package import RasterColor

/// Pictures over each other on a canvas: what one output frame is made of.
package struct Composition: Sendable {
  package var canvas: Canvas
  /// What the frames are that layers read.
  package var sources: [FrameDescription]
  /// From the lowest to the highest.
  package var layers: [Layer]
  /// What is done to the whole.
  package var filters: [any Filter]
  /// Whether a width or height of 0 means that of the picture.
  package var zeroIsUnscaled: Bool

  package init(
    canvas: Canvas, sources: [FrameDescription], layers: [Layer], filters: [any Filter] = [],
    zeroIsUnscaled: Bool = true
  ) {
    self.canvas = canvas
    self.sources = sources
    self.layers = layers
    self.filters = filters
    self.zeroIsUnscaled = zeroIsUnscaled
  }

  /// The whole as an image.
  ///
  /// - Parameters:
  ///   - luma: the luma weights of the output.
  ///   - time: of the frame, in seconds.
  package func image(luma: LumaCoefficients, time: Double) -> Image {
    var result = canvas.image
    var isLowest = canvas.background == .blur
    for layer in layers {
      guard sources.indices.contains(layer.frame),
        let picture = layer.picture(
          of: sources[layer.frame], number: layer.frame, time: time),
        let placement = layer.placement(
          of: picture, sources[layer.frame], on: canvas, zeroIsUnscaled: zeroIsUnscaled)
      else { continue }
      if isLowest { result = blurred(picture) }
      isLowest = false
      result = drawn(layer, picture, placement, over: result)
    }
    let context = FilterContext(luma: luma, time: time)
    return filters.reduce(result) { $1.isIdentity ? $0 : $1.output($0, in: context) }
  }

  /// A picture that fills the canvas and is so soft that only its colors are left.
  private func blurred(_ picture: Image) -> Image {
    var settings = LayerSettings()
    (settings.width, settings.height) = (canvas.extent.width, canvas.extent.height)
    settings.sizing = .cover
    guard
      let placement = LayerPlacement(
        settings, of: picture, on: canvas, zeroIsUnscaled: true)
    else { return canvas.image }
    let filled = placement.seen(of: picture).scaled(to: canvas.extent, .bilinear)
    let sigma = Double(max(canvas.extent.width, canvas.extent.height)) / 48
    let soft = filled.blurred(.gaussian(sigma: max(0.5, sigma)))
    return canvas.image.blended(with: soft, Blending(mode: .normal, opacity: 1))
  }
}

// MARK: - One layer

extension Composition {
  private func drawn(
    _ layer: Layer, _ picture: Image, _ placement: LayerPlacement, over canvas: Image
  ) -> Image {
    let settings = layer.settings
    let own = placement.seen(of: picture).mapped(settings.tintSteps)
    var result = canvas
    if settings.shadow.color.value >> 24 > 0, settings.opacity > 0 {
      result = shadowed(layer, placement, over: canvas)
    }
    var blending = Blending(
      mode: settings.mode, opacity: max(0, min(1, settings.opacity)),
      operator: settings.operator, bounds: placement.bounds)
    guard !layer.isPlain(placement) else {
      // Animated opacity changes numbers, and no kernel.
      blending.opaqueBounds =
        layer.hidesWhereOpaque(picture, placement)
        ? (settings.opacity >= 1 ? placement.rectangle : .empty) : nil
      return result.blended(with: plain(own, placement, settings), blending)
    }
    blending.mask = .alpha
    return result.blended(
      with: content(own, placement, settings), blending, mask: mask(layer, placement))
  }

  /// The picture in its rectangle of whole pixels, with nothing beyond.
  private func plain(
    _ picture: Image, _ placement: LayerPlacement, _ settings: LayerSettings
  ) -> Image {
    let box = placement.rectangle
    let scaled = picture.scaled(to: placement.extent, settings.interpolation)
    // As one map the edges would become soft, and bleed beyond the rectangle.
    return scaled.resampled(
      .translation(Double(-box.left), Double(-box.top)), to: canvas.extent, .nearest,
      edge: .transparent, folds: scaled == picture)
  }

  /// The picture wherever it is put; beyond its rectangle, its edges go on.
  private func content(
    _ picture: Image, _ placement: LayerPlacement, _ settings: LayerSettings
  ) -> Image {
    let extent = placement.extent
    let scaling = Homography.scaling(
      Double(picture.extent.width) / Double(extent.width),
      Double(picture.extent.height) / Double(extent.height))
    let placed = picture.resampled(
      placement.rectangleMap.then(scaling), to: canvas.extent, settings.interpolation)
    guard settings.borderWidth > 0 else { return placed }
    let border = Coverage(settings, placement).border(settings.borderWidth, settings.borderColor)
    let ring = Image(generator: border, extent: canvas.extent, isOpaque: false)
    return placed.blended(with: ring, Blending(mode: .normal, opacity: 1))
  }

  /// What of the layer is seen, as alpha.
  private func mask(_ layer: Layer, _ placement: LayerPlacement) -> Image {
    let settings = layer.settings
    let shape = Image(
      generator: Coverage(settings, placement).shape, extent: canvas.extent, isOpaque: false)
    let user: Image
    switch layer.mask {
    case nil: return shape
    case .still(let still): user = Image(still)
    case .frame(let index, let orientation):
      guard sources.indices.contains(index) else { return shape }
      user = sources[index].image(index).oriented(orientation)
    }
    let fitting = content(user, placement, LayerSettings())
    return fitting.combined(
      with: shape,
      ShaderFunction(
        "Composite/MaskProduct",
        arguments: [settings.mask.isByAlpha ? 1 : 0, settings.mask.isInverted ? 1 : 0]))
  }

  private func shadowed(
    _ layer: Layer, _ placement: LayerPlacement, over canvas: Image
  ) -> Image {
    let (settings, extent) = (layer.settings, placement.extent)
    let shadow = settings.shadow
    let sigma = max(0.25, shadow.radius)
    let function = Coverage(settings, placement).shadow(shadow, sigma: sigma)
    let reach = Homography.translation(shadow.x, shadow.y)
    let placed = placement.rectangleMap.inverse ?? .identity
    let bounds = Bounds(
      covering: Homography.translation(-3 * sigma, -3 * sigma).then(placed).then(reach),
      width: Double(extent.width) + 6 * sigma, height: Double(extent.height) + 6 * sigma, margin: 1)
    return canvas.blended(
      with: Image(generator: function, extent: canvas.extent, isOpaque: false),
      Blending(mode: .normal, opacity: min(1, settings.opacity), bounds: bounds))
  }
}

extension LayerPlacement {
  /// From positions of the canvas to those of the rectangle.
  package var rectangleMap: Homography {
    map ?? .translation(Double(-rectangle.left), Double(-rectangle.top))
  }

  /// The part of a picture that is seen.
  func seen(of picture: Image) -> Image {
    guard window != Resampling.Window(picture.extent) else { return picture }
    return picture.cropped(
      left: window.left, top: window.top,
      to: Extent(
        width: window.right - window.left + 1, height: window.bottom - window.top + 1))
  }
}

extension LayerSettings {
  /// The tint's color in place of the picture's (MetalPetal's layers: alpha × the tint's alpha).
  fileprivate var tintSteps: [PointwiseStep] {
    let color = tint.color
    guard color.alpha > 0 else { return [] }
    func row(_ value: Double) -> AffineMatrix.Row { AffineMatrix.Row(0, 0, 0, offset: value) }
    let paint = PointwiseStep.matrix(
      AffineMatrix(row(color.red), row(color.green), row(color.blue)))
    return color.alpha == 1 ? [paint] : [paint, .opacity(color.alpha)]
  }
}
