internal import RasterGraph
internal import ShaderLibrary

/// A text of the shader library with the names of its functions made unique.
struct Snippet {
  let source: String
  private let suffix: String

  /// - Parameters:
  ///   - suffix: what the names of the text's functions, which begin in the first column, end in.
  ///   - words: what takes the place of other words, such as `TABLE`.
  /// - Throws: `internalFailure` where the library has no such text.
  init(
    _ shader: ShaderSource, suffix: String, words: [String: String]
  ) throws(RasterError) {
    self.suffix = suffix
    if case .user(let user) = shader {
      source = UserShaderText.wrapped(user, suffix: suffix, words: words)
      return
    }
    guard let text = shader.file.flatMap(ShaderLibrary.source) else {
      throw RasterError(
        .internalFailure, "The shader library has no function \(shader.function).",
        remedy: "Report it: the plugin was built without one of its shaders.")
    }
    var names: Set<Substring> = []
    for line in text.split(separator: "\n") where line.first?.isLetter == true {
      guard let open = line.firstIndex(of: "("), !line.hasPrefix("//") else { continue }
      if let name = line[..<open].split(separator: " ").last { names.insert(name) }
    }
    source = Snippet.replacingWords(in: text) { word in
      if let other = words[String(word)] { return other }
      return names.contains(word) ? "\(word)\(suffix)" : nil
    }
  }

  /// The name by which a function of the text is called.
  func name(of function: String) -> String { function + suffix }

  static func replacingWords(
    in text: String, _ replacement: (Substring) -> String?
  ) -> String {
    func isWord(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      let isWordAhead = isWord(first)
      let run = rest.prefix { isWord($0) == isWordAhead }
      result += isWordAhead ? (replacement(run) ?? String(run)) : String(run)
      rest = rest[run.endIndex...]
    }
    return result
  }
}
