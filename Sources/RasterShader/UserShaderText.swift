package import RasterGraph

/// The user's GLSL as a function of a kernel.
///
/// The text is taken apart into words only: those that the user declares, and those that would reach what is
/// ours, get other names, so that the text can read nothing but the image, and several texts fit one kernel.
package enum UserShaderText {
  /// Words that reach beyond the text's own function.
  private static let forbidden: Set<String> = [
    "layout", "buffer", "shared", "uniform", "coherent", "barrier", "memoryBarrier",
    "memoryBarrierBuffer", "memoryBarrierShared", "groupMemoryBarrier", "subroutine", "atomicAdd",
  ]

  /// Compiles a text by itself.
  ///
  /// - Throws: `invalidSetting` with the compiler's messages, which count the lines of the text.
  package static func check(_ shader: UserShader) throws(RasterError) {
    let words = self.words(of: shader.text)
    if let word = words.first(where: { forbidden.contains(String($0)) }) {
      throw refusal(shader, "\"\(word)\" is not for shaders of a filter", "Leave it out.")
    }
    for line in shader.text.split(separator: "\n") {
      let start = line.drop { $0.isWhitespace }
      guard start.hasPrefix("#") else { continue }
      let word = start.dropFirst().drop { $0.isWhitespace }.prefix { $0.isLetter }
      if ["version", "extension", "include", "line", "pragma"].contains(String(word)) {
        throw refusal(shader, "it has a line with #\(word)", "Leave the line out.")
      }
    }
    guard words.contains(Substring(shader.kind.rawValue)) else {
      throw refusal(
        shader, "it defines no function \(shader.kind.rawValue)",
        "Define \(shader.kind.signature), or choose another kind.")
    }
    let source =
      "#version 450\nlayout(local_size_x = 1) in;\nstruct Pixels { vec4 r, g, b, a; };\n"
      + "Pixels READ(ivec4 x, ivec4 y) { return Pixels(vec4(x), vec4(y), vec4(0.0), vec4(1.0)); }\n"
      + wrapped(shader, suffix: "_0", words: ["INPUT": "READ"]) + "void main() {}\n"
    do throws(RasterError) {
      _ = try ShaderCompiler.compile(source, name: shader.name)
    } catch {
      let messages = error.message.split(separator: "\n").joined(separator: "; ")
      throw refusal(
        shader, messages.replacing("A kernel does not compile: ", with: ""),
        "Correct the text; lines are counted from its first.")
    }
  }

  private static func refusal(
    _ shader: UserShader, _ cause: String, _ remedy: String
  ) -> RasterError {
    RasterError(
      .invalidSetting, "shader: \"\(shader.name)\" cannot be used: \(cause).", remedy: remedy)
  }

  /// The text and the function that calls it for four pixels.
  ///
  /// - Parameter words: what takes the place of other words: `INPUT` is the reader of the image.
  static func wrapped(_ shader: UserShader, suffix: String, words: [String: String]) -> String {
    let globals = ["time", "size"] + shader.uniforms
    let known = Set(globals + ["pixel"]).union(declared(in: shader.text))
    let text = replacing(in: shader.text) { word in
      if known.contains(word) { return "\(word)\(suffix)_user" }
      return isOurs(word) ? "\(word)_user" : nil
    }
    var lines = ["vec2 size\(suffix)_user;"]
    lines += (["time"] + shader.uniforms).map { "float \($0)\(suffix)_user;" }
    if shader.kind == .sampled { lines.append(reader(suffix, words["INPUT"] ?? "INPUT")) }
    let names = (0..<shader.uniforms.count).map { "v\($0)" }
    let arguments = (["time", "width", "height"] + names).map { ", float \($0)" }.joined()
    let set =
      (["time\(suffix)_user = time;", "size\(suffix)_user = vec2(width, height);"]
      + zip(shader.uniforms, names).map { "\($0)\(suffix)_user = \($1);" }).joined(separator: " ")
    let entry = "\(shader.kind.rawValue)\(suffix)_user"
    let name = "\(UserShader.entryPoint)\(suffix)"
    return lines.joined(separator: "\n") + "\n#line 1\n\(text)\n"
      + shader.kind.wrapper(name, entry, arguments, set) + "\n"
  }

  /// `pixel(position)`: linear between the four nearest pixels, of which those of the edge go on.
  private static func reader(_ suffix: String, _ input: String) -> String {
    """
    vec4 pixel\(suffix)_user(vec2 position) {
      vec2 corner = floor(position - 0.5), share = position - 0.5 - corner;
      ivec2 first = ivec2(clamp(corner, -1e6, 1e6));
      Pixels q = \(input)(first.x + ivec4(0, 1, 0, 1), first.y + ivec4(0, 0, 1, 1));
      vec4 w = vec4(1.0 - share.x, share.x, 1.0 - share.x, share.x)
        * vec4(1.0 - share.y, 1.0 - share.y, share.y, share.y);
      return vec4(dot(q.r, w), dot(q.g, w), dot(q.b, w), dot(q.a, w));
    }
    """
  }

  /// Words outside of all braces that a parenthesis, an equals sign, a bracket, a brace or a semicolon follows:
  /// functions, constants, structures.
  private static func declared(in text: String) -> Set<String> {
    var result: Set<String> = []
    var depth = 0
    var last = ""
    for token in tokens(of: text) {
      switch token {
      case "{": if depth == 0 { result.insert(last) }; depth += 1
      case "}": depth -= 1
      case "(", "=", ";", "[", ",": if depth == 0 { result.insert(last) }
      default: break
      }
      if let first = token.first, isWord(first) { last = String(token) } else { last = "" }
    }
    return result.filter { $0.first?.isLetter == true && !types.contains($0) }
  }

  private static let types: Set<String> = [
    "float", "int", "uint", "bool", "vec2", "vec3", "vec4", "mat2", "mat3", "mat4", "ivec2",
    "ivec3", "ivec4", "const", "void",
  ]

  /// Whether a word could be a name of the kernel's own: short prefixes with a number, and a few words.
  private static func isOurs(_ word: String) -> Bool {
    if ["p", "num", "Pixels", "u", "INPUT", "TABLE", "main"].contains(word) { return true }
    guard let first = word.first, "sdtGLISWB".contains(first) else { return false }
    let rest = word.dropFirst()
    return rest.first?.isNumber == true && rest.allSatisfy { $0.isNumber || $0 == "_" }
  }
}

// MARK: - Words

extension UserShaderText {
  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Runs of word characters, comments, and all other characters one by one.
  private static func tokens(of text: String) -> [Substring] {
    var result: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      let token: Substring
      if rest.hasPrefix("//") {
        token = rest.prefix { $0 != "\n" }
      } else if rest.hasPrefix("/*") {
        let end = rest.dropFirst(2).firstRange(of: "*/")?.upperBound ?? rest.endIndex
        token = rest[..<end]
      } else {
        token = isWord(first) ? rest.prefix { isWord($0) } : rest.prefix(1)
      }
      result.append(token)
      rest = rest[token.endIndex...]
    }
    return result
  }

  private static func words(of text: String) -> [Substring] {
    tokens(of: text).filter { $0.first.map(isWord) ?? false }
  }

  /// The text with other words; those after a dot are members and stay.
  private static func replacing(
    in text: String, _ replacement: (String) -> String?
  ) -> String {
    var result = ""
    var isMember = false
    for token in tokens(of: text) {
      let isWordToken = token.first.map(isWord) ?? false
      result +=
        isWordToken && !isMember ? (replacement(String(token)) ?? String(token)) : String(token)
      if !(token.first?.isWhitespace ?? true) { isMember = token == "." }
    }
    return result
  }
}

extension UserShader.Kind {
  /// What the user has to define.
  var signature: String {
    switch self {
    case .color: "vec4 color(vec4 pixel)"
    case .warp: "vec2 warp(vec2 position)"
    case .sampled: "vec4 sampled(vec2 position)"
    }
  }

  /// The function that calls the user's for four pixels.
  func wrapper(_ name: String, _ entry: String, _ arguments: String, _ set: String) -> String {
    let loop = "for (int i = 0; i < 4; i++) {"
    return switch self {
    case .color:
      """
      Pixels \(name)(Pixels q, Pixels same\(arguments)) {
        \(set)
        \(loop)
          vec4 c = \(entry)(vec4(q.r[i], q.g[i], q.b[i], q.a[i]));
          q.r[i] = c.r; q.g[i] = c.g; q.b[i] = c.b; q.a[i] = c.a;
        }
        return q;
      }
      """
    case .warp:
      """
      void \(name)(inout vec4 x, inout vec4 y\(arguments)) {
        \(set)
        \(loop)
          vec2 p = \(entry)(vec2(x[i], y[i]));
          x[i] = p.x; y[i] = p.y;
        }
      }
      """
    case .sampled:
      """
      Pixels \(name)(ivec4 x, ivec4 y\(arguments)) {
        \(set)
        Pixels q;
        \(loop)
          vec4 c = \(entry)(vec2(x[i], y[i]) + 0.5);
          q.r[i] = c.r; q.g[i] = c.g; q.b[i] = c.b; q.a[i] = c.a;
        }
        return q;
      }
      """
    }
  }
}
