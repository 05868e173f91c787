internal import RasterColor

/// The picture mirrored.
package struct Flip: Filter {
  package static let name = "flip"
  package static let blurb = "Mirrors the picture"
  package static let example = ""
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<Flip>] = [
    .toggle(
      "horizontal", "Horizontal", "Whether left and right change places", default: true,
      \Flip.horizontal),
    .toggle(
      "vertical", "Vertical", "Whether top and bottom change places", default: false, \Flip.vertical
    ),
  ]

  package var horizontal = true
  package var vertical = false

  package init() {}

  package var isIdentity: Bool { !horizontal && !vertical }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    let extent = input.extent
    let across = horizontal ? (-1.0, Double(extent.width)) : (1, 0)
    let down = vertical ? (-1.0, Double(extent.height)) : (1, 0)
    return input.resampled(
      Homography(across.0, 0, across.1, 0, down.0, down.1), to: extent, .nearest)
  }
}
