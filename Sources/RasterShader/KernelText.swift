internal import RasterGraph

/// The lines of a kernel while it is being written.
struct KernelText {
  private(set) var lines: [String] = []

  /// Adds a line of the entry point.
  mutating func emit(_ line: String) { lines.append("  " + line) }

  /// Adds a line as it is.
  mutating func add(_ line: String) { lines.append(line) }

  /// Adds a storage buffer.
  mutating func addBuffer(_ binding: Int, _ use: String, _ content: String) {
    lines.append(
      "layout(std430, set = 0, binding = \(binding)) \(use) restrict buffer B\(binding) "
        + "{ \(content) };")
  }

  /// Adds `ivec4 toInteger(vec4 v)`, which rounds numbers from −2²² to 2²² down, and `ivec4 truncated(vec4 v)`, which
  /// does so for numbers that are not negative: where conversions are slow, by way of the sum with 1.5 × 2²³, the last
  /// bits of which are the integer.
  mutating func addConversions(_ target: KernelTarget) {
    let byBits = "floatBitsToInt(floor(v) + 12582912.0) - 0x4B400000"
    let (any, positive) = target.convertsByBits ? (byBits, byBits) : ("ivec4(floor(v))", "ivec4(v)")
    add("ivec4 toInteger(vec4 v) { return \(any); }")
    add("ivec4 truncated(vec4 v) { return \(positive); }")
  }

  /// Begins what is computed for each block: `bx` and `by` are its column and line. Invocations beyond the last column
  /// repeat that.
  ///
  /// - Parameter origin: what is added to the numbers of invocations across and down.
  mutating func beginBlock(
    _ target: KernelTarget, origin: (column: String, line: String) = ("", "")
  ) {
    emit("int by = min(int(gl_GlobalInvocationID.y)\(origin.line), p.lastLine);")
    guard target.walksRows else {
      emit("int bx = min(int(gl_GlobalInvocationID.x)\(origin.column), p.lastColumn);")
      return
    }
    emit(
      "for (int column = 0\(origin.column); column <= p.lastColumn; "
        + "column += \(target.workgroupWidth)) {")
    emit("int bx = min(column + int(gl_LocalInvocationID.x), p.lastColumn);")
  }

  mutating func endBlock(_ target: KernelTarget) {
    if target.walksRows { emit("}") }
  }

  var source: String { lines.joined(separator: "\n") + "\n" }
}
