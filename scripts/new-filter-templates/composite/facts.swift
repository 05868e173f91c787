/// The picture mixed with another one of its size; alpha stays.
///
/// Say here what is computed of the two colors: the formula or the work that defines it, and whose
/// alpha the result has.
package struct $Name: Filter {
  package static let name = "$name"
  package static let blurb = "Mixes the picture with another one"
  package static let example = "amount=0.8, source=sobel"
  package static let kind = FilterKind.composite
  package static let parameters: [Parameter<$Name>] = [
    .number(
      "amount", "Amount", "0 changes nothing, 1 is the other picture alone", 0...1, default: 0.5,
      \.amount),
    .text(
      "location", "Location",
      "A file with the other picture, which is stretched to this one; empty for none", \.location),
    .text(
      "source", "Source", "Filters that make the other picture of this one; empty for none",
      \.source),
  ]

  /// Share of the other picture, without unit.
  package var amount = 0.5
  package var location = ""
  package var source = ""
  private var other = SecondPicture()

  package init() {}

  package var isIdentity: Bool { amount == 0 || other.isEmpty }

  package mutating func load(_ resources: any FilterResources) throws(RasterError) {
    try other.load(resources, location: location, source: source)
  }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    guard let picture = other.image(input, context) else { return input }
    return input.combined(
      with: picture, ShaderFunction("Filters/$Name", arguments: [amount]))
  }
}
