internal import RasterGraph

extension SampledComposer {
  /// Writes a group's function, after those that it calls.
  mutating func emitGroup(_ index: Int, _ group: SampledKernel.Group) throws(RasterError) {
    let isRoot = index == plan.kernel.groups.count - 1
    let convolved = isRoot && plan.kernel.convolution != nil ? ", Pixels convolved" : ""
    var body: [String] = []
    for (place, statement) in group.statements.enumerated() {
      body += try lines(statement, place, "\(index)_\(place)")
    }
    text.add("Pixels G\(index)(ivec4 x, ivec4 y\(convolved)) {")
    for line in body { text.emit(line) }
    text.emit("return n\(group.statements.count - 1);")
    text.add("}")
  }

  /// The lines that make `n<place>`.
  private mutating func lines(
    _ statement: SampledKernel.Statement, _ place: Int, _ name: String
  ) throws(RasterError) -> [String] {
    let n = "n\(place)"
    func changing(_ input: Int, _ lines: String...) -> [String] {
      ["Pixels \(n) = n\(input);"] + lines
    }
    switch statement {
    case .load(let input): return ["Pixels \(n) = L\(input)(x, y);"]
    case .convolved: return ["Pixels \(n) = convolved;"]
    case .matrix(let input, let isPremultiplied):
      return matrix(n, "n\(input)", take(12), offset: isPremultiplied ? " * n\(input).a" : "")
    case .color(let call, let input):
      let function = try define(call, name)
      return changing(input, "\(function)(\(n).r, \(n).g, \(n).b\(arguments(call)));")
    case .luma(let call, let input):
      let function = try define(call, name)
      return changing(input, "\(n).r = \(function)(\(n).r\(arguments(call)));")
    case .codeLimits(let input):
      return changing(input, "rgb".map { "\(n).\($0) = clamp(\(n).\($0), 0.0, 1.0);" }.joined())
    case .opacity(let input): return changing(input, "\(n).a *= \(take(1)[0]);")
    case .premultiply(let input):
      return changing(input, "\(n).r *= \(n).a;", "\(n).g *= \(n).a;", "\(n).b *= \(n).a;")
    case .unpremultiply(let input): return unpremultiplied(n, "n\(input)")
    case .generate(let call):
      let function = try define(call, name)
      return ["Pixels \(n) = \(function)(vec4(x) + 0.5, vec4(y) + 0.5\(arguments(call)));"]
    case .combine(let call, let first, let second):
      let function = try define(call, name)
      return ["Pixels \(n) = \(function)(n\(first), n\(second)\(arguments(call)));"]
    case .equalize(let input, let table):
      let call = ShaderCall(
        source: .library("Reduction/Equalize"), channels: .all, argumentCount: 5, table: table)
      let function = try define(call, name)
      return ["Pixels \(n) = \(function)(n\(input), x, y\(arguments(call)));"]
    case .blend(let call, let backdrop, let source, let mask):
      return try blend(n, name, call, "n\(backdrop)", "n\(source)", mask.map { "n\($0)" })
    case .sample, .warp, .neighborhood: return try sampling(statement, n, name)
    }
  }

  /// The arguments of a call after its first ones.
  mutating func arguments(_ call: ShaderCall) -> String {
    take(call.argumentCount).map { ", \($0)" }.joined()
  }

  private func matrix(
    _ n: String, _ input: String, _ v: [String], offset: String
  ) -> [String] {
    ["Pixels \(n) = \(input);"]
      + ["r", "g", "b"].enumerated().map { row, channel in
        let first = row * 4
        return "\(n).\(channel) = \(v[first]) * \(input).r + \(v[first + 1]) * \(input).g + "
          + "\(v[first + 2]) * \(input).b + \(v[first + 3])\(offset);"
      }
  }

  /// Colors of transparent pixels become black.
  private func unpremultiplied(_ n: String, _ input: String) -> [String] {
    [
      "Pixels \(n) = \(input);",
      "vec4 \(n)f = mix(1.0 / max(\(input).a, 1e-6), vec4(0.0), lessThan(\(input).a, vec4(1e-6)));",
      "\(n).r *= \(n)f;", "\(n).g *= \(n)f;", "\(n).b *= \(n)f;",
    ]
  }

  /// Compositing and Blending Level 1 (W3C 2015), general formula, for premultiplied colors.
  private mutating func blend(
    _ n: String, _ name: String, _ call: SampledKernel.BlendCall, _ b: String, _ s: String,
    _ mask: String?
  ) throws(RasterError) -> [String] {
    let opacity = take(1)[0]
    let channels = ["r", "g", "b"]
    let share = mask.flatMap { mask in call.mask.map { coverage($0, mask) } } ?? "1.0"
    var lines = ["vec4 \(n)m = vec4(\(opacity)) * \(share);", "Pixels \(n);"]
    lines.append("vec4 \(n)a = \(s).a * \(n)m;")
    lines.append("\(n).a = \(n)a + \(b).a - \(n)a * \(b).a;")
    guard call.mode != .normal else {
      return lines
        + channels.map { "\(n).\($0) = \(s).\($0) * \(n)m + (1.0 - \(n)a) * \(b).\($0);" }
    }
    let shader = ShaderCall(
      source: .member(file: call.mode.source, function: call.mode.function), channels: .all,
      argumentCount: 0, table: nil)
    let function = try define(shader, name)
    lines += unpremultiplied("\(n)b", b) + unpremultiplied("\(n)s", s)
    if call.mode.isSeparable {
      lines += channels.map { "\(n)b.\($0) = \(function)(\(n)b.\($0), \(n)s.\($0));" }
    } else {
      lines.append(
        "\(function)(\(n)b.r, \(n)b.g, \(n)b.b, \(n)s.r, \(n)s.g, \(n)s.b);")
    }
    return lines
      + channels.map {
        "\(n).\($0) = \(s).\($0) * \(n)m * (1.0 - \(b).a) + \(n)a * \(b).a * \(n)b.\($0) "
          + "+ (1.0 - \(n)a) * \(b).\($0);"
      }
  }

  /// What a mask lets through.
  private func coverage(_ mask: Blending.Mask, _ pixels: String) -> String {
    let luma =
      "clamp(0.299 * \(pixels).r + 0.587 * \(pixels).g + 0.114 * \(pixels).b, 0.0, 1.0)"
    return switch mask {
    case .luma: luma
    case .alpha: "\(pixels).a"
    case .inverseLuma: "(1.0 - \(luma))"
    case .inverseAlpha: "(1.0 - \(pixels).a)"
    }
  }
}
