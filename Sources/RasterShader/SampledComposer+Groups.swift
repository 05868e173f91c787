internal import RasterGraph

extension SampledComposer {
  /// Writes a group's function, after those that it calls.
  mutating func emitGroup(_ index: Int, _ group: SampledKernel.Group) throws(RasterError) {
    if isReadInRows(index) {
      try emitRows(index, group)
      if loadsWholeRows {
        // Nothing reads the group elsewhere.
        nextNumber += group.statements.reduce(0) { $0 + $1.valueCount }
        return
      }
    }
    let isRoot = index == plan.kernel.groups.count - 1
    let convolved = isRoot && plan.kernel.convolution != nil ? ", Pixels convolved" : ""
    var body = ownPlaces.contains(index) && !isRegion ? firstSeen(group) : []
    backdropShift = shift(ofBackdropIn: group)
    for (place, statement) in group.statements.enumerated() {
      body += try lines(statement, place, "\(index)_\(place)")
    }
    text.add("Pixels G\(index)(ivec4 x, ivec4 y\(convolved)) {")
    for line in body { text.emit(line) }
    text.emit("return n\(group.statements.count - 1);")
    text.add("}")
  }

  /// The statement before the last one, and the offsets that the last one adds, where they may as well be added to what
  /// lies below the last layer, which needs them once for four pixels if that is a coarse checkerboard or one color.
  private func shift(ofBackdropIn group: SampledKernel.Group) -> (place: Int, offsets: [String])? {
    let last = group.statements.count - 1
    guard last > 0, isRegion, case .matrix(let input, _, .shift) = group.statements[last],
      input == last - 1, case .layer(let call, _, _, _) = group.statements[input],
      call.mode == .normal, call.operator != .source, call.hasOpaqueBackdrop, call.isStraight
    else { return nil }
    let first = group.statements[..<last].reduce(nextNumber) { $0 + $1.valueCount }
    return (input, (first..<first + 3).map { numbers.value($0) })
  }

  /// The lines that make `n<place>`.
  mutating func lines(
    _ statement: SampledKernel.Statement, _ place: Int, _ name: String
  ) throws(RasterError) -> [String] {
    let n = "n\(place)"
    func changing(_ input: Int, _ lines: String...) -> [String] {
      ["Pixels \(n) = n\(input);"] + lines
    }
    switch statement {
    case .matrix(let input, let isPremultiplied, let shape):
      return mapped(n, input, isPremultiplied, shape)
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
    case .combine(let call, let first, let second):
      let function = try define(call, name)
      return ["Pixels \(n) = \(function)(n\(first), n\(second)\(arguments(call)));"]
    case .equalize(let input, let table):
      let call = ShaderCall(
        source: .library("Reduction/Equalize"), channels: .all, argumentCount: 5, table: table)
      let function = try define(call, name)
      return ["Pixels \(n) = \(function)(n\(input), x, y\(arguments(call)));"]
    case .layer(let call, let backdrop, let group, let mask):
      return try layer(place, name, call, "n\(backdrop)", group, mask)
    case .blend(let call, let backdrop, let source, let mask):
      return try blend(n, name, call, "n\(backdrop)", "n\(source)", mask.map { "n\($0)" })
    case .sample, .warp, .neighborhood: return try sampling(statement, n, name)
    default: return try beginning(statement, n, name)
    }
  }

  /// The lines that make `n` of no other statement.
  private mutating func beginning(
    _ statement: SampledKernel.Statement, _ n: String, _ name: String
  ) throws(RasterError) -> [String] {
    switch statement {
    case .load(let input): return load(n, input, name)
    case .convolved: return ["Pixels \(n) = convolved;"]
    case .generate(let call):
      let function = try define(call, name)
      return ["Pixels \(n) = \(function)(vec4(x) + 0.5, vec4(y) + 0.5\(arguments(call)));"]
    case .solid:
      let color = take(4).map { "vec4(\($0))" }
      return ["Pixels \(n) = Pixels(\(color.joined(separator: ", ")));"]
    case .checkered(let isCoarse):
      let own = Int(name.prefix { $0 != "_" }).map { ownPlaces.contains($0) } ?? false
      return checkered(n, take(9), isCoarse: isCoarse && own)
    case .base(let group):
      return isRegion
        ? ["Pixels \(n) = G\(group)(x, y);"]
        : [
          "Pixels \(n) = Pixels(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));",
          "if (first == 0) \(n) = G\(group)(x, y);",
        ]
    default: return []
    }
  }

  /// The arguments of a call after its first ones.
  mutating func arguments(_ call: ShaderCall) -> String {
    take(call.argumentCount).map { ", \($0)" }.joined()
  }

  private mutating func mapped(
    _ n: String, _ input: Int, _ isPremultiplied: Bool, _ shape: SampledKernel.MatrixShape
  ) -> [String] {
    let values = take(shape.valueCount)
    if input == backdropShift?.place { return ["Pixels \(n) = n\(input);"] }
    return matrix(n, "n\(input)", shape, values, offset: isPremultiplied ? " * n\(input).a" : "")
  }

  func matrix(
    _ n: String, _ input: String, _ shape: SampledKernel.MatrixShape, _ v: [String], offset: String
  ) -> [String] {
    ["Pixels \(n) = \(input);"]
      + ["r", "g", "b"].enumerated().map { row, channel in
        switch shape {
        case .full:
          let first = row * 4
          return "\(n).\(channel) = \(v[first]) * \(input).r + \(v[first + 1]) * \(input).g + "
            + "\(v[first + 2]) * \(input).b + \(v[first + 3])\(offset);"
        case .separate:
          return "\(n).\(channel) = \(v[2 * row]) * \(input).\(channel) "
            + "+ \(v[2 * row + 1])\(offset);"
        case .shift: return "\(n).\(channel) = \(input).\(channel) + \(v[row])\(offset);"
        }
      }
  }

  /// Colors of transparent pixels become black.
  func unpremultiplied(_ n: String, _ input: String) -> [String] {
    [
      "Pixels \(n) = \(input);",
      "vec4 \(n)f = mix(1.0 / max(\(input).a, 1e-6), vec4(0.0), lessThan(\(input).a, vec4(1e-6)));",
      "\(n).r *= \(n)f;", "\(n).g *= \(n)f;", "\(n).b *= \(n)f;",
    ]
  }

  /// Squares by whole numbers of them before a pixel, which a product with the reciprocal of their side gives
  /// exactly for pixel centres.
  private func checkered(_ n: String, _ v: [String], isCoarse: Bool) -> [String] {
    // Four pixels of a row from a multiple of four on lie in one coarse square, and so do those that share their
    // chroma.
    let (type, lane) = isCoarse ? ("float", ".x") : ("vec4", "")
    let scale = plan.kernel.reading.arePlanesApart ? " << int(chroma)" : ""
    func number(_ position: String) -> String {
      "floor((\(type)(\(position)\(scale)) + 0.5) * \(v[0]))"
    }
    let column = isCoarse && hasSmallBlocks ? "blockColumn" : "x\(lane)"
    return [
      "\(type) \(n)t = \(number(column)) + \(number("y" + lane));",
      "\(n)t -= 2.0 * floor(0.5 * \(n)t);",
      "Pixels \(n);",
    ]
      + "rgba".enumerated().map { channel, name in
        "\(n).\(name) = vec4(mix(\(type)(\(v[1 + channel])), \(type)(\(v[5 + channel])), \(n)t));"
      }
  }
}
