/// The picture at another size.
package struct Scale: Filter {
  package static let name = "scale"
  package static let blurb = "Stretches the picture to a size"
  package static let example = "width=112, interpolation=lanczos"
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<Scale>] = [
    .pixels("width", "Width", "Pixels across; 0 follows from the height", \Scale.width),
    .pixels("height", "Height", "Rows; 0 follows from the width", \Scale.height),
    .interpolation(\Scale.interpolation),
  ]

  package var width = 0.0
  package var height = 0.0
  package var interpolation = Interpolation.bilinear.rawValue

  package init() {}

  package var movesPicture: Bool { false }

  package var isIdentity: Bool { width.rounded() == 0 && height.rounded() == 0 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    let own = (width: Double(input.extent.width), height: Double(input.extent.height))
    var wanted = (width: width.rounded(), height: height.rounded())
    if wanted.width == 0 { wanted.width = (wanted.height * own.width / own.height).rounded() }
    if wanted.height == 0 { wanted.height = (wanted.width * own.height / own.width).rounded() }
    return input.scaled(
      to: Extent(
        width: Int(min(max(wanted.width, 1), 65535)),
        height: Int(min(max(wanted.height, 1), 65535))),
      Interpolation(rawValue: interpolation) ?? .bilinear)
  }
}
