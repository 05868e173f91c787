/// Squares of two colors in turn, the first at the top left.
package struct Checkerboard: Filter {
  package static let name = "checkerboard"
  package static let blurb = "A picture of squares of two colors"
  package static let example = ""
  package static let kind = FilterKind.generator
  package static let parameters: [Parameter<Checkerboard>] = [
    .number("size", "Size", "Pixels of a square's side", 1...65535, default: 8, \Checkerboard.size),
    .color("color", "Color", "The first color", default: "0x808080", \Checkerboard.color),
    .color(
      "color-2", "Second color", "The second color", default: "0xc0c0c0", \Checkerboard.second),
  ]

  package var size = 8.0
  package var color = "0x808080"
  package var second = "0xc0c0c0"

  package init() {}

  package var isIdentity: Bool { false }

  package var problem: RasterError? { NamedColor.problem(Self.name, [color, second]) }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    let (first, other) = (NamedColor(color), NamedColor(second))
    return Image(
      generator: ShaderFunction(
        "Filters/Checkerboard", arguments: [size] + first.channels + other.channels),
      extent: input.extent, isOpaque: first.isOpaque && other.isOpaque,
      pixelAspect: input.pixelAspect)
  }
}
