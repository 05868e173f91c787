/// What layers are put on.
package struct Canvas: Hashable, Sendable {
  package var extent: Extent
  package var pixelAspect: Ratio
  package var background: Background
  /// Whether black is code value 16 of 255, which the grays of the checkerboard are told from.
  package var isLimited: Bool

  package init(
    extent: Extent, pixelAspect: Ratio = .one, background: Background, isLimited: Bool = true
  ) {
    self.extent = extent
    self.pixelAspect = pixelAspect
    self.background = background
    self.isLimited = isLimited
  }

  /// What is seen where there is no layer.
  package enum Background: Hashable, Sendable {
    /// Squares of 8 pixels with the code values 80 and 160 of 8 bits, as GStreamer's compositor has them.
    case checker
    case black
    case white
    case transparent
    case color(ARGB)
    /// The lowest layer's picture, filling the canvas, blurred.
    case blur
  }

  /// The background without the layers.
  package var image: Image {
    switch background {
    case .checker:
      Image(checkered: 8, gray(80), gray(160), extent: extent, pixelAspect: pixelAspect)
    case .white: solid(StraightColor(red: 1, green: 1, blue: 1))
    case .transparent: solid(StraightColor(red: 0, green: 0, blue: 0, alpha: 0))
    case .color(let color): solid(color.color)
    case .black, .blur: solid(StraightColor(red: 0, green: 0, blue: 0))
    }
  }

  private func solid(_ color: StraightColor) -> Image {
    Image(solid: color, extent: extent, pixelAspect: pixelAspect)
  }

  private func gray(_ code: Double) -> StraightColor {
    let level = isLimited ? (code - 16) / 219 : code / 255
    return StraightColor(red: level, green: level, blue: level)
  }
}
