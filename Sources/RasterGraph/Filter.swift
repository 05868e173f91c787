package import RasterColor

/// Something that makes an image of an image, with values that a user sets.
///
/// A filter states facts; how images become passes over memory is decided elsewhere.
package protocol Filter: Hashable, Sendable {
  /// The name in the registry: lower case with dashes.
  static var name: String { get }
  /// One sentence on what the filter does.
  static var blurb: String { get }
  /// The values of the filter's picture in the documentation, as the `filters` property takes
  /// them, without the name; empty where the defaults show something. The picture has 224 × 126
  /// pixels, and files are named from the repository's folder.
  static var example: String { get }
  static var kind: FilterKind { get }
  /// What a user can set, in the order in which it is shown.
  static var parameters: [Parameter<Self>] { get }

  /// The filter at its defaults.
  init()

  /// Whether these values change no image of any size.
  var isIdentity: Bool { get }

  /// Whether what is shown changes its place in the frame, other than by the frame's size.
  var movesPicture: Bool { get }

  /// Whether the time of a frame changes its picture.
  var isTimed: Bool { get }

  /// What is wrong with the values, beyond their ranges; nil where they can be used.
  var problem: RasterError? { get }

  /// Brings what the values name into memory: files, other filters. Called after a value was set, never
  /// while a frame waits.
  ///
  /// - Throws: `invalidSetting` where it cannot be had.
  mutating func load(_ resources: any FilterResources) throws(RasterError)

  /// Whether the user wants changes of files to be noticed.
  var watchesFiles: Bool { get }

  /// Loads files anew that have changed. Called before a frame where ``watchesFiles`` is set.
  ///
  /// - Returns: whether anything is new.
  mutating func refresh(_ resources: any FilterResources) throws(RasterError) -> Bool

  /// The image that the filter makes. Costs little: it may run for every frame.
  func output(_ input: Image, in context: FilterContext) -> Image
}

extension Filter {
  package var movesPicture: Bool { Self.kind == .warp }
  package var isTimed: Bool { false }
  package var watchesFiles: Bool { false }
  package mutating func refresh(_ resources: any FilterResources) throws(RasterError) -> Bool {
    false
  }
  package var problem: RasterError? { nil }
  package mutating func load(_ resources: any FilterResources) throws(RasterError) {}
}

/// What a filter does to pixels; documentation is ordered by it.
package enum FilterKind: String, Hashable, Sendable, CaseIterable {
  /// The color of each pixel.
  case pointwise
  /// Where pixels are.
  case warp
  /// Each pixel by those around it.
  case neighborhood
  /// Each pixel by what the whole image is like.
  case reduction
  /// A picture of its own in place of the image.
  case generator
  /// Two pictures.
  case composite
  /// What the user's own text says.
  case shader
}

/// What filters are given besides the image.
package struct FilterContext: Hashable, Sendable {
  /// The luma weights of the frame, for filters that are defined on luma.
  package var luma: LumaCoefficients
  /// The stream time of the frame in seconds.
  package var time: Double

  package init(luma: LumaCoefficients, time: Double = 0) {
    self.luma = luma
    self.time = time
  }
}

/// Where filters find what their values name.
package protocol FilterResources: Sendable {
  /// The bytes of a file, at most 64 MiB.
  func bytes(_ path: String) throws(RasterError) -> [UInt8]
  /// The picture in a file.
  func picture(_ path: String) throws(RasterError) -> StillImage
  /// The filters of a list, as the `filters` property takes it.
  func filters(_ list: String) throws(RasterError) -> [any Filter]
  /// Compiles a shader.
  ///
  /// - Throws: `invalidSetting` with the compiler's messages and the lines of the user's text.
  func check(_ shader: UserShader) throws(RasterError)
  /// A number that changes when the file does.
  func modificationTime(_ path: String) -> Int64
}

/// A filter whose output pixel depends on the input pixel alone.
package protocol PointwiseFilter: Filter {
  /// What happens to a pixel, in order.
  ///
  /// - Parameter luma: the luma weights of the frame, for filters that are defined on luma.
  func steps(luma: LumaCoefficients) -> [PointwiseStep]
}

extension PointwiseFilter {
  package static var kind: FilterKind { .pointwise }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    input.mapped(steps(luma: context.luma))
  }
}
