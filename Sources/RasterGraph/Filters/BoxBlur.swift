/// The mean of a rectangle around each pixel; the edge of the picture goes on beyond it.
package struct BoxBlur: Filter {
  package static let name = "box-blur"
  package static let blurb = "Blurs by the mean of a rectangle"
  package static let example = "width=21, height=5"
  package static let kind = FilterKind.neighborhood
  package static let parameters: [Parameter<BoxBlur>] = [
    .number(
      "width", "Width", "Pixels across of the rectangle; even numbers count as one more", 1...255,
      default: 3, \BoxBlur.width),
    .number(
      "height", "Height", "Rows of the rectangle; even numbers count as one more", 1...255,
      default: 3, \BoxBlur.height),
  ]

  package var width = 3.0
  package var height = 3.0

  package init() {}

  package var isIdentity: Bool { width.rounded() == 1 && height.rounded() == 1 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.blurred(.box(width: Int(width.rounded()) | 1, height: Int(height.rounded()) | 1))
  }
}
