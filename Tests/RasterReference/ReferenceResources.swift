package import RasterGraph

/// Files, pictures and lists of filters by names, for filters that load something.
package struct ReferenceResources: FilterResources {
  package struct Picture: Sendable {
    package let reference: ReferenceImage
    package let still: StillImage
  }

  private var pictures: [String: Picture] = [:]
  private var lists: [String: [any Filter]] = [:]
  private var files: [String: [UInt8]] = [:]
  private(set) var shaders: [String: @Sendable (ReferenceImage) -> ReferenceImage] = [:]

  package init() {}

  /// Adds a picture, rounded to 16 bits.
  package mutating func add(_ picture: ReferenceImage, as path: String) {
    func code(_ value: Double) -> UInt16 { UInt16(min(max(value * 65535, 0), 65535).rounded()) }
    let codes = picture.pixels.flatMap { [$0.x, $0.y, $0.z, $0.w].map(code) }
    let extent = Extent(width: picture.width, height: picture.height)
    guard let still = StillImage(extent: extent, pixels: codes) else { return }
    let rounded = picture.mapped { pixel in
      SIMD4(
        Double(code(pixel.x)), Double(code(pixel.y)), Double(code(pixel.z)), Double(code(pixel.w)))
        / 65535
    }
    pictures[path] = Picture(reference: rounded, still: still)
  }

  /// Adds filters under the text that names them.
  package mutating func add(_ filters: [any Filter], as list: String) { lists[list] = filters }

  /// Adds a file.
  package mutating func add(_ text: String, as path: String) { files[path] = Array(text.utf8) }

  /// Adds what a text of the `shader` filter does.
  package mutating func add(
    shader code: String, _ twin: @escaping @Sendable (ReferenceImage) -> ReferenceImage
  ) {
    shaders[code] = twin
  }

  package func bytes(_ path: String) throws(RasterError) -> [UInt8] {
    guard let bytes = files[path] else { throw Self.missing(path) }
    return bytes
  }

  /// Compiling is left to the kernel.
  package func check(_ shader: UserShader) throws(RasterError) {}

  package func picture(_ path: String) throws(RasterError) -> StillImage {
    guard let picture = pictures[path] else { throw Self.missing(path) }
    return picture.still
  }

  package func filters(_ list: String) throws(RasterError) -> [any Filter] {
    guard let filters = lists[list] else { throw Self.missing(list) }
    return filters
  }

  package func modificationTime(_ path: String) -> Int64 { 0 }

  private static func missing(_ name: String) -> RasterError {
    RasterError(.invalidSetting, "There is no \"\(name)\".", remedy: "Add it to the test.")
  }

  /// The picture besides the one that goes through a filter: a file stretched to its size, else the picture
  /// itself, after the filters of a list; nil where neither is given.
  func second(
    _ location: String, _ source: String, _ image: ReferenceImage, _ context: ReferenceContext
  ) -> ReferenceImage? {
    guard !location.isEmpty || !source.isEmpty else { return nil }
    var result = image
    if let picture = pictures[location]?.reference {
      result = picture.stretched(to: (image.width, image.height), .bilinear, context)
    }
    return result.applying(lists[source] ?? [], context)
  }
}
