/// Another picture over this one where a mask says so.
package struct BlendWithMask: Filter {
  package static let name = "blend-with-mask"
  package static let blurb = "Blends another picture over this one where a mask is light"
  package static let example =
    "source=color-invert, mask-source=\"checkerboard, size=42, color=black, color-2=white\""
  package static let kind = FilterKind.composite
  package static let parameters: [Parameter<BlendWithMask>] = [
    .blendMode(\BlendWithMask.mode),
    .number(
      "opacity", "Opacity", "0 is not there, 1 is the other picture alone", 0...1, default: 1,
      \BlendWithMask.opacity),
    .text(
      "location", "Location",
      "A file with the other picture, which is stretched to this one; empty for none",
      \BlendWithMask.location),
    .text(
      "source", "Source", "Filters that make the other picture of this one; empty for none",
      \BlendWithMask.source),
    .text(
      "mask-location", "Mask location",
      "A file with the mask, which is stretched to this picture; empty for none",
      \BlendWithMask.maskLocation),
    .text(
      "mask-source", "Mask source", "Filters that make the mask of this picture; empty for none",
      \BlendWithMask.maskSource),
    .choice(
      "component", "Component", "What of the mask counts", ["luma", "alpha"], default: "luma",
      \BlendWithMask.component),
    .toggle(
      "inverted", "Inverted", "Whether the other picture is where the mask is dark", default: false,
      \BlendWithMask.inverted),
  ]

  package var mode = BlendMode.normal.name
  package var opacity = 1.0
  package var location = ""
  package var source = ""
  package var maskLocation = ""
  package var maskSource = ""
  package var component = "luma"
  package var inverted = false
  private var top = SecondPicture()
  private var mask = SecondPicture()

  package init() {}

  package var isIdentity: Bool { opacity == 0 || top.isEmpty }

  package mutating func load(_ resources: any FilterResources) throws(RasterError) {
    try top.load(resources, location: location, source: source)
    try mask.load(resources, location: maskLocation, source: maskSource)
  }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    guard let picture = top.image(input, context) else { return input }
    var blending = Blending(mode: BlendMode.known(mode), opacity: opacity)
    let cover = mask.image(input, context)
    if cover != nil {
      blending.mask =
        component == "alpha"
        ? (inverted ? .inverseAlpha : .alpha) : (inverted ? .inverseLuma : .luma)
    }
    return input.blended(with: picture, blending, mask: cover)
  }
}
