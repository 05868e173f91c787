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

  var source: String { lines.joined(separator: "\n") + "\n" }
}
