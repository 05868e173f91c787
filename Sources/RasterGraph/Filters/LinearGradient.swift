internal import RasterColor

/// One color that turns into another along a line through the centre, from edge to edge.
package struct LinearGradient: Filter {
  package static let name = "linear-gradient"
  package static let blurb = "A picture of one color that turns into another"
  package static let example = "angle=30, color=orange, color-2=blue"
  package static let kind = FilterKind.generator
  package static let parameters: [Parameter<LinearGradient>] = [
    .number(
      "angle", "Angle", "Degrees that the line is turned clockwise: 0 runs to the right, 90 down",
      -360...360, default: 0, \LinearGradient.angle),
    .color("color", "Color", "Where the line begins", default: "black", \LinearGradient.color),
    .color("color-2", "Second color", "Where it ends", default: "white", \LinearGradient.second),
  ]

  package var angle = 0.0
  package var color = "black"
  package var second = "white"

  package init() {}

  package var isIdentity: Bool { false }

  package var problem: RasterError? { NamedColor.problem(Self.name, [color, second]) }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    let (first, other) = (NamedColor(color), NamedColor(second))
    let (cosine, sine) = Trigonometry.cosineAndSine(degrees: angle)
    let (width, height) = (Double(input.extent.width), Double(input.extent.height))
    let length = abs(cosine) * width + abs(sine) * height
    // 0 and 1 are reached in the corners.
    let offset = 0.5 - (cosine * width / 2 + sine * height / 2) / length
    return Image(
      generator: ShaderFunction(
        "Filters/LinearGradient",
        arguments: [cosine / length, sine / length, offset] + first.channels + other.channels),
      extent: input.extent, isOpaque: first.isOpaque && other.isOpaque,
      pixelAspect: input.pixelAspect)
  }
}
