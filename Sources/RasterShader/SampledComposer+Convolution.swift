internal import RasterGraph

extension SampledComposer {
  /// Computes the block `q_<row>_<quad>` by a convolution and what the last group does with it.
  mutating func emitConvolution(_ convolution: SampledKernel.Convolution) {
    let first = plan.kernel.firstWeight
    text.emit("int first = int(num.v[\(first / 4)].x), taps = int(num.v[\(first / 4)].y);")
    text.emit("int last = int(num.v[\(first / 4)].z);")
    let root = plan.kernel.groups.count - 1
    forEachQuad { composer, row, quad in
      composer.emitPosition(row, quad)
      composer.text.emit(
        "Pixels a_\(row)_\(quad) = Pixels(vec4(0.0), vec4(0.0), vec4(0.0), vec4(1.0));")
      if convolution.hasAlpha { composer.text.emit("a_\(row)_\(quad).a = vec4(0.0);") }
    }
    switch convolution.axis {
    case .horizontal:
      for row in 0..<plan.target.blockHeight { emitRun(along: row, convolution) }
    case .vertical:
      for quad in 0..<(plan.target.blockWidth / 4) { emitRun(down: quad, convolution) }
    }
    forEachQuad { composer, row, quad in
      let place = "\(row)_\(quad)"
      composer.text.emit(
        "Pixels q_\(place) = G\(root)(x_\(place), y_\(place), a_\(place));")
      // Rows beyond the last one are stored at its place.
      if convolution.axis == .vertical, row > 0 {
        let before = "\(row - 1)_\(quad)"
        composer.text.emit(
          "if (by * \(composer.plan.target.blockHeight) + \(row) > p.lastRow) "
            + "q_\(place) = q_\(before);")
      }
    }
  }

  private func channels(_ convolution: SampledKernel.Convolution) -> [String] {
    ["r", "g", "b"] + (convolution.hasAlpha ? ["a"] : [])
  }

  private var firstVector: Int {
    (plan.kernel.firstWeight + SampledKernel.Convolution.headCount) / 4
  }

  /// Four taps at a time: each pixel of the run takes four weights.
  private mutating func emitRun(along row: Int, _ convolution: SampledKernel.Convolution) {
    text.emit("for (int t = 0; t < taps; t += 4) {")
    text.emit(
      "  ivec4 x = clamp(ivec4(bx * \(convolution.advance) + first + t) + ivec4(0, 1, 2, 3), "
        + "0, last);")
    text.emit("  Pixels q = G\(convolution.group)(x, y_\(row)_0);")
    text.emit("  int w = \(firstVector) + (t >> 2) * \(convolution.run);")
    for pixel in 0..<convolution.run {
      let lane = Array("xyzw")[pixel % 4]
      text.emit("  vec4 w\(pixel) = num.v[w + \(pixel)];")
      for channel in channels(convolution) {
        text.emit("  a_\(row)_\(pixel / 4).\(channel).\(lane) += dot(w\(pixel), q.\(channel));")
      }
    }
    text.emit("}")
  }

  /// A tap at a time, of four columns: each pixel of the run takes one weight.
  private mutating func emitRun(down quad: Int, _ convolution: SampledKernel.Convolution) {
    text.emit("for (int t = 0; t < taps; t++) {")
    text.emit("  ivec4 y = ivec4(clamp(by * \(convolution.advance) + first + t, 0, last));")
    text.emit("  Pixels q = G\(convolution.group)(x_0_\(quad), y);")
    text.emit("  int w = \(firstVector) + t * \(convolution.run / 4);")
    for pixel in 0..<convolution.run {
      if pixel % 4 == 0 { text.emit("  vec4 w\(pixel / 4) = num.v[w + \(pixel / 4)];") }
      let lane = Array("xyzw")[pixel % 4]
      for channel in channels(convolution) {
        text.emit(
          "  a_\(pixel)_\(quad).\(channel) += w\(pixel / 4).\(lane) * q.\(channel);")
      }
    }
    text.emit("}")
  }
}
