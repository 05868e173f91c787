package import RasterColor

/// Where a layer lies on its canvas, worked out from its settings.
package struct LayerPlacement: Hashable, Sendable {
  /// The rectangle before its own map, in whole pixels of the canvas; may be empty or reach beyond it.
  package var rectangle: Bounds
  /// What of the picture is seen in it, in whole pixels.
  package var window: Resampling.Window
  /// From positions of the canvas to those of the rectangle, from its top left corner; nil where the rectangle
  /// stays where it is.
  package var map: Homography?

  /// The size of the rectangle.
  package var extent: Extent {
    Extent(width: rectangle.right - rectangle.left, height: rectangle.bottom - rectangle.top)
  }

  /// - Parameters:
  ///   - picture: the picture upright, cropped and filtered.
  ///   - natural: the size that it has where the user says none; nil for its own.
  ///   - zeroIsUnscaled: whether a width or height of 0 means that of the picture.
  /// - Returns: nil where a matrix or corners cannot be inverted.
  package init?(
    _ settings: LayerSettings, of picture: Image, natural: Extent? = nil, on canvas: Canvas,
    zeroIsUnscaled: Bool
  ) {
    let source = natural ?? picture.extent
    window = Resampling.Window(picture.extent)
    let least = zeroIsUnscaled ? 1 : 0
    let wanted = Extent(
      width: settings.width < least ? source.width : settings.width,
      height: settings.height < least ? source.height : settings.height)
    let box = LayerPlacement.box(
      source, wanted, picture.pixelAspect, canvas.pixelAspect, settings)
    if settings.sizing == .cover {
      window = LayerPlacement.covering(
        window, picture.extent, box.extent, picture.pixelAspect, canvas.pixelAspect,
        settings.alignment)
    }
    let (left, _) = settings.x.addingReportingOverflow(box.x)
    let (top, _) = settings.y.addingReportingOverflow(box.y)
    rectangle = Bounds(left: left, top: top, width: box.extent.width, height: box.extent.height)
    map = nil
    guard let own = settings.ownMap(of: box.extent) else { return nil }
    guard own != .identity else { return }
    let placed = own.then(.translation(Double(left), Double(top)))
    guard let back = placed.inverse else { return nil }
    map = back
  }

  /// The part of the canvas that the layer may change.
  package var bounds: Bounds {
    guard let map, let forth = map.inverse else { return rectangle }
    return Bounds(
      covering: forth, width: Double(extent.width), height: Double(extent.height), margin: 1)
  }
}

// MARK: - Sizes

extension LayerPlacement {
  private struct Box {
    var x: Int
    var y: Int
    var extent: Extent

    init(x: Int = 0, y: Int = 0, extent: Extent) {
      self.x = x
      self.y = y
      self.extent = extent
    }
  }

  /// The rectangle that the picture gets within the one that is wanted, as GStreamer's compositor rounds it.
  private static func box(
    _ source: Extent, _ wanted: Extent, _ aspect: Ratio, _ canvasAspect: Ratio,
    _ settings: LayerSettings
  ) -> Box {
    guard wanted.width > 0, wanted.height > 0, source.width > 0, source.height > 0 else {
      return Box(extent: Extent(width: 0, height: 0))
    }
    switch settings.sizing {
    case .none: return Box(extent: shown(wanted, aspect, canvasAspect))
    case .cover: return Box(extent: wanted)
    case .keepAspectRatio:
      let shape = Ratio(source.width, source.height)
        .times(aspect.numerator, aspect.denominator)
        .times(canvasAspect.denominator, canvasAspect.numerator)
      let height = wanted.width * shape.denominator / shape.numerator
      guard height > 0 else { return Box(extent: Extent(width: 0, height: 0)) }
      let (own, outer) = (
        Double(wanted.width) / Double(height), Double(wanted.width) / Double(wanted.height)
      )
      var fitted = wanted
      if own > outer { fitted.height = Int(Double(wanted.width) / own) }
      if own < outer { fitted.width = Int(Double(wanted.height) * own) }
      return Box(
        x: Int(Double(wanted.width - fitted.width) * settings.alignment.x),
        y: Int(Double(wanted.height - fitted.height) * settings.alignment.y), extent: fitted)
    }
  }

  /// A size in pixels of the picture as one in pixels of the canvas. One side stays: the height where there is
  /// no rounding then, or none at all.
  private static func shown(_ size: Extent, _ aspect: Ratio, _ canvasAspect: Ratio) -> Extent {
    guard aspect != canvasAspect else { return size }
    let shape = Ratio(size.width, size.height).times(aspect.numerator, aspect.denominator)
      .times(canvasAspect.denominator, canvasAspect.numerator)
    if size.height % shape.numerator != 0, size.width % shape.denominator == 0 {
      return Extent(
        width: size.width, height: size.width * shape.denominator / shape.numerator)
    }
    return Extent(
      width: size.height * shape.numerator / shape.denominator, height: size.height)
  }

  /// The part of a window that has the shape of `box`.
  private static func covering(
    _ window: Resampling.Window, _ source: Extent, _ box: Extent, _ aspect: Ratio,
    _ canvasAspect: Ratio, _ alignment: Pair
  ) -> Resampling.Window {
    guard source.width > 0, source.height > 0, box.width > 0, box.height > 0 else { return window }
    // Width by height in pixels of the picture.
    let shape =
      Double(box.width) / Double(box.height) * canvasAspect.value / aspect.value
    let width = min(source.width, max(1, Int((Double(source.height) * shape).rounded())))
    let height = min(source.height, max(1, Int((Double(source.width) / shape).rounded())))
    let left = window.left + Int(Double(source.width - width) * alignment.x)
    let top = window.top + Int(Double(source.height - height) * alignment.y)
    return Resampling.Window(
      left: left, top: top, right: left + width - 1, bottom: top + height - 1)
  }
}

extension Ratio {
  var value: Double { Double(numerator) / Double(denominator) }
}

// MARK: - Maps

extension LayerSettings {
  /// Whether matrix and corners can be used.
  package var problem: RasterError? { transform(matrix: matrix, corners: corners).problem }

  /// From positions of the rectangle to where they go; nil where there is no way back.
  func ownMap(of extent: Extent) -> Homography? {
    let isStill =
      scale == Pair(x: 1, y: 1) && translation == Pair(x: 0, y: 0) && rotation == 0
      && matrix.isEmpty && corners.isEmpty
    if isStill { return .identity }
    return transform(matrix: matrix, corners: corners).map(of: extent)
  }

  /// The filter that does the same to a whole picture.
  private func transform(matrix: String, corners: String) -> Transform {
    var filter = Transform()
    (filter.scaleX, filter.scaleY, filter.rotation) = (scale.x, scale.y, rotation)
    (filter.translateX, filter.translateY) = (translation.x, translation.y)
    (filter.matrix, filter.corners) = (matrix, corners)
    return filter
  }
}
