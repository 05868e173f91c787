internal import RasterGraph

extension SampledComposer {
  /// The lines that make `n` of another group's pixels, after the function that reads them is written.
  mutating func sampling(
    _ statement: SampledKernel.Statement, _ n: String, _ name: String
  ) throws(RasterError) -> [String] {
    switch statement {
    case .sample(let sampling, let group, let hasAlpha):
      if sampling.map == .translation {
        return moved(n, sampling, group, take(6))
      }
      emitSampler(name, sampling, group, hasAlpha: hasAlpha)
      return ["Pixels \(n) = S\(name)(vec4(x) + 0.5, vec4(y) + 0.5);"]
    case .warp(let call, let sampling, let group, let hasAlpha):
      let function = try define(call, name)
      let arguments = arguments(call)
      emitSampler(name, sampling, group, hasAlpha: hasAlpha)
      return [
        "vec4 \(n)x = vec4(x) + 0.5, \(n)y = vec4(y) + 0.5;",
        "\(function)(\(n)x, \(n)y\(arguments));", "Pixels \(n) = S\(name)(\(n)x, \(n)y);",
      ]
    case .neighborhood(let call, let group):
      // The reader of the input comes before the function that calls it.
      let arguments = arguments(call)
      let last = take(2)
      text.add(
        "Pixels I\(name)(ivec4 x, ivec4 y) { return G\(group)(clamp(x, 0, int(\(last[0]))), "
          + "clamp(y, 0, int(\(last[1])))); }")
      let function = try define(call, name, words: ["INPUT": "I\(name)"])
      return ["Pixels \(n) = \(function)(x, y\(arguments));"]
    default: return []
    }
  }

  /// Writes `Pixels S<name>(vec4 x, vec4 y)`, which finds the color at any positions.
  private mutating func emitSampler(
    _ name: String, _ sampling: SampledKernel.Sampling, _ group: Int, hasAlpha: Bool
  ) {
    let map = take(sampling.map == .affine ? 6 : sampling.map == .perspective ? 9 : 0)
    let window = take(4)
    let footprint = sampling.hasFootprint ? take(4) : []
    if sampling.readsMany { text.add(sampling.interpolation.weight(name)) }
    text.add("Pixels S\(name)(vec4 x, vec4 y) {")
    emitMap(map)
    text.emit("ivec4 lo = ivec4(\(window[0]), \(window[1]), \(window[2]), \(window[3]));")
    if sampling.readsMany {
      emitMean(name, sampling, group, footprint, hasAlpha: hasAlpha)
    } else {
      text.emit("ivec4 ix = toInteger(u), iy = toInteger(v);")
      text.emit("Pixels q = G\(group)(clamp(ix, lo.x, lo.z), clamp(iy, lo.y, lo.w));")
      if sampling.edge == .transparent {
        text.emit("vec4 inside = \(inside);")
        text.emit("return Pixels(q.r * inside, q.g * inside, q.b * inside, q.a * inside);")
      } else {
        text.emit("return q;")
      }
    }
    text.add("}")
  }

  private var inside: String {
    "vec4(equal(ix, clamp(ix, lo.x, lo.z))) * vec4(equal(iy, clamp(iy, lo.y, lo.w)))"
  }

  /// Declares `u` and `v`, positions in the input.
  private mutating func emitMap(_ m: [String]) {
    guard !m.isEmpty else {
      text.emit("vec4 u = clamp(x, -1e6, 1e6), v = clamp(y, -1e6, 1e6);")
      return
    }
    text.emit("vec4 u = \(m[0]) * x + \(m[1]) * y + \(m[2]);")
    text.emit("vec4 v = \(m[3]) * x + \(m[4]) * y + \(m[5]);")
    if m.count == 9 {
      text.emit("vec4 w = \(m[6]) * x + \(m[7]) * y + \(m[8]);")
      // What lies behind the viewer is outside.
      text.emit("bvec4 behind = lessThan(w, vec4(1e-6));")
      text.emit("u = mix(u / max(w, 1e-6), vec4(-1e6), behind);")
      text.emit("v = mix(v / max(w, 1e-6), vec4(-1e6), behind);")
    }
    text.emit("u = clamp(u, -1e6, 1e6); v = clamp(v, -1e6, 1e6);")
  }

  /// The weighted mean of the pixels around `u` and `v`.
  private mutating func emitMean(
    _ name: String, _ sampling: SampledKernel.Sampling, _ group: Int, _ footprint: [String],
    hasAlpha: Bool
  ) {
    let radius = sampling.interpolation.radius
    let count =
      sampling.hasFootprint
      ? ["int(\(footprint[2]))", "int(\(footprint[3]))"] : ["\(2 * radius)", "\(2 * radius)"]
    let scale = sampling.hasFootprint ? [footprint[0], footprint[1]] : ["1.0", "1.0"]
    let channels = ["r", "g", "b"] + (hasAlpha ? ["a"] : [])
    text.emit("vec4 fx = floor(u - \(radius).0 * \(scale[0]) - 0.5) + 1.0;")
    text.emit("vec4 fy = floor(v - \(radius).0 * \(scale[1]) - 0.5) + 1.0;")
    text.emit("vec4 total = vec4(0.0);")
    text.emit("Pixels sum = Pixels(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));")
    text.emit("for (int j = 0; j < \(count[1]); j++) {")
    text.emit("  vec4 py = fy + float(j);")
    text.emit("  vec4 wy = W\(name)((py + 0.5 - v) / \(scale[1]));")
    text.emit("  ivec4 iy = toInteger(py);")
    text.emit("  for (int i = 0; i < \(count[0]); i++) {")
    text.emit("    vec4 px = fx + float(i);")
    text.emit("    vec4 w = wy * W\(name)((px + 0.5 - u) / \(scale[0]));")
    text.emit("    ivec4 ix = toInteger(px);")
    text.emit("    total += w;")
    if sampling.edge == .transparent { text.emit("    w *= \(inside);") }
    text.emit("    Pixels q = G\(group)(clamp(ix, lo.x, lo.z), clamp(iy, lo.y, lo.w));")
    for channel in channels { text.emit("    sum.\(channel) += w * q.\(channel);") }
    text.emit("  }")
    text.emit("}")
    for channel in channels { text.emit("sum.\(channel) /= total;") }
    if !hasAlpha { text.emit("sum.a = vec4(1.0);") }
    text.emit("return sum;")
  }
}

extension Interpolation {
  /// The function `vec4 W<name>(vec4 d)`: the weight of a pixel at a distance.
  func weight(_ name: String) -> String {
    let body =
      switch self {
      case .nearest: "return vec4(lessThanEqual(abs(d), vec4(0.5)));"
      case .bilinear: "return max(1.0 - abs(d), 0.0);"
      case .bicubic:
        "vec4 a = min(abs(d), 2.0); return mix(((-0.5 * a + 2.5) * a - 4.0) * a + 2.0, "
          + "(1.5 * a - 2.5) * a * a + 1.0, lessThan(a, vec4(1.0)));"
      case .lanczos:
        "vec4 a = clamp(abs(d), 1e-4, 3.0) * 3.14159265; "
          + "return mix(3.0 * sin(a) * sin(a / 3.0) / (a * a), vec4(0.0), "
          + "greaterThanEqual(abs(d), vec4(3.0)));"
      }
    return "vec4 W\(name)(vec4 d) { \(body) }"
  }
}
