/// Another picture over this one: a file, or what other filters make of this picture.
package struct Blend: Filter {
  package static let name = "blend"
  package static let blurb = "Blends another picture over this one"
  package static let example =
    "mode=overlay, source=\"linear-gradient, color=orange, color-2=blue\""
  package static let kind = FilterKind.composite
  package static let parameters: [Parameter<Blend>] = [
    .blendMode(\Blend.mode),
    .number(
      "opacity", "Opacity", "0 is not there, 1 is the other picture alone", 0...1, default: 1,
      \Blend.opacity),
    .text(
      "location", "Location",
      "A file with the other picture, which is stretched to this one; empty for none",
      \Blend.location),
    .text(
      "source", "Source",
      "Filters that make the other picture of this one, such as linear-gradient; empty for none",
      \Blend.source),
  ]

  package var mode = BlendMode.normal.name
  package var opacity = 1.0
  package var location = ""
  package var source = ""
  private var top = SecondPicture()

  package init() {}

  package var isIdentity: Bool { opacity == 0 || top.isEmpty }

  package mutating func load(_ resources: any FilterResources) throws(RasterError) {
    try top.load(resources, location: location, source: source)
  }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    guard let picture = top.image(input, context) else { return input }
    return input.blended(
      with: picture, Blending(mode: BlendMode.known(mode), opacity: opacity))
  }
}

extension Parameter {
  static func blendMode(_ path: any WritableKeyPath<Filter, String> & Sendable) -> Parameter {
    .choice(
      "mode", "Mode", "How the colors are blended", BlendMode.all.map(\.name),
      default: BlendMode.normal.name, path)
  }
}

extension BlendMode {
  /// The mode of a name that was checked when it was set.
  static func known(_ name: String) -> BlendMode { all.first { $0.name == name } ?? .normal }
}

/// A picture besides the one that goes through a filter.
struct SecondPicture: Hashable, Sendable {
  private var still: StillImage?
  private var filters: [FilterBox] = []
  private var loaded: [String] = []

  var isEmpty: Bool { still == nil && filters.isEmpty }

  /// Loads what changed since the last time.
  mutating func load(
    _ resources: any FilterResources, location: String, source: String
  ) throws(RasterError) {
    guard loaded != [location, source] else { return }
    let picture = location.isEmpty ? nil : try resources.picture(location)
    let list = source.isEmpty ? [] : try resources.filters(source)
    still = picture
    filters = list.map(FilterBox.init)
    loaded = [location, source]
  }

  /// The picture; filters apply to the file if there is one, else to `input`.
  func image(_ input: Image, _ context: FilterContext) -> Image? {
    guard !isEmpty else { return nil }
    var image = still.map { Image($0).scaled(to: input.extent, .bilinear) } ?? input
    for box in filters where !box.filter.isIdentity {
      image = box.filter.output(image, in: context)
    }
    return image
  }
}

/// A filter of any type as a value that can be compared.
struct FilterBox: Hashable, Sendable {
  let filter: any Filter

  static func == (left: FilterBox, right: FilterBox) -> Bool {
    AnyHashable(left.filter) == AnyHashable(right.filter)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(filter)) }
}
