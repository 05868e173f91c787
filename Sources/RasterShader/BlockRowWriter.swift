internal import RasterGraph

/// Writes the functions by which kernels of regions read a row of a block at once: `void F<n>(int x, int y)` loads the
/// words from a position on, with the widest loads, and `Pixels C<n>(int x, int y, int moved, bool isInside)` makes
/// samples of those of the quad `quad`.
///
/// Where whole rows are read `x` is a multiple of the block's width; else it is any, and samples beyond the row have any
/// values. Where planes are computed apart, positions are those of `chroma` or of luma,
/// and the other samples have any values.
struct BlockRowWriter {
  let input: SampledPlan.Input
  let target: KernelTarget
  let reading: SampledKernel.RowReading
  let index: Int
  let firstPlane: Int
  let numbers: KernelNumbers

  private var layout: PixelLayout { input.layout }
  private var arePlanesApart: Bool { reading.arePlanesApart }

  func addFunctions(to text: inout KernelText) {
    for plane in layout.planes.indices {
      let binding = firstPlane + plane
      text.add(
        readsTexels(plane)
          ? "layout(set = 0, binding = \(binding)) uniform utextureBuffer v\(binding);"
          : "layout(std430, set = 0, binding = \(binding)) readonly restrict buffer V\(binding) "
            + "{ \(access(plane).name) v\(binding)[]; };")
      text.add("uint \(words(plane).joined(separator: ", "));")
    }
    text.add("void F\(index)(int x, int y) {")
    forEachPart(&text) { plane, text in emitLoads(plane, to: &text) }
    text.add("}")
    text.add("Pixels C\(index)(int x, int y, int moved, bool isInside) {")
    text.emit("Pixels q = Pixels(vec4(0.0), vec4(0.0), vec4(0.0), vec4(1.0));")
    forEachPart(&text) { plane, text in
      for (name, component) in layout.storedComponents where component.plane == plane {
        emitSamples(name, component, to: &text)
      }
    }
    if layout.colors.count == 1 { text.emit("q.g = q.r; q.b = q.r;") }
    text.emit("return q;")
    text.add("}")
  }

  /// Writes what is done for each plane: for luma and chroma apart where they are computed so.
  private func forEachPart(
    _ text: inout KernelText, _ body: (_ plane: Int, _ text: inout KernelText) -> Void
  ) {
    let luma = layout.colors[0].plane
    for plane in layout.planes.indices {
      if arePlanesApart { text.emit(plane == luma ? "if (!chroma) {" : "if (chroma) {") }
      body(plane, &text)
      if arePlanesApart { text.emit("}") }
    }
  }

  // MARK: - Words

  private func readsTexels(_ plane: Int) -> Bool { input.readsTexels(plane, target, reading) }

  private func rowBytes(_ plane: Int) -> Int {
    layout.planes[plane].rowBytes(width: target.blockWidth)
  }

  /// What is loaded at once.
  private func access(_ plane: Int) -> VectorType {
    if readsTexels(plane) { return VectorType(bytes: 16, wide: false) }
    if !reading.isWhole { return VectorType(bytes: 4, wide: false) }
    let bytes = rowBytes(plane)
    return VectorType(
      bytes: min(input.alignments[plane], bytes & -bytes, target.usesWideWords ? 32 : 16),
      wide: target.usesWideWords)
  }

  private func words(_ plane: Int) -> [String] {
    (0..<rowBytes(plane) / 4).map { "w\(firstPlane + plane)_\($0)" }
  }

  private func emitLoads(_ plane: Int, to text: inout KernelText) {
    let shape = layout.planes[plane]
    let (across, down) =
      arePlanesApart ? (0, 0) : (shape.horizontalSubsampling, shape.verticalSubsampling)
    text.emit(
      "int a\(plane) = \(numbers.offset(firstPlane + plane)) "
        + "+ (y >> \(down)) * \(numbers.stride(firstPlane + plane)) "
        + "+ (x >> \(across)) * \(shape.pixelStride);")
    if reading.isWhole {
      emitAlignedLoads(plane, to: &text)
    } else {
      emitMovedLoads(plane, to: &text)
    }
  }

  private func emitAlignedLoads(_ plane: Int, to text: inout KernelText) {
    let (binding, access) = (firstPlane + plane, access(plane))
    var rest = words(plane)[...]
    for vector in 0..<rowBytes(plane) / access.bytes {
      let name = "q\(plane)_\(vector)"
      let index = "(a\(plane) >> \(access.bytes.trailingZeroBitCount)) + \(vector)"
      text.emit(
        readsTexels(plane)
          ? "uvec4 \(name) = texelFetch(v\(binding), \(index));"
          : "\(access.name) \(name) = v\(binding)[\(index)];")
      for part in access.words(of: name) { text.emit("\(rest.removeFirst()) = \(part);") }
    }
  }

  /// Words from any byte on: of texels, those that begin at one of four words, then all are shifted by bytes.
  private func emitMovedLoads(_ plane: Int, to text: inout KernelText) {
    let (binding, words) = (firstPlane + plane, words(plane))
    let a = "a\(plane)"
    var found = (0...words.count).map { "u\(plane)_\($0)" }
    if readsTexels(plane) {
      text.emit("int n\(plane) = textureSize(v\(binding)) - 1;")
      var all: [String] = []
      for texel in 0..<(words.count + 7) / 4 {
        let name = "q\(plane)_\(texel)"
        text.emit(
          "uvec4 \(name) = texelFetch(v\(binding), clamp((\(a) >> 4) + \(texel), 0, n\(plane)));")
        all += "xyzw".map { "\(name).\($0)" }
      }
      for (step, bit) in [(2, 8), (1, 4)] {
        let count = words.count + (step == 2 ? 2 : 1)
        text.emit("bool b\(plane)_\(step) = (\(a) & \(bit)) != 0;")
        all = (0..<count).map { word in
          let name = "u\(plane)_\(step)_\(word)"
          text.emit("uint \(name) = b\(plane)_\(step) ? \(all[word + step]) : \(all[word]);")
          return name
        }
      }
      found = all
    } else {
      text.emit("int n\(plane) = v\(binding).length() - 1;")
      for (word, name) in found.enumerated() {
        text.emit("uint \(name) = v\(binding)[clamp((\(a) >> 2) + \(word), 0, n\(plane))];")
      }
    }
    text.emit("int shift\(plane) = (\(a) & 3) * 8;")
    let isWhole = layout.planes[plane].pixelStride % 4 == 0 && input.isAligned[plane]
    for (word, name) in words.enumerated() {
      // Shifting by 32 at once is undefined.
      text.emit(
        isWhole
          ? "\(name) = \(found[word]);"
          : "\(name) = (\(found[word]) >> shift\(plane)) "
            + "| (\(found[word + 1]) << 1 << (31 - shift\(plane)));")
    }
  }

  // MARK: - Samples

  /// Makes a channel of `q` of the quad's words.
  private func emitSamples(
    _ name: String, _ component: PixelLayout.Component, to text: inout KernelText
  ) {
    let plane = component.plane
    let shape = layout.planes[plane]
    let isShared = !arePlanesApart && shape.horizontalSubsampling == 1
    let samples = isShared ? 2 : 4
    let bytes = samples * shape.pixelStride
    let lanes = (0..<samples).map { lane -> String in
      let byte = lane * shape.pixelStride + component.offset
      let word = word(plane, byte / 4, quadBytes: bytes)
      // Quads of two bytes share a word.
      let low = byte % 4 * 8 + component.shift
      return bytes < 4 ? "\(word) >> ((quad & 1) * 16 + \(low))" : "\(word) >> \(low)"
    }
    let type = isShared ? "uvec2" : "uvec4"
    let value =
      "vec4((\(type)(\(lanes.joined(separator: ", "))) & \(component.largest)u)"
      + "\(isShared ? ".xxyy" : ""))"
    guard let alpha = layout.alpha, name == PixelLayout.alphaName else {
      text.emit("q.\(Array("rgb")[Int(name) ?? 0]) = \(value);")
      return
    }
    text.emit("q.a = \(value) * \(1 / Double(alpha.largest));")
  }

  /// A word of the quad: which of those of the row that is is known when the kernel is compiled.
  private func word(_ plane: Int, _ word: Int, quadBytes: Int) -> String {
    let words = words(plane)
    var result = "0u"
    for quad in (0..<rowBytes(plane) / quadBytes).reversed() {
      result = "(quad == \(quad) ? \(words[quad * quadBytes / 4 + word]) : \(result))"
    }
    return result
  }
}
