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

  /// What is wrong with the values, beyond their ranges; nil where they can be used.
  var problem: RasterError? { get }

  /// What happens to a pixel, in order.
  ///
  /// - Parameter luma: the luma weights of the frame, for filters that are defined on luma.
  func steps(luma: LumaCoefficients) -> [PointwiseStep]
}

extension PointwiseFilter {
  package var problem: RasterError? { nil }
}

/// One operation on nonlinear R'G'B' in 0…1; values outside that range are kept.
package enum PointwiseStep: Hashable, Sendable {
  /// An affine map of the three channels.
  case matrix(AffineMatrix)
  /// A function of the three channels.
  case color(ShaderFunction)
  /// A function of the luma with the given weights, which leaves Cb' and Cr' as they are.
  ///
  /// The luma is an 8-bit limited-range code value divided by 255: black is 16 / 255.
  case luma(ShaderFunction, LumaCoefficients)
  /// Cuts Y'CbCr with the given weights to what 8-bit limited-range code values can hold.
  case codeLimits(LumaCoefficients)
  /// Multiplies alpha; without effect on frames that have none.
  case opacity(Double)
}

/// A call of a function of the shader library.
package struct ShaderFunction: Hashable, Sendable {
  /// The file in `Shaders/`, without its ending; its last part is the function's name.
  package let source: String
  /// The arguments after the channels.
  package let arguments: [Double]
  /// The numbers that the function looks up; nil where it looks nothing up.
  package let table: LookupTable?

  package init(_ source: String, arguments: [Double], table: LookupTable? = nil) {
    self.source = source
    self.arguments = arguments
    self.table = table
  }
}

/// Numbers that a kernel reads at computed places. Equal only to itself: comparing costs nothing.
package final class LookupTable: Hashable, Sendable {
  package let values: [Float]

  package init(_ values: [Float]) { self.values = values }

  package static func == (left: LookupTable, right: LookupTable) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
