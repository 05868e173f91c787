internal import RasterGraph

extension KernelComposer {
  /// The channels that the kernel computes: three where they are mixed, else those of the source.
  private var channelCount: Int { plan.mixesChannels ? 3 : plan.source.colors.count }

  /// Makes `vec4`s `c<channel>_<row>_<quad>` of the loaded words, and alpha's `ivec4`s at once.
  mutating func emitUnpacking() {
    for (name, component) in plan.source.storedComponents {
      let isColor = name != PixelLayout.alphaName
      let isShared = plan.mixesChannels && isColor && isSubsampled(component, plan.source)
      forEachQuad(of: component, in: plan.source) { composer, row, quad, lanes in
        let stride = composer.plan.source.planes[component.plane].pixelStride
        let samples = (0..<4).map { lane -> String in
          guard lane < lanes else { return "0u" }
          let byte = (quad * 4 + lane) * stride + component.offset
          return component.sample(
            at: byte % 4, of: "s\(component.plane)_\(row)_\(byte / 4)")
        }
        let value = "ivec4(\(samples.joined(separator: ", ")))"
        let name = "\(isShared ? "h" : isColor ? "c" : "o")\(name)_\(row)_\(quad)"
        composer.emit(isColor ? "vec4 \(name) = vec4(\(value));" : "ivec4 \(name) = \(value);")
      }
      if isShared { emitRepeated(name, component) }
    }
    if plan.mixesChannels, plan.source.colors.count == 1 { emitGray() }
  }

  /// Gives each pixel the chroma sample that it shares with its neighbors.
  private mutating func emitRepeated(_ name: String, _ component: PixelLayout.Component) {
    let plane = plan.source.planes[component.plane]
    forEachQuad(of: plan.source.colors[0], in: plan.source) { composer, row, quad, _ in
      let shared = row >> plane.verticalSubsampling
      let (index, lanes) =
        plane.horizontalSubsampling == 0
        ? (quad, "xyzw") : (quad / 2, quad % 2 == 0 ? "xxyy" : "zzww")
      composer.emit("vec4 c\(name)_\(row)_\(quad) = h\(name)_\(shared)_\(index).\(lanes);")
    }
  }

  /// Makes the second and third channel of gray.
  private mutating func emitGray() {
    forEachQuad(of: plan.source.colors[0], in: plan.source) { composer, row, quad, _ in
      for channel in 1...2 {
        composer.emit("vec4 c\(channel)_\(row)_\(quad) = c0_\(row)_\(quad);")
      }
    }
  }

  /// Applies the program to all channels.
  mutating func emitOperations() {
    var value = 0
    var functions = functionNames[...]
    for operation in plan.operations {
      switch operation {
      case .matrix(let shape): emitMatrix(shape, firstValue: value)
      case .function(let call): emitCall(call, functions.popFirst() ?? "", firstValue: value)
      case .codeLimits: emitCodeLimits()
      case .opacity: emitOpacity(value)
      }
      value += operation.valueCount
    }
  }

  /// Brings alpha to the depth of the destination.
  mutating func emitAlphaDepth() {
    guard let source = plan.source.alpha, let target = plan.target.layout.alpha,
      source.depth != target.depth
    else { return }
    let scale = Double(target.largest) / Double(source.largest)
    forEachQuad(of: source, in: plan.source) { composer, row, quad, _ in
      let name = "o\(PixelLayout.alphaName)_\(row)_\(quad)"
      composer.emit("\(name) = truncated(vec4(\(name)) * \(scale) + 0.5);")
    }
  }

  private mutating func emitMatrix(_ shape: PointwiseProgram.MatrixShape, firstValue first: Int) {
    let colors = plan.source.colors
    switch shape {
    case .single, .separate:
      forEachQuad(of: colors[0], in: plan.source) { composer, row, quad, _ in
        let name = "c0_\(row)_\(quad)"
        composer.emit(
          "\(name) = \(composer.value(first)) * \(name) + \(composer.value(first + 1));")
      }
      guard shape == .separate else { return }
      forEachQuad(of: colors[1], in: plan.source) { composer, row, quad, _ in
        let names = (1...2).map { "c\($0)_\(row)_\(quad)" }
        composer.emitRows([2, 5].map { (first + $0, names) }, targets: names)
      }
    case .full:
      forEachQuad(of: colors[0], in: plan.source) { composer, row, quad, _ in
        let names = (0...2).map { "c\($0)_\(row)_\(quad)" }
        composer.emitRows([0, 4, 8].map { (first + $0, names) }, targets: names)
      }
    }
  }

  /// Replaces `targets` by rows of a matrix, each of which has factors for its inputs, then an offset.
  private mutating func emitRows(_ rows: [(value: Int, inputs: [String])], targets: [String]) {
    let texts = rows.map { row in
      let terms = row.inputs.enumerated().map { "\(value(row.value + $0)) * \($1)" }
      return (terms + [value(row.value + row.inputs.count)]).joined(separator: " + ")
    }
    emit("{")
    for (index, text) in texts.enumerated() { emit("  vec4 t\(index) = \(text);") }
    for (index, target) in targets.enumerated() { emit("  \(target) = t\(index);") }
    emit("}")
  }

  private mutating func emitCall(
    _ call: ShaderCall, _ function: String, firstValue first: Int
  ) {
    let arguments = (0..<call.argumentCount).map { ", \(value(first + $0))" }.joined()
    forEachQuad(of: plan.source.colors[0], in: plan.source) { composer, row, quad, _ in
      let names = (0...2).map { "c\($0)_\(row)_\(quad)" }
      switch call.channels {
      case .first: composer.emit("\(names[0]) = \(function)(\(names[0])\(arguments));")
      case .all: composer.emit("\(function)(\(names.joined(separator: ", "))\(arguments));")
      }
    }
  }

  private mutating func emitCodeLimits() {
    for channel in 0..<channelCount {
      let component = plan.source.colors[plan.mixesChannels ? 0 : channel]
      forEachQuad(of: component, in: plan.source) { composer, row, quad, _ in
        let name = "c\(channel)_\(row)_\(quad)"
        composer.emit("\(name) = clamp(\(name), 0.0, 1.0);")
      }
    }
  }

  private mutating func emitOpacity(_ value: Int) {
    guard let alpha = plan.source.alpha else { return }
    forEachQuad(of: alpha, in: plan.source) { composer, row, quad, _ in
      let name = "o\(PixelLayout.alphaName)_\(row)_\(quad)"
      composer.emit("\(name) = truncated(vec4(\(name)) * \(composer.value(value)) + 0.5);")
    }
  }

  private func isSubsampled(_ component: PixelLayout.Component, _ layout: PixelLayout) -> Bool {
    let plane = layout.planes[component.plane]
    return plane.horizontalSubsampling > 0 || plane.verticalSubsampling > 0
  }

  /// Calls `body` with each row and group of four samples that a block has of a component, and the
  /// number of samples in the group: fewer than four in blocks of one or two samples.
  private mutating func forEachQuad(
    of component: PixelLayout.Component, in layout: PixelLayout,
    _ body: (inout KernelComposer, _ row: Int, _ quad: Int, _ lanes: Int) -> Void
  ) {
    let plane = layout.planes[component.plane]
    let samples = plane.rowBytes(width: plan.target.blockWidth) / plane.pixelStride
    for row in 0..<plane.rows(height: plan.target.blockHeight) {
      for quad in 0..<((samples + 3) / 4) {
        body(&self, row, quad, min(4, samples - quad * 4))
      }
    }
  }
}

extension PixelLayout.Component {
  /// The text of the sample that starts at a byte of a 32-bit word.
  func sample(at byte: Int, of word: String) -> String {
    let low = 8 * byte + shift
    let shifted = low == 0 ? word : "(\(word) >> \(low))"
    return low + depth == 32 ? shifted : "\(shifted) & \(largest)u"
  }
}
