package import RasterColor

/// A filter whose output pixel depends on the input pixel alone.
///
/// A filter states facts; how steps are fused, compiled and run is decided elsewhere.
package protocol PointwiseFilter: Hashable, Sendable {
  /// The name in the registry: lower case with dashes.
  static var name: String { get }
  /// One sentence on what the filter does.
  static var blurb: String { get }
  /// What a user can set, in the order in which it is shown.
  static var parameters: [Parameter<Self>] { get }

  /// The filter at its defaults.
  init()

  /// Whether these values change no pixel.
  var isIdentity: Bool { get }

  /// What happens to a pixel, in order.
  ///
  /// - Parameter luma: the luma weights of the frame, for filters that are defined on luma.
  func steps(luma: LumaCoefficients) -> [PointwiseStep]
}

/// One operation on nonlinear R'G'B' in 0…1; values outside that range are kept.
package enum PointwiseStep: Hashable, Sendable {
  /// An affine map of the three channels.
  case matrix(AffineMatrix)
  /// A function of the luma with the given weights, which leaves Cb' and Cr' as they are.
  ///
  /// The luma is an 8-bit limited-range code value divided by 255: black is 16 / 255.
  case luma(ShaderFunction, LumaCoefficients)
  /// Cuts Y'CbCr with the given weights to what 8-bit limited-range code values can hold.
  case codeLimits(LumaCoefficients)
}

/// A call of a function of the shader library.
package struct ShaderFunction: Hashable, Sendable {
  /// The file in `Shaders/`, without its ending; its last part is the function's name.
  package let source: String
  /// The arguments after the channel itself.
  package let arguments: [Double]

  package init(_ source: String, arguments: [Double]) {
    self.source = source
    self.arguments = arguments
  }
}
