/// A text of the shader library with the names of its functions made unique.
struct Snippet {
  let source: String
  private let suffix: String

  /// - Parameters:
  ///   - text: GLSL functions that begin in the first column.
  ///   - suffix: what their names end in.
  ///   - table: the name of the array that the text calls `TABLE`; nil where it has none.
  init(_ text: String, suffix: String, table: String?) {
    var names: Set<Substring> = []
    for line in text.split(separator: "\n") where line.first?.isLetter == true {
      guard let open = line.firstIndex(of: "("), !line.hasPrefix("//") else { continue }
      if let name = line[..<open].split(separator: " ").last { names.insert(name) }
    }
    source = Snippet.replacingWords(in: text) { word in
      if word == "TABLE" { return table }
      return names.contains(word) ? "\(word)\(suffix)" : nil
    }
    self.suffix = suffix
  }

  /// The name by which a function of the text is called.
  func name(of function: String) -> String { function + suffix }

  private static func replacingWords(
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
