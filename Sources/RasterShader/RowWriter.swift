internal import RasterGraph

/// Writes the function `Pixels C<n>(int x, int y, int moved, bool isInside)` that reads the stored samples of an
/// input at four neighboring positions of a row: as ``InputWriter`` does, with few loads. Positions beyond the row
/// have any values.
///
/// `x` is `moved` and a multiple of four. `moved` and `isInside`, which is whether all positions are in the row, are the
/// same for all invocations, and so are all branches.
struct RowWriter {
  let input: SampledPlan.Input
  let reading: SampledKernel.RowReading
  let index: Int
  let firstPlane: Int
  let usesWideWords: Bool
  let numbers: KernelNumbers

  private var layout: PixelLayout { input.layout }

  func addFunction(to text: inout KernelText) {
    guard !layout.isFloat, layout.planes.indices.allSatisfy({ canRead($0) }) else {
      text.add("Pixels C\(index)(int x, int y, int moved, bool isInside) {")
      text.emit("return L\(index)(max(ivec4(x) + ivec4(0, 1, 2, 3), 0), ivec4(y));")
      text.add("}")
      return
    }
    for plane in layout.planes.indices where isWide(plane) {
      text.add(
        "layout(std430, set = 0, binding = \(firstPlane + plane)) readonly restrict buffer "
          + "V\(firstPlane + plane) { \(usesWideWords ? "u64vec2" : "uvec4") "
          + "v\(firstPlane + plane)[]; };")
    }
    text.add("Pixels C\(index)(int x, int y, int moved, bool isInside) {")
    for plane in layout.planes.indices { emitWords(plane, to: &text) }
    for (name, component) in layout.storedComponents { emitSamples(name, component, to: &text) }
    let colors = layout.colors.count == 1 ? ["c0", "c0", "c0"] : ["c0", "c1", "c2"]
    let alpha =
      layout.alpha.map { "c\(PixelLayout.alphaName) * \(1 / Double($0.largest))" } ?? "vec4(1.0)"
    text.emit("return Pixels(\(colors.joined(separator: ", ")), \(alpha));")
    text.add("}")
  }

  // MARK: - Words

  /// Powers of two of pixels that share a sample of a plane.
  private func subsampling(_ plane: Int) -> (x: Int, y: Int) {
    let shape = layout.planes[plane]
    return (shape.horizontalSubsampling, shape.verticalSubsampling)
  }

  private func canRead(_ plane: Int) -> Bool {
    let shape = layout.planes[plane]
    return shape.horizontalSubsampling <= 1
      && layout.storedComponents.allSatisfy {
        $0.component.plane != plane || $0.component.bytes == 1 || shape.pixelStride % 2 == 0
      }
  }

  /// Whether four pixels are sixteen bytes.
  private func isWide(_ plane: Int) -> Bool {
    reading == .branching && layout.planes[plane].pixelStride == 4 && subsampling(plane).x == 0
  }

  /// Groups of samples that four pixels may have: of those that share one, three where they begin with a second.
  private func groupCount(_ plane: Int) -> Int {
    subsampling(plane).x == 0 ? 4 : 3
  }

  /// Makes `w<plane>_<word>` of the bytes from the first sample on, as many as are needed.
  private func emitWords(_ plane: Int, to text: inout KernelText) {
    let shape = layout.planes[plane]
    let binding = firstPlane + plane
    let size = shape.pixelStride
    let count = (groupCount(plane) * size + 3) / 4
    let (a, i) = ("a\(plane)", "i\(plane)")
    text.emit(
      "int \(a) = \(numbers.offset(binding)) + (y >> \(subsampling(plane).y)) "
        + "* \(numbers.stride(binding)) + (x >> \(subsampling(plane).x)) * \(size);")
    text.emit("int \(i) = \(a) >> 2;")
    let words = (0..<count).map { "w\(plane)_\($0)" }
    text.emit("uint \(words.joined(separator: ", "));")
    if reading != .branching {
      emitFixedWords(plane, words, to: &text)
      return
    }
    emitFoundWords(plane, words, to: &text)
  }

  /// Words by one of several ways, as the place of the rows allows.
  private func emitFoundWords(_ plane: Int, _ words: [String], to text: inout KernelText) {
    let size = layout.planes[plane].pixelStride
    let binding = firstPlane + plane
    let (a, i) = ("a\(plane)", "i\(plane)")
    let placing = "\(numbers.offset(binding)) | \(numbers.stride(binding))"
    if isWide(plane) {
      text.emit("if (isInside && ((\(placing) | (moved << 2)) & 15) == 0) {")
      text.emit("\(usesWideWords ? "u64vec2" : "uvec4") q = v\(binding)[\(a) >> 4];")
      let parts = VectorType(bytes: 16, wide: usesWideWords).words(of: "q")
      for (word, part) in zip(words, parts) { text.emit("\(word) = \(part);") }
      text.emit("} else")
    }
    // Two samples for four pixels: within a word, or whole words.
    let isShared = subsampling(plane).x == 1
    let least = isShared ? max(1, size / 2) : words.count
    text.emit(
      "if (isInside && ((\(placing) | \(isShared ? "(moved & 3)" : "(moved * \(size))")) & 3) == 0) {"
    )
    for (word, name) in words.enumerated() {
      text.emit(word < least ? "\(name) = s\(binding)[\(i) + \(word)];" : "\(name) = 0u;")
    }
    if isShared, size < 2 { text.emit("\(words[0]) >>= (\(a) & 3) * 8;") }
    text.emit("} else {")
    text.emit("int n = s\(binding).length() - 1, shift = (\(a) & 3) * 8;")
    for word in 0...words.count {
      text.emit("uint u\(word) = s\(binding)[clamp(\(i) + \(word), 0, n)];")
    }
    for (word, name) in words.enumerated() {
      // Shifting by 32 at once is undefined.
      text.emit("\(name) = (u\(word) >> shift) | (u\(word + 1) << 1 << (31 - shift));")
    }
    text.emit("}")
  }

  /// Words by one way alone, which is right for all of the region.
  private func emitFixedWords(_ plane: Int, _ words: [String], to text: inout KernelText) {
    let shape = layout.planes[plane]
    let binding = firstPlane + plane
    let (a, i) = ("a\(plane)", "i\(plane)")
    let isShared = subsampling(plane).x == 1
    // Rows that start at whole words.
    if reading.isWhole, input.alignments[plane] >= 4 {
      let least = isShared ? max(1, shape.pixelStride / 2) : words.count
      for (word, name) in words.enumerated() {
        text.emit(word < least ? "\(name) = s\(binding)[\(i) + \(word)];" : "\(name) = 0u;")
      }
      if isShared, shape.pixelStride < 2 { text.emit("\(words[0]) >>= (\(a) & 3) * 8;") }
      return
    }
    let isWhole = shape.pixelStride % 4 == 0 && input.isAligned[plane]
    text.emit("int n\(plane) = s\(binding).length() - 1, shift\(plane) = (\(a) & 3) * 8;")
    for word in 0...(isWhole ? words.count - 1 : words.count) {
      text.emit("uint u\(plane)_\(word) = s\(binding)[clamp(\(i) + \(word), 0, n\(plane))];")
    }
    for (word, name) in words.enumerated() {
      let (low, high) = ("u\(plane)_\(word)", "u\(plane)_\(word + 1)")
      text.emit(
        isWhole
          ? "\(name) = \(low);"
          : "\(name) = (\(low) >> shift\(plane)) | (\(high) << 1 << (31 - shift\(plane)));")
    }
  }

  // MARK: - Samples

  /// Makes `c<name>` of the words.
  private func emitSamples(
    _ name: String, _ component: PixelLayout.Component, to text: inout KernelText
  ) {
    let plane = component.plane
    let size = layout.planes[plane].pixelStride
    let samples = (0..<groupCount(plane)).map { group -> String in
      let byte = group * size + component.offset
      let low = byte % 4 * 8 + component.shift
      let word = "w\(plane)_\(byte / 4)"
      return low == 0 ? word : "\(word) >> \(low)"
    }
    let lanes = "\(samples.joined(separator: ", "))"
    if samples.count == 4 {
      text.emit("vec4 c\(name) = vec4(uvec4(\(lanes)) & \(component.largest)u);")
      return
    }
    text.emit("uvec3 g\(name) = uvec3(\(lanes)) & \(component.largest)u;")
    text.emit(
      "vec4 c\(name) = vec4((moved & 1) == 0 ? g\(name).xxyy : g\(name).xyyz);")
  }
}
