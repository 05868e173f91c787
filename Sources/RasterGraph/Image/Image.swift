package import RasterColor

/// A size in whole pixels.
package struct Extent: Hashable, Sendable, CustomStringConvertible {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var description: String { "\(width)×\(height)" }
}

/// A picture that is described, not computed: an immutable node of a graph over other images.
///
/// Making one costs nothing; ``RenderPlan`` turns a graph into work. Images share what they are made of.
/// Pixel (0, 0) is at the top left, and pixel centres are at .5. Thread-safety: usable from any thread.
package struct Image: Hashable, Sendable {
  package let extent: Extent
  /// Whether every pixel is fully opaque, so that nothing has to be done about alpha.
  package let isOpaque: Bool
  /// Width of a pixel by its height, as it is to be shown.
  package let pixelAspect: Ratio
  package let operation: ImageOperation
  /// What the operation reads, in its order.
  package var inputs: [Image] { node.inputs }
  /// Tells images apart: equal only for the same node.
  package var identity: ObjectIdentifier { ObjectIdentifier(node) }

  private var node: Node

  private final class Node: @unchecked Sendable {
    // @unchecked: nothing is changed before the last reference is gone.
    private(set) var inputs: [Image]
    init(_ inputs: [Image]) { self.inputs = inputs }

    /// Releases what only this node holds one by one: left to itself, the release of each would run within
    /// that of its reader, as deep as the graph, and stacks are small.
    deinit {
      var rest = inputs
      inputs = []
      while var image = rest.popLast() {
        guard isKnownUniquelyReferenced(&image.node) else { continue }
        rest += image.node.inputs
        image.node.inputs = []
      }
    }
  }

  package static func == (left: Image, right: Image) -> Bool { left.node === right.node }
  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  init(
    _ operation: ImageOperation, _ inputs: [Image], extent: Extent, isOpaque: Bool,
    pixelAspect: Ratio? = nil
  ) {
    self.operation = operation
    self.pixelAspect = pixelAspect ?? inputs.first?.pixelAspect ?? .one
    self.extent = extent
    self.isOpaque = isOpaque
    node = Node(inputs)
  }

  /// The image of a frame that is given when the graph is rendered.
  ///
  /// - Parameter index: which of the frames.
  package init(frame index: Int, extent: Extent, isOpaque: Bool, pixelAspect: Ratio = .one) {
    self.init(.frame(index), [], extent: extent, isOpaque: isOpaque, pixelAspect: pixelAspect)
  }

  /// The image of a picture in memory.
  package init(_ still: StillImage) {
    self.init(.still(still), [], extent: still.extent, isOpaque: still.isOpaque)
  }

  /// One color everywhere, which is a number of the frame.
  package init(solid color: StraightColor, extent: Extent, pixelAspect: Ratio = .one) {
    self.init(
      .solid(color), [], extent: extent, isOpaque: color.alpha == 1, pixelAspect: pixelAspect)
  }

  /// Squares of two colors in turn; all are numbers of the frame.
  ///
  /// - Parameters:
  ///   - side: pixels of a square's side, at least 1.
  ///   - first: the color at the top left.
  package init(
    checkered side: Int, _ first: StraightColor, _ second: StraightColor, extent: Extent,
    pixelAspect: Ratio = .one
  ) {
    self.init(
      .checkered(side: max(1, side), first, second), [], extent: extent,
      isOpaque: first.alpha == 1 && second.alpha == 1, pixelAspect: pixelAspect)
  }

  /// An image that a function computes from the position alone.
  package init(
    generator: ShaderFunction, extent: Extent, isOpaque: Bool, pixelAspect: Ratio = .one
  ) {
    self.init(
      .generated(generator), [], extent: extent, isOpaque: isOpaque, pixelAspect: pixelAspect)
  }
}

/// How an image is made of its inputs.
package enum ImageOperation: Sendable {
  /// A frame that comes with the request. No input.
  case frame(Int)
  case still(StillImage)
  /// `Pixels NAME(vec4 x, vec4 y, …)`: straight R'G'B'A from the position. No input.
  case generated(ShaderFunction)
  /// One color everywhere. No input.
  case solid(StraightColor)
  /// Squares of that many pixels, of two colors in turn: pixel (x, y) has the first one where x / side + y / side,
  /// cut to whole numbers, is even. No input.
  case checkered(side: Int, StraightColor, StraightColor)
  /// Pointwise steps on straight R'G'B'. One input.
  case pointwise([PointwiseStep])
  /// One input through a map of the plane.
  case resampled(Resampling)
  /// `void NAME(inout vec4 x, inout vec4 y, …)`: from a position of the result to one of the input.
  case warped(ShaderFunction, Interpolation, EdgeMode)
  /// `Pixels NAME(ivec4 x, ivec4 y, …)`: reads its input, straight, through `INPUT(x, y)`.
  case neighborhood(ShaderFunction)
  /// `Pixels NAME(Pixels first, Pixels second, …)` of two straight inputs at the same position.
  case combined(ShaderFunction)
  /// The second input over the first with a blend mode and an opacity; a third masks the second.
  case blended(Blending)
  /// One input, blurred.
  case blurred(Blur)
  /// One input, whose lightness is spread by the statistics of its tiles.
  case equalized(Equalization)
}

/// What lies beyond the edges of an image.
package enum EdgeMode: Hashable, Sendable {
  /// The pixels of the edge go on.
  case clamp
  /// Nothing: transparent black.
  case transparent
}

/// How values between pixel centres are found.
package enum Interpolation: String, Hashable, Sendable, CaseIterable {
  /// The pixel whose area holds the position.
  case nearest
  /// Linear between two neighbors in each direction.
  case bilinear
  /// Cubic convolution over four, with a = -0.5 (Keys 1981, "Cubic Convolution Interpolation for Digital
  /// Image Processing").
  case bicubic
  /// Sinc windowed by a sinc, over six (Duchon 1979, "Lanczos Filtering in One and Two Dimensions").
  case lanczos

  /// Pixels of the source on each side of a position that count, where nothing shrinks.
  package var radius: Int {
    switch self {
    case .nearest: 0
    case .bilinear: 1
    case .bicubic: 2
    case .lanczos: 3
    }
  }
}

/// A map of the plane and how the values are found.
package struct Resampling: Hashable, Sendable {
  /// From positions of the result to positions of the input, in pixels of each.
  package var map: Homography
  /// Where the map makes the picture smaller, the kernel is widened, so that nothing aliases.
  package var interpolation: Interpolation
  package var edge: EdgeMode
  /// The pixels of the input that are used: what lies beyond is beyond the edge.
  package var window: Window

  /// Whole pixels from a first to a last column and row.
  package struct Window: Hashable, Sendable {
    package var left: Int
    package var top: Int
    package var right: Int
    package var bottom: Int

    package init(left: Int, top: Int, right: Int, bottom: Int) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
    }

    package init(_ extent: Extent) {
      self.init(left: 0, top: 0, right: extent.width - 1, bottom: extent.height - 1)
    }
  }

  package init(
    map: Homography, interpolation: Interpolation, edge: EdgeMode, window: Window
  ) {
    self.map = map
    self.interpolation = interpolation
    self.edge = edge
    self.window = window
  }

  /// Pixels of the input that one of the result covers across and down, at least 1.
  package var footprint: (x: Double, y: Double) {
    func length(_ a: Double, _ b: Double) -> Double { max(1, (a * a + b * b).squareRoot()) }
    guard map.isAffine else { return (1, 1) }
    return (length(map.rows[0], map.rows[1]), length(map.rows[3], map.rows[4]))
  }
}

/// A separable smoothing.
package enum Blur: Hashable, Sendable {
  /// A Gaussian of that standard deviation in pixels.
  case gaussian(sigma: Double)
  /// The mean of a rectangle of an odd number of pixels across and down.
  case box(width: Int, height: Int)
}

/// Histogram equalization of the lightness, limited in contrast where `clipLimit` says so.
package struct Equalization: Hashable, Sendable {
  /// Tiles across and down, each with its own curve; pixels between centres get a mix of four.
  package var columns: Int
  package var rows: Int
  /// Times the mean count that a bin may hold; infinite for no limit.
  package var clipLimit: Double
  /// 0 changes nothing, 1 is the equalized image alone.
  package var intensity: Double

  package init(columns: Int, rows: Int, clipLimit: Double, intensity: Double) {
    self.columns = columns
    self.rows = rows
    self.clipLimit = clipLimit
    self.intensity = intensity
  }
}

/// A picture in memory. Equal only to itself.
package final class StillImage: Hashable, Sendable {
  package let extent: Extent
  /// Straight R'G'B'A, 16 bits each, row by row without gaps.
  package let pixels: [UInt16]
  package let isOpaque: Bool

  /// - Returns: nil where the number of samples does not fit the size.
  package init?(extent: Extent, pixels: [UInt16]) {
    guard extent.width > 0, extent.height > 0,
      pixels.count == extent.width * extent.height * 4
    else { return nil }
    self.extent = extent
    self.pixels = pixels
    isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0xffff }
  }

  package static func == (left: StillImage, right: StillImage) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
