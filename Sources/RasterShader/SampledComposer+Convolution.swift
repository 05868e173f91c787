internal import RasterGraph

extension SampledComposer {
  /// Computes the block `q_<row>_<quad>` by a convolution and what the last group does with it.
  mutating func emitConvolution(_ convolution: SampledKernel.Convolution) {
    text.emit("int last = int(\(numbers.value(firstNumber)));")
    let root = plan.kernel.groups.count - 1
    forEachQuad { composer, row, quad in
      composer.emitPosition(row, quad)
      composer.text.emit(
        "Pixels a_\(row)_\(quad) = Pixels(vec4(0.0), vec4(0.0), vec4(0.0), vec4(1.0));")
      if convolution.hasAlpha { composer.text.emit("a_\(row)_\(quad).a = vec4(0.0);") }
    }
    let runs =
      convolution.axis == .horizontal ? plan.target.blockHeight : plan.target.blockWidth / 4
    for run in 0..<runs {
      if convolution.isBox {
        emitBox(run, convolution)
      } else {
        emitRun(run, convolution)
      }
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

  /// The number that the convolution's begin with.
  private var firstNumber: Int { plan.kernel.groupNumberCount }

  /// The sum of a pixel of a run.
  private func sum(
    _ pixel: Int, _ run: Int, _ convolution: SampledKernel.Convolution, _ channel: String
  ) -> String {
    switch convolution.axis {
    case .horizontal: "a_\(run)_\(pixel / 4).\(channel).\(Array("xyzw")[pixel % 4])"
    case .vertical: "a_\(pixel)_\(run).\(channel)"
    }
  }

  /// Declares the pixels of taps, four in a row across, and says how one of them is written.
  private mutating func emitTaps(
    _ name: String, _ start: String, _ run: Int, _ convolution: SampledKernel.Convolution
  ) {
    switch convolution.axis {
    case .horizontal:
      text.emit(
        "Pixels \(name) = G\(convolution.group)(clamp(ivec4(\(start)) + ivec4(0, 1, 2, 3), 0, "
          + "last), y_\(run)_0);")
    case .vertical:
      if let input = wideInput(convolution) {
        let place = "min(bx * \(plan.target.blockWidth) + \(run * 4), p.lastPixel & ~3)"
        text.emit("Pixels \(name) = V\(input)(\(place), clamp(\(start), 0, last));")
        return
      }
      text.emit(
        "Pixels \(name) = G\(convolution.group)(x_0_\(run), ivec4(clamp(\(start), 0, last)));")
    }
  }

  /// The input that a convolution reads as it is, if four of its pixels can be loaded at once.
  private func wideInput(_ convolution: SampledKernel.Convolution) -> Int? {
    let statements = plan.kernel.groups[convolution.group].statements
    guard statements.count == 1, case .load(let input)? = statements.first,
      plan.inputs[input].layout.isFloat, plan.target.usesWideWords
    else { return nil }
    return input
  }

  /// Taps one after the other, each added to the pixels that it counts for.
  private mutating func emitRun(_ run: Int, _ convolution: SampledKernel.Convolution) {
    let block = convolution.axis == .horizontal ? "bx" : "by"
    let count = convolution.pixels.map { $0.firstTap + $0.count }.max() ?? 0
    let width = convolution.axis == .horizontal ? 4 : 1
    text.emit("int start\(run) = \(block) * \(convolution.advance) + (\(convolution.first));")
    for tap in 0..<count {
      let name = "t\(run)_\(tap / width)"
      if tap % width == 0 { emitTaps(name, "start\(run) + \(tap)", run, convolution) }
      for (pixel, own) in convolution.pixels.enumerated() {
        guard (own.firstTap..<own.firstTap + own.count).contains(tap) else { continue }
        let weight = numbers.value(firstNumber + 1 + own.firstWeight + tap - own.firstTap)
        for channel in channels(convolution) {
          let lane = width == 4 ? ".\(Array("xyzw")[tap % 4])" : ""
          text.emit(
            "\(sum(pixel, run, convolution, channel)) += \(weight) * \(name).\(channel)\(lane);")
        }
      }
    }
  }

  /// A mean over many taps: a sum for the first pixel, from which the others follow by one tap more at the
  /// end and one less at the start.
  private mutating func emitBox(_ run: Int, _ convolution: SampledKernel.Convolution) {
    let block = convolution.axis == .horizontal ? "bx" : "by"
    let weight = numbers.value(firstNumber + 1)
    text.emit("int size\(run) = int(\(numbers.value(firstNumber + 2)));")
    text.emit(
      "int start\(run) = \(block) * \(convolution.advance) + int(\(numbers.value(firstNumber + 3)));"
    )
    let channels = channels(convolution)
    let isAcross = convolution.axis == .horizontal
    let zero = isAcross ? "float" : "vec4"
    for channel in channels { text.emit("\(zero) s\(run)\(channel) = \(zero)(0.0);") }
    // Sizes are odd: of a group of four, those beyond the box count nothing.
    text.emit("for (int t = 0; t < size\(run); t += \(isAcross ? 4 : 1)) {")
    emitTaps("q", "start\(run) + t", run, convolution)
    if isAcross {
      text.emit("vec4 inside = vec4(lessThan(ivec4(t) + ivec4(0, 1, 2, 3), ivec4(size\(run))));")
    }
    for channel in channels {
      text.emit("s\(run)\(channel) += \(isAcross ? "dot(inside, q.\(channel))" : "q.\(channel)");")
    }
    text.emit("}")
    for pixel in 0..<SampledKernel.Convolution.run {
      for channel in channels {
        text.emit(
          "\(sum(pixel, run, convolution, channel)) = \(weight) * s\(run)\(channel);")
      }
      let (group, lane) = (pixel / 4, isAcross ? ".\(Array("xyzw")[pixel % 4])" : "")
      let index = isAcross ? group : pixel
      if !isAcross || pixel % 4 == 0 {
        emitTaps("h\(run)_\(index)", "start\(run) + \(pixel)", run, convolution)
        emitTaps("e\(run)_\(index)", "start\(run) + size\(run) + \(pixel)", run, convolution)
      }
      for channel in channels {
        text.emit(
          "s\(run)\(channel) += e\(run)_\(index).\(channel)\(lane) "
            + "- h\(run)_\(index).\(channel)\(lane);")
      }
    }
  }
}
