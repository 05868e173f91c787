/// A rectangle of the picture.
package struct Crop: Filter {
  package static let name = "crop"
  package static let blurb = "Cuts pixels off the edges"
  package static let example = "left=40, right=80, bottom=36"
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<Crop>] = [
    .pixels("left", "Left", "Pixels to cut off at the left", \Crop.left),
    .pixels("top", "Top", "Pixels to cut off at the top", \Crop.top),
    .pixels("right", "Right", "Pixels to cut off at the right", \Crop.right),
    .pixels("bottom", "Bottom", "Pixels to cut off at the bottom", \Crop.bottom),
  ]

  package var left = 0.0
  package var top = 0.0
  package var right = 0.0
  package var bottom = 0.0

  package init() {}

  package var isIdentity: Bool { [left, top, right, bottom].allSatisfy { $0.rounded() == 0 } }

  /// At least one pixel is left.
  package func output(_ input: Image, in context: FilterContext) -> Image {
    func cut(_ first: Double, _ second: Double, of size: Int) -> (start: Int, count: Int) {
      let start = min(Int(first.rounded()), size - 1)
      return (start, max(1, size - start - Int(second.rounded())))
    }
    let across = cut(left, right, of: input.extent.width)
    let down = cut(top, bottom, of: input.extent.height)
    return input.cropped(
      left: across.start, top: down.start,
      to: Extent(width: across.count, height: down.count))
  }
}

extension Parameter {
  /// A whole number of pixels.
  static func pixels(
    _ name: String, _ nick: String, _ blurb: String,
    _ path: any WritableKeyPath<Filter, Double> & Sendable
  ) -> Parameter {
    .number(name, nick, blurb, 0...65535, default: 0, path)
  }
}
