internal import RasterColor

/// The user's own GLSL.
package struct Shader: Filter {
  package static let name = "shader"
  package static let blurb = "Runs GLSL of your own"
  package static let example =
    "kind=warp, location=docs/examples/waves.glsl, uniforms=\"height=6, wave=36\""
  package static let kind = FilterKind.shader
  package static let parameters: [Parameter<Shader>] = [
    .choice(
      "kind", "Kind",
      "What the text defines: vec4 color(vec4 pixel), from straight R'G'B'A to the same; vec2 "
        + "warp(vec2 position), from a position of the result to one of the input, in pixels; or vec4 "
        + "sampled(vec2 position), which reads the input by pixel(position). All know time (seconds) "
        + "and size (vec2, pixels)",
      UserShader.Kind.allCases.map(\.rawValue), default: UserShader.Kind.color.rawValue,
      \Shader.function),
    .text("location", "Location", "A file with the text", \Shader.location),
    .text("code", "Code", "The text itself, where there is no file", \Shader.code),
    .text(
      "uniforms", "Uniforms",
      "Numbers that the text uses by name, apart by commas, such as strength=0.5, radius=20; they can "
        + "change without a new kernel",
      \Shader.uniforms),
    .toggle(
      "reload", "Reload", "Whether the file is read again when it changes", default: false,
      \Shader.reload),
  ]

  package var function = UserShader.Kind.color.rawValue
  package var location = ""
  package var code = ""
  package var uniforms = ""
  package var reload = false
  private var loaded: Loaded?

  /// A text that compiles.
  private struct Loaded: Hashable, Sendable {
    let key: [String]
    let shader: UserShader
    let modificationTime: Int64
  }

  package init() {}

  package var isIdentity: Bool { loaded == nil }
  package var movesPicture: Bool { function == UserShader.Kind.warp.rawValue }
  package var isTimed: Bool { loaded.map { $0.shader.text.contains("time") } ?? false }
  package var watchesFiles: Bool { reload && !location.isEmpty }

  package var problem: RasterError? {
    guard numbers == nil else { return nil }
    return RasterError(
      .invalidSetting, "shader: \"\(uniforms)\" are not uniforms.",
      remedy: "Write names and numbers apart by commas, such as strength=0.5, radius=20.")
  }

  /// The names and values of the uniforms; nil where they cannot be read.
  private var numbers: [(name: String, value: Double)]? {
    var result: [(name: String, value: Double)] = []
    for part in uniforms.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let words = part.split(separator: "=", maxSplits: 1).map { word in
        word.filter { !$0.isWhitespace }
      }
      // The name of a GstStructure may come first, and types may stand before values.
      if words.count == 1, words[0] == "uniforms" { continue }
      guard words.count == 2, let first = words[0].first, first.isLetter,
        words[0].allSatisfy({ ($0.isLetter || $0.isNumber || $0 == "_") && $0.isASCII }),
        let value = Double(words[1].split(separator: ")").last ?? ""), value.isFinite
      else { return nil }
      result.append((words[0], value))
    }
    return result
  }

  private var key: [String] {
    [function, location, code] + (numbers ?? []).map(\.name)
  }

  package mutating func load(_ resources: any FilterResources) throws(RasterError) {
    guard key != loaded?.key else { return }
    try read(resources)
  }

  package mutating func refresh(_ resources: any FilterResources) throws(RasterError) -> Bool {
    let time = resources.modificationTime(location)
    guard let loaded, time != 0, time != loaded.modificationTime else { return false }
    // A text that does not compile is reported once; the old one stays.
    self.loaded = Loaded(key: loaded.key, shader: loaded.shader, modificationTime: time)
    try read(resources)
    return true
  }

  private mutating func read(_ resources: any FilterResources) throws(RasterError) {
    guard !location.isEmpty || !code.isEmpty else {
      loaded = nil
      return
    }
    let time = location.isEmpty ? 0 : resources.modificationTime(location)
    let text =
      location.isEmpty
      ? code : String(decoding: try resources.bytes(location), as: UTF8.self)
    let shader = UserShader(
      kind: UserShader.Kind(rawValue: function) ?? .color,
      name: location.isEmpty ? "code" : location, text: text,
      uniforms: (numbers ?? []).map(\.name))
    try resources.check(shader)
    loaded = Loaded(key: key, shader: shader, modificationTime: time)
  }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    guard let loaded else { return input }
    let size = [Double(input.extent.width), Double(input.extent.height)]
    let call = ShaderFunction(
      .user(loaded.shader), arguments: [context.time] + size + (numbers ?? []).map(\.value))
    return switch loaded.shader.kind {
    case .color: input.combined(with: input, call)
    case .warp: input.warped(call, .bilinear)
    case .sampled: input.neighborhood(call)
    }
  }
}
