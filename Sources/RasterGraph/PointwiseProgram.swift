package import RasterColor

/// A chain of pointwise steps, folded and ready for a kernel.
///
/// The kernel's numbers are stored samples (0…255 for 8 bits); the conversions from and to them are
/// part of the first and the last matrix. A program alternates between matrices and functions.
package struct PointwiseProgram: Hashable, Sendable {
  /// One operation of a kernel. What it does is fixed; its numbers come with every frame.
  package enum Operation: Hashable, Sendable {
    /// An affine map whose coefficients are the next unread numbers of the program.
    case matrix(MatrixShape)
    /// A function of the first channel, which takes the given count of numbers.
    case function(source: String, argumentCount: Int)
    /// Cuts all channels to 0…1.
    case codeLimits

    /// Numbers that the operation takes.
    package var valueCount: Int {
      switch self {
      case .matrix(let shape): shape.count
      case .function(_, let count): count
      case .codeLimits: 0
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

  /// Folds steps and the conversions at both ends.
  ///
  /// The last matrix adds one half, so that cutting off the fraction rounds to the nearest sample.
  ///
  /// - Parameters:
  ///   - steps: operations on nonlinear R'G'B'.
  ///   - input: what the samples of the source mean.
  ///   - output: what the samples of the destination mean.
  /// - Throws: `internalFailure` where a step mixes the luma and chroma of planes that are of
  ///   different size, which needs a resampling that no kernel does.
  package init(
    _ steps: [PointwiseStep], from input: ColorEncoding, to output: ColorEncoding
  ) throws(RasterError) {
    let shape = PointwiseProgram.shape(input.model, output.model)
    var pending = AffineMatrix.scaling(1.0 / 255).then(input.decoding)
    for (index, step) in steps.enumerated() {
      switch step {
      case .matrix(let matrix):
        pending = pending.then(matrix)
      case .luma(let function, let coefficients):
        let code = ColorEncoding(model: .ycbcr(coefficients), range: .limited)
        try append(pending.then(code.encoding), shape)
        operations.append(
          .function(source: function.source, argumentCount: function.arguments.count))
        values.append(contentsOf: function.arguments.map { Float($0) })
        pending = code.decoding
      case .codeLimits(let coefficients):
        // Storing Y'CbCr cuts it anyway.
        if index == steps.count - 1, shape != .full { continue }
        let code = ColorEncoding(model: .ycbcr(coefficients), range: .limited)
        try append(pending.then(code.encoding), shape)
        operations.append(.codeLimits)
        pending = code.decoding
      }
    }
    try append(pending.then(output.encoding).then(.scaling(255, offset: 0.5)), shape)
  }

  private static func shape(
    _ input: ColorEncoding.Model, _ output: ColorEncoding.Model
  ) -> MatrixShape {
    switch (input, output) {
    case (.gray, .gray): .single
    case (.ycbcr(let from), .ycbcr(let to)) where from == to: .separate
    default: .full
    }
  }

  private mutating func append(
    _ matrix: AffineMatrix, _ shape: MatrixShape
  ) throws(RasterError) {
    guard !matrix.isIdentity else { return }
    let (first, second, third) = (matrix.first, matrix.second, matrix.third)
    let coefficients: [Double]
    switch shape {
    case .single:
      coefficients = [first.x, first.offset]
    case .separate:
      // Conversions to R'G'B' and back leave dust of about 1e-16 here.
      guard max(abs(first.y), abs(first.z), abs(second.x), abs(third.x)) < 1e-9 else {
        throw RasterError(
          .internalFailure, "A step mixes luma and chroma of a frame that stores them apart.",
          remedy: "Convert the frame to RGBA with videoconvert in front of the element.")
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
  }
}
