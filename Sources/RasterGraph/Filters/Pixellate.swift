/// The picture in large squares, each of the color at its centre.
package struct Pixellate: Filter {
  package static let name = "pixellate"
  package static let blurb = "Shows the picture in large squares"
  package static let example = "width=8, height=8"
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<Pixellate>] = [
    .number(
      "width", "Width", "Pixels across of a square", 1...65535, default: 16, \Pixellate.width),
    .number("height", "Height", "Rows of a square", 1...65535, default: 16, \Pixellate.height),
  ]

  package var width = 16.0
  package var height = 16.0

  package init() {}

  package var isIdentity: Bool { width == 1 && height == 1 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.warped(ShaderFunction("Filters/Pixellate", arguments: [width, height]), .bilinear)
  }
}
