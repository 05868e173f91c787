import CShim
import RasterGraph
import RasterShader
import Testing

/// Filters by text, as the `filters` property takes them: `name, property=value, …; name, …`.
enum FilterExample {
  static let names = FilterRegistry.all.map { $0.name }

  /// The text of a filter with values that show what it does.
  static func text(_ name: String) -> String {
    let example = FilterRegistry.all.first { $0.name == name }?.example ?? ""
    return example.isEmpty ? name : "\(name), \(example)"
  }

  static func make(_ list: String) throws -> [any Filter] {
    try pieces(list, at: ";").map { text in
      let fields = pieces(text, at: ",")
      var filter = try FilterRegistry.make(fields[0])
      let descriptors = type(of: filter).descriptors
      for field in fields.dropFirst() {
        let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
        let index = try #require(descriptors.firstIndex { $0.name == parts[0] }, "\(field)")
        let word = parts[1].filter { $0 != "\"" }
        try filter.set(try value(word, descriptors[index].kind), at: index)
      }
      try filter.load(ExampleResources())
      return filter
    }
  }

  /// The parts of a text between separators that are not within quotation marks.
  private static func pieces(_ text: String, at separator: Character) -> [String] {
    var result = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        result.append("")
      } else if !(result[result.count - 1].isEmpty && character == " ") {
        result[result.count - 1].append(character)
      }
    }
    return result
  }

  private static func value(_ text: String, _ kind: ParameterKind) throws -> ParameterValue {
    switch kind {
    case .number: .number(try #require(Double(text), "\(text)"))
    case .toggle: .toggle(text == "true")
    case .text, .choice: .text(text)
    }
  }
}

/// What the values of examples name: files from the repository's folder, and a picture that is always there.
private struct ExampleResources: FilterResources {
  func bytes(_ path: String) throws(RasterError) -> [UInt8] {
    var contents: UnsafeMutablePointer<CChar>?
    var count: gsize = 0
    guard g_file_get_contents(path, &contents, &count, nil) != 0, let contents else {
      throw missing(path)
    }
    defer { g_free(contents) }
    return [UInt8](UnsafeRawBufferPointer(start: contents, count: Int(count)))
  }

  func picture(_ path: String) throws(RasterError) -> StillImage {
    let pixels = (0..<24).map { UInt16($0 * 2000) }
    guard let still = StillImage(extent: Extent(width: 3, height: 2), pixels: pixels) else {
      throw missing(path)
    }
    return still
  }

  func filters(_ list: String) throws(RasterError) -> [any Filter] {
    do {
      return try FilterExample.make(list)
    } catch {
      throw missing("\(list): \(error)")
    }
  }

  func check(_ shader: UserShader) throws(RasterError) { try UserShaderText.check(shader) }

  func modificationTime(_ path: String) -> Int64 { 0 }

  private func missing(_ name: String) -> RasterError {
    RasterError(.invalidSetting, "There is no \(name).", remedy: "Run the tests in the repository.")
  }
}
