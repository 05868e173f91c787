internal import RasterGraph

extension SampledComposer {
  /// The lines that make `n` of a premultiplied source `s` and a premultiplied backdrop `b`.
  ///
  /// First the blend mode by the general formula of Compositing and Blending Level 1 (W3C 2015), then the operator:
  /// `s + k × b` for all channels, with a factor `k` of its own (``CompositeOperator``).
  mutating func blend(
    _ n: String, _ name: String, _ call: SampledKernel.BlendCall, _ b: String, _ s: String,
    _ mask: String?
  ) throws(RasterError) -> [String] {
    let opacity = take(1)[0]
    let bounds = call.hasBounds ? take(4) : []
    if call.hasOpaqueBounds { _ = take(4) }
    let conversions = call.convertsColors ? take(24) : []
    let share = mask.flatMap { mask in call.mask.map { coverage($0, mask) } } ?? "vec4(1.0)"
    var lines = ["vec4 \(n)c = \(share);"]
    if call.operator == .source, !bounds.isEmpty { lines += inside("\(n)c", bounds) }
    lines += ["vec4 \(n)m = \(opacity) * \(n)c;", "Pixels \(n);"]
    lines.append("vec4 \(n)a = \(s).a * \(n)m;")
    lines.append("vec4 \(n)k = \(backdropShare(call.operator, n, b));")
    guard call.mode != .normal else { return lines + normal(n, call, b, s) }
    lines.append("\(n).a = \(n)a + \(n)k * \(b).a;")
    lines += try mixed(n, name, call.mode, b, s, conversions)
    return lines
      + channelNames.map {
        "\(n).\($0) = \(s).\($0) * \(n)m * (1.0 - \(b).a) + \(n)a * \(b).a * \(n)b.\($0) "
          + "+ \(n)k * \(b).\($0);"
      }
  }

  /// The channels that the mode `normal` makes.
  private func normal(
    _ n: String, _ call: SampledKernel.BlendCall, _ b: String, _ s: String
  ) -> [String] {
    guard call.hasOpaqueBackdrop, call.operator != .source else {
      let share = call.isStraight ? "\(n)a" : "\(n)m"
      return ["\(n).a = \(n)a + \(n)k * \(b).a;"]
        + channelNames.map { "\(n).\($0) = \(s).\($0) * \(share) + \(n)k * \(b).\($0);" }
    }
    // What is added to an opaque backdrop replaces as much of it.
    let offsets = backdropShift.flatMap { n == "n\($0.place)o" ? $0.offsets : nil }
    return ["\(n).a = vec4(1.0);"]
      + zip(channelNames, offsets ?? ["0.0", "0.0", "0.0"]).map { channel, offset in
        let (below, above) = ("\(b).\(channel)", "\(s).\(channel)")
        let moved = offsets == nil ? below : "(\(below) + \(offset))"
        return call.isStraight
          ? "\(n).\(channel) = \(moved) + \(n)a * (\(above) - \(below));"
          : "\(n).\(channel) = \(above) * \(n)m + (1.0 - \(n)a) * \(below);"
      }
  }

  private var channelNames: [String] { ["r", "g", "b"] }

  /// What a backdrop is multiplied by: `a` is the alpha of the source after all, `c` what it covers.
  private func backdropShare(_ own: CompositeOperator, _ n: String, _ b: String) -> String {
    switch own {
    case .over: "1.0 - \(n)a"
    case .source: "1.0 - \(n)c"
    case .add: "min(vec4(1.0), (1.0 - \(n)a) / max(\(b).a, 1e-6))"
    }
  }

  /// Makes `nb` the colors that a mode makes of backdrop and source, straight.
  private mutating func mixed(
    _ n: String, _ name: String, _ mode: BlendMode, _ b: String, _ s: String,
    _ conversions: [String]
  ) throws(RasterError) -> [String] {
    let shader = ShaderCall(
      source: .member(file: mode.source, function: mode.function), channels: .all,
      argumentCount: 0, table: nil)
    let function = try define(shader, name)
    var lines = unpremultiplied("\(n)u", b) + unpremultiplied("\(n)v", s)
    // Colors of transparent pixels count nothing, so that it does not matter that theirs are no codes.
    let decoding = Array(conversions.prefix(12))
    for (straight, converted) in [("u", "b"), ("v", "s")] {
      lines +=
        conversions.isEmpty
        ? ["Pixels \(n)\(converted) = \(n)\(straight);"]
        : matrix("\(n)\(converted)", "\(n)\(straight)", .full, decoding, offset: "")
    }
    lines +=
      mode.isSeparable
      ? channelNames.map { "\(n)b.\($0) = \(function)(\(n)b.\($0), \(n)s.\($0));" }
      : ["\(function)(\(n)b.r, \(n)b.g, \(n)b.b, \(n)s.r, \(n)s.g, \(n)s.b);"]
    guard !conversions.isEmpty else { return lines }
    return lines + matrix("\(n)w", "\(n)b", .full, Array(conversions.suffix(12)), offset: "")
      + ["\(n)b = \(n)w;"]
  }

  /// Makes a coverage nothing outside of bounds.
  private func inside(_ coverage: String, _ bounds: [String]) -> [String] {
    let reach = bounds.map { "vec4(\($0))" }
    func within(_ position: String, _ first: String, _ end: String) -> String {
      "vec4(greaterThanEqual(vec4(\(position)), \(first))) "
        + "* vec4(lessThan(vec4(\(position)), \(end)))"
    }
    return [
      "\(coverage) *= \(within("x", reach[0], reach[2]));",
      "\(coverage) *= \(within("y", reach[1], reach[3]));",
    ]
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
