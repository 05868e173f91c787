internal import RasterColor

/// The shape of a layer's rectangle, as functions of the position on the canvas.
struct Coverage {
  private let map: Homography
  private let extent: Extent
  private let radii: [Double]
  private let isContinuous: Bool

  init(_ settings: LayerSettings, _ placement: LayerPlacement) {
    map = placement.rectangleMap
    extent = placement.extent
    radii = settings.cornerRadii.map { max(0, $0) }
    isContinuous = settings.isContinuous
  }

  /// Alpha where the rectangle is.
  var shape: ShaderFunction {
    coverage(inset: 0, isInverted: false, StraightColor(red: 1, green: 1, blue: 1))
  }

  /// A color everywhere but in the rectangle made smaller by a width at each side.
  func border(_ width: Double, _ color: ARGB) -> ShaderFunction {
    coverage(inset: width, isInverted: true, color.color)
  }

  func shadow(_ shadow: LayerSettings.Shadow, sigma: Double) -> ShaderFunction {
    let color = shadow.color.color
    let moved = Homography.translation(-shadow.x, -shadow.y).then(map)
    return ShaderFunction(
      "Composite/Shadow",
      arguments: moved.rows + [
        Double(extent.width), Double(extent.height), radii.max() ?? 0, sigma, color.red,
        color.green, color.blue, color.alpha,
      ])
  }

  private func coverage(
    inset: Double, isInverted: Bool, _ color: StraightColor
  ) -> ShaderFunction {
    let width = max(0, Double(extent.width) - 2 * inset)
    let height = max(0, Double(extent.height) - 2 * inset)
    return ShaderFunction(
      "Composite/Coverage",
      arguments: map.then(.translation(-inset, -inset)).rows + [width, height]
        + radii.map { max(0, $0 - inset) } + [
          isContinuous ? 1 : 0, isInverted ? 1 : 0, color.red, color.green, color.blue, color.alpha,
        ])
  }
}
