package import RasterColor

/// A chain of pointwise steps, folded and ready for a kernel.
///
/// The kernel's numbers are stored samples (0…255 for 8 bits); the conversions from and to them are
/// part of the first and the last matrix. Adjacent matrices are one.
package struct PointwiseProgram: Hashable, Sendable {
  /// One operation of a kernel. What it does is fixed; its numbers come with every frame.
  package enum Operation: Hashable, Sendable {
    /// An affine map whose coefficients are the next unread numbers of the program.
    case matrix(MatrixShape)
    /// A function of the shader library.
    case function(ShaderCall)
    /// Cuts all channels to 0…1.
    case codeLimits
    /// Multiplies alpha by the next number.
    case opacity

    /// Numbers that the operation takes.
    package var valueCount: Int {
      switch self {
      case .matrix(let shape): shape.count
      case .function(let call): call.argumentCount
      case .codeLimits: 0
      case .opacity: 1
      }
    }
  }

  /// Which coefficients a matrix has; the others are zero.
  package enum MatrixShape: Hashable, Sendable {
    /// The first channel alone: factor, offset.
    case single
    /// The first channel apart from the others: factor, offset; then two rows of two factors and
    /// an offset.
    case separate
    /// Three rows of three factors and an offset.
    case full

    /// Numbers that a matrix of this shape takes.
    package var count: Int {
      switch self {
      case .single: 2
      case .separate: 8
      case .full: 12
      }
    }
  }

  package private(set) var operations: [Operation] = []
  /// The numbers of all operations, in order.
  package private(set) var values: [Float] = []
  /// What the functions look up, in the order of the calls.
  package private(set) var tables: [LookupTable] = []

  /// Whether a pixel's channels are computed together, so that planes of different size have to be
  /// brought to one. Otherwise luma and chroma are computed apart, each in its own plane.
  package var mixesChannels: Bool { PointwiseProgram.mixesChannels(operations) }

  static func mixesChannels(_ operations: [Operation]) -> Bool {
    operations.contains { operation in
      switch operation {
      case .matrix(.full): true
      case .function(let call): call.channels == .all
      default: false
      }
    }
  }

  /// Whether arithmetic outweighs memory: looking up tables, or several functions.
  package var isHeavy: Bool {
    let functions = operations.reduce(0) { count, operation in
      if case .function = operation { count + 1 } else { count }
    }
    return !tables.isEmpty || functions > 2
  }

  /// Folds steps and the conversions at both ends.
  ///
  /// The last matrix adds one half, so that cutting off the fraction rounds to the nearest sample.
  ///
  /// - Parameters:
  ///   - steps: operations on nonlinear R'G'B'.
  ///   - input: what the samples of the source mean.
  ///   - output: what the samples of the destination mean.
  ///   - depths: bits of the samples of both, 8…16.
  package init(
    _ steps: [PointwiseStep], from input: ColorEncoding, to output: ColorEncoding,
    depths: (input: Int, output: Int) = (8, 8)
  ) {
    let shape: MatrixShape =
      switch (input.model, output.model) {
      case (.gray, .gray): .single
      case (.ycbcr(let from), .ycbcr(let to)) where from == to: .separate
      default: .full
      }
    self =
      PointwiseProgram(steps, from: input, to: output, depths, shape)
      ?? PointwiseProgram(steps, from: input, to: output, depths, .full) ?? PointwiseProgram()
  }

  private init() {}

  /// Nil where the matrices do not have that shape; those of any program have the full one.
  private init?(
    _ steps: [PointwiseStep], from input: ColorEncoding, to output: ColorEncoding,
    _ depths: (input: Int, output: Int), _ shape: MatrixShape
  ) {
    var pending = input.decodingSamples(depth: depths.input)
    for (index, step) in steps.enumerated() {
      switch step {
      case .matrix(let matrix):
        pending = pending.then(matrix)
      case .color(let function):
        guard shape == .full, append(pending, shape) else { return nil }
        append(function, .all)
        pending = .identity
      case .luma(let function, let coefficients):
        let code = ColorEncoding(model: .ycbcr(coefficients), range: .limited)
        guard append(pending.then(code.encoding), shape) else { return nil }
        append(function, .first)
        pending = code.decoding
      case .codeLimits(let coefficients):
        // Storing Y'CbCr of the same kind cuts it anyway. Other weights have other limits, chroma that is
        // averaged at the end has to be cut before, and the largest code of 10 bits is beyond that of 8.
        let isCutLater = depths.output == 8 || output.range == .full
        if index == steps.count - 1, shape != .full, isCutLater { continue }
        let code = ColorEncoding(model: .ycbcr(coefficients), range: .limited)
        guard append(pending.then(code.encoding), shape) else { return nil }
        operations.append(.codeLimits)
        pending = code.decoding
      case .opacity(let factor):
        operations.append(.opacity)
        values.append(Float(factor))
      }
    }
    let end = pending.then(output.encodingSamples(depth: depths.output)).then(
      .scaling(1, offset: 0.5))
    guard append(end, shape) else { return nil }
  }

  /// Adds a matrix of the given shape; false where it has other coefficients.
  private mutating func append(_ matrix: AffineMatrix, _ shape: MatrixShape) -> Bool {
    guard !matrix.isIdentity else { return true }
    let (first, second, third) = (matrix.first, matrix.second, matrix.third)
    let coefficients: [Double]
    switch shape {
    case .single:
      coefficients = [first.x, first.offset]
    case .separate:
      // Conversions to R'G'B' and back leave dust of about 1e-16 here.
      guard max(abs(first.y), abs(first.z), abs(second.x), abs(third.x)) < 1e-9 else {
        return false
      }
      coefficients = [
        first.x, first.offset, second.y, second.z, second.offset, third.y, third.z, third.offset,
      ]
    case .full:
      coefficients = [first, second, third].flatMap { [$0.x, $0.y, $0.z, $0.offset] }
    }
    operations.append(.matrix(shape))
    // Dust would be raised to visible values by a power.
    values.append(contentsOf: coefficients.map { abs($0) < 1e-12 ? 0 : Float($0) })
    return true
  }

  private mutating func append(_ function: ShaderFunction, _ channels: ShaderCall.Channels) {
    operations.append(
      .function(
        ShaderCall(
          source: function.source, channels: channels, argumentCount: function.arguments.count,
          table: function.table.map { _ in tables.count })))
    values.append(contentsOf: function.arguments.map { Float($0) })
    if let table = function.table { tables.append(table) }
  }
}
