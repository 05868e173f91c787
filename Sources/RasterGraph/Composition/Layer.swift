internal import RasterColor

/// One picture of a composition, and all that is done to it.
package struct Layer: Sendable {
  package var settings: LayerSettings
  /// How the frame has to be turned to be upright.
  package var orientation: Orientation
  /// What is done to the upright picture.
  package var filters: [any Filter]
  /// The frame that is read, by its number among the sources.
  package var frame: Int
  /// What is done to the frame so that its signal means what the canvas's does.
  package var conversion: [PointwiseStep]
  package var mask: Mask?

  /// What lets the picture through, stretched to its rectangle.
  package enum Mask: Sendable {
    case still(StillImage)
    /// Another frame, and how that is turned upright.
    case frame(Int, Orientation)
  }

  package init(
    _ settings: LayerSettings, frame: Int, orientation: Orientation = .identity,
    filters: [any Filter] = [], mask: Mask? = nil, conversion: [PointwiseStep] = []
  ) {
    self.settings = settings
    self.frame = frame
    self.orientation = orientation
    self.filters = filters
    self.mask = mask
    self.conversion = conversion
  }

  /// The picture upright, cropped and filtered; nil where nothing is left of it.
  package func picture(
    of source: FrameDescription, number: Int, time: Double
  ) -> Image? {
    guard let stored = used(source.image(number)) else { return nil }
    let upright = stored.oriented(orientation)
    let crop = settings.crop
    let extent = Extent(
      width: upright.extent.width - max(crop.left, 0) - max(crop.right, 0),
      height: upright.extent.height - max(crop.top, 0) - max(crop.bottom, 0))
    guard extent.width > 0, extent.height > 0 else { return nil }
    let isWhole = extent == upright.extent
    let cropped =
      isWhole
      ? upright : upright.cropped(left: max(crop.left, 0), top: max(crop.top, 0), to: extent)
    let context = FilterContext(luma: source.encoding.lumaCoefficients, time: time)
    return filters.reduce(cropped.mapped(conversion)) {
      $1.isIdentity ? $0 : $1.output($0, in: context)
    }
  }

  /// Where the picture goes; nil where it has no size, or no way back from there.
  package func placement(
    of picture: Image, _ source: FrameDescription, on canvas: Canvas, zeroIsUnscaled: Bool
  ) -> LayerPlacement? {
    // As in GStreamer's compositor, the part of a frame that is used gets the room of all of it.
    let stored = source.extent
    let upright =
      orientation.swapsSides ? Extent(width: stored.height, height: stored.width) : stored
    let placement = LayerPlacement(
      settings, of: picture, natural: settings.source == nil ? nil : upright, on: canvas,
      zeroIsUnscaled: zeroIsUnscaled)
    return placement.flatMap { $0.rectangle.isEmpty ? nil : $0 }
  }

  /// The part of the frame that is used; nil where that is nothing.
  private func used(_ frame: Image) -> Image? {
    guard let wanted = settings.source else { return frame }
    let part = wanted.intersection(Bounds(frame.extent))
    guard !part.isEmpty else { return nil }
    return frame.cropped(
      left: part.left, top: part.top,
      to: Extent(width: part.right - part.left, height: part.bottom - part.top))
  }

  /// Whether all that lies under the rectangle is hidden.
  package func hides(_ picture: Image, _ placement: LayerPlacement) -> Bool {
    hidesWhereOpaque(picture, placement) && settings.opacity >= 1
  }

  /// The same but for the opacity, which may be animated.
  func hidesWhereOpaque(_ picture: Image, _ placement: LayerPlacement) -> Bool {
    isPlain(placement) && picture.isOpaque && settings.mode == .normal
      && (settings.tint.value >> 24 == 0 || settings.tint.value >> 24 == 255)
  }

  /// Whether the picture fills a rectangle of whole pixels and nothing is cut from it.
  func isPlain(_ placement: LayerPlacement) -> Bool {
    placement.map == nil && mask == nil && settings.borderWidth <= 0
      && settings.cornerRadii.allSatisfy { $0 <= 0 }
  }
}

extension LayerSettings {
  /// The radii of the corners from the top left clockwise.
  var cornerRadii: [Double] { radii.map { $0 < 0 ? radius : $0 } }
}
