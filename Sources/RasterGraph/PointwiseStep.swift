package import RasterColor

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

extension [PointwiseStep] {
  /// Whether arithmetic outweighs memory: looking up tables, or several functions.
  var isHeavy: Bool {
    let functions = compactMap { step -> ShaderFunction? in
      switch step {
      case .color(let function), .luma(let function, _): function
      case .matrix, .codeLimits, .opacity: nil
      }
    }
    return functions.count > 2 || functions.contains { $0.table != nil }
  }
}

/// A call of a GLSL function.
package struct ShaderFunction: Hashable, Sendable {
  package let source: ShaderSource
  /// The arguments after those that the kind of call has.
  package let arguments: [Double]
  /// The numbers that the function looks up; nil where it looks nothing up.
  package let table: LookupTable?

  /// A function of the shader library.
  ///
  /// - Parameter source: the file in `Shaders/`, without its ending; its last part is the name of the
  ///   function.
  package init(_ source: String, arguments: [Double], table: LookupTable? = nil) {
    self.init(.library(source), arguments: arguments, table: table)
  }

  package init(_ source: ShaderSource, arguments: [Double], table: LookupTable? = nil) {
    self.source = source
    self.arguments = arguments
    self.table = table
  }
}

/// Where the text of a GLSL function comes from.
package enum ShaderSource: Hashable, Sendable {
  /// A file in `Shaders/`, without its ending; its last part is the name of the function.
  case library(String)
  /// A function of a file in `Shaders/` that has several.
  case member(file: String, function: String)
  /// The user's own text.
  case user(UserShader)

  /// The name of the function.
  package var function: String {
    switch self {
    case .library(let file): file.split(separator: "/").last.map(String.init) ?? file
    case .member(_, let function): function
    case .user: UserShader.entryPoint
    }
  }

  /// The file in `Shaders/`, without its ending; nil for the user's own text.
  package var file: String? {
    switch self {
    case .library(let file), .member(let file, _): file
    case .user: nil
    }
  }

  /// What plans and pictures of them call it.
  package var label: String {
    switch self {
    case .library, .member: function
    case .user(let shader): "shader(\(shader.name))"
    }
  }
}

/// GLSL that a user wrote.
package struct UserShader: Hashable, Sendable {
  /// The function that the composer wraps the text in.
  package static let entryPoint = "UserShader"

  /// What the user's function does, which has the name of the case.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `vec4 color(vec4 pixel)`: from straight R'G'B'A to the same.
    case color
    /// `vec2 warp(vec2 position)`: from a position of the result to one of the input, in pixels.
    case warp
    /// `vec4 sampled(vec2 position)`: the color at a position; `pixel(position)` reads the input.
    case sampled
  }

  package let kind: Kind

  /// Where the text is from, for messages.
  package let name: String
  package let text: String
  /// The names of the numbers that the text uses, in the order of the arguments.
  package let uniforms: [String]

  package init(kind: Kind, name: String, text: String, uniforms: [String]) {
    self.kind = kind
    self.name = name
    self.text = text
    self.uniforms = uniforms
  }
}

/// Numbers that a kernel reads at computed places. Equal only to itself: comparing costs nothing.
package final class LookupTable: Hashable, Sendable {
  package let values: [Float]

  package init(_ values: [Float]) { self.values = values }

  package static func == (left: LookupTable, right: LookupTable) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
