/// A GLSL type that is loaded and stored at once, and its 32-bit words.
struct VectorType {
  let bytes: Int
  /// Whether it is made of 64-bit integers.
  let wide: Bool

  init(bytes: Int, wide: Bool) {
    self.bytes = bytes
    self.wide = wide && bytes >= 8
  }

  var name: String {
    switch (bytes, wide) {
    case (8, true): "uint64_t"
    case (16, true): "u64vec2"
    case (32, true): "u64vec4"
    case (8, false): "uvec2"
    case (16, false): "uvec4"
    default: "uint"
    }
  }

  private var elementCount: Int { wide ? bytes / 8 : bytes / 4 }

  private func element(_ index: Int, of value: String) -> String {
    elementCount == 1 ? value : "\(value).\(Array("xyzw")[index])"
  }

  /// The texts of the words of `value`, in the order of memory.
  func words(of value: String) -> [String] {
    (0..<elementCount).flatMap { index -> [String] in
      let element = element(index, of: value)
      return wide ? ["unpack32(\(element)).x", "unpack32(\(element)).y"] : [element]
    }
  }

  /// The text of a value made of words.
  func make(of words: [String]) -> String {
    let elements =
      wide
      ? stride(from: 0, to: words.count, by: 2).map {
        "pack64(uvec2(\(words[$0]), \(words[$0 + 1])))"
      } : words
    return elements.count == 1 ? elements[0] : "\(name)(\(elements.joined(separator: ", ")))"
  }
}
