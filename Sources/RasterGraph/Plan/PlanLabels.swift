extension PointwiseProgram {
  /// What happens, in words.
  func label(from source: PixelLayout, to destination: PixelLayout) -> String {
    ([source.name] + operations.map(\.label) + [destination.name]).joined(separator: " → ")
  }
}

extension PointwiseProgram.Operation {
  var label: String {
    switch self {
    case .matrix(let shape): "matrix(\(shape))"
    case .function(let call): call.source.label
    case .codeLimits: "code-limits"
    case .opacity: "opacity"
    }
  }
}

extension SampledKernel {
  /// What happens, in words: groups in the order in which they are made.
  var label: String {
    let texts = groups.enumerated().map { index, group in
      let steps = group.statements.map { label(of: $0) }.joined(separator: " → ")
      return index == groups.count - 1 ? steps : "[\(index): \(steps)]"
    }
    return texts.joined(separator: " ")
  }

  private func label(of statement: Statement) -> String {
    switch statement {
    case .load(let input):
      switch inputs[input] {
      case .frame(let index): "frame \(index)"
      case .still(let index): "picture \(index)"
      case .intermediate(let index): "intermediate \(index)"
      }
    case .convolved:
      convolution.map { "convolve(\($0.axis), [\($0.group)])" } ?? "convolve"
    case .matrix: "matrix"
    case .color(let call, _), .luma(let call, _), .generate(let call), .combine(let call, _, _):
      call.source.label
    case .codeLimits: "code-limits"
    case .opacity: "opacity"
    case .premultiply: "premultiply"
    case .unpremultiply: "unpremultiply"
    case .solid: "solid"
    case .checkered: "checkered"
    case .base(let group): "[\(group)]"
    case .layer(let call, _, let group, _): "\(call.operator)(\(call.mode.name), [\(group)])"
    case .blend(let call, _, _, _):
      call.operator == .over
        ? "blend(\(call.mode.name))" : "blend(\(call.mode.name), \(call.operator))"
    case .sample(let sampling, let group, _): "\(sampling.interpolation)([\(group)])"
    case .warp(let call, let sampling, let group, _):
      "\(call.source.label)(\(sampling.interpolation)([\(group)]))"
    case .neighborhood(let call, let group): "\(call.source.label)([\(group)])"
    case .equalize: "equalize"
    }
  }
}

extension RenderPlan {
  /// The plan as a Graphviz graph: a box for each pass with what happens in it, and arrows for the
  /// pictures between them.
  package var dot: String {
    var lines = ["digraph plan {", "  rankdir=LR;", "  node [shape=box];"]
    for (index, pass) in passes.enumerated() {
      let steps = pass.label.replacing(" → ", with: "\\n").replacing("\"", with: "'")
      lines.append("  pass\(index) [label=\"pass \(index + 1), \(pass.extent)\\n\(steps)\"];")
      for input in pass.body.inputs {
        let from =
          switch input {
          case .frame(let frame): "frame\(frame)"
          case .still(let still): "picture\(still)"
          case .intermediate(let result): producer(of: result)
          }
        lines.append("  \(from) -> pass\(index);")
      }
      if pass.output == .destination { lines.append("  pass\(index) -> output;") }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func producer(of result: Int) -> String {
    let index = passes.firstIndex { $0.output == .intermediate(result) } ?? 0
    return "pass\(index)"
  }
}
