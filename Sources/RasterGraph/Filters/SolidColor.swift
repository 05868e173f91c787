/// One color everywhere.
package struct SolidColor: Filter {
  package static let name = "solid-color"
  package static let blurb = "A picture of one color"
  package static let example = "color=orange"
  package static let kind = FilterKind.generator
  package static let parameters: [Parameter<SolidColor>] = [
    .color("color", "Color", "The color", default: "black", \SolidColor.color)
  ]

  package var color = "black"

  package init() {}

  package var isIdentity: Bool { false }

  package var problem: RasterError? { NamedColor.problem(Self.name, [color]) }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    let own = NamedColor(color)
    return Image(
      generator: ShaderFunction("Filters/SolidColor", arguments: own.channels),
      extent: input.extent, isOpaque: own.isOpaque, pixelAspect: input.pixelAspect)
  }
}
