internal import RasterGraph

/// Writes the function `Pixels L<n>(ivec4 x, ivec4 y)` that reads the stored samples of an input at four
/// positions within it. Alpha is 0…1, and 1 where there is none; gray has three equal channels.
struct InputWriter {
  let input: SampledPlan.Input
  let index: Int
  let firstPlane: Int
  let usesWideWords: Bool
  let numbers: KernelNumbers

  func addFunction(to text: inout KernelText) {
    text.add("Pixels L\(index)(ivec4 x, ivec4 y) {")
    if input.layout.isFloat {
      emitHalf(to: &text)
      if usesWideWords {
        text.add("}")
        addWideFunction(to: &text)
      }
    } else {
      emitSamples(to: &text)
    }
    text.add("}")
  }

  private func emitHalf(to text: inout KernelText) {
    text.emit("ivec4 i = \(offset(0)) + y * \(stride(0)) + x;")
    for (lane, name) in "xyzw".enumerated() {
      let load = "s\(firstPlane)[i.\(name)]"
      text.emit("uvec2 w\(lane) = \(usesWideWords ? "unpack32(\(load))" : load);")
      text.emit(
        "vec2 l\(lane) = unpackHalf2x16(w\(lane).x), h\(lane) = unpackHalf2x16(w\(lane).y);")
    }
    emitLanes(to: &text)
  }

  private func emitLanes(to text: inout KernelText) {
    func lanes(_ half: String, _ part: String) -> String {
      "vec4(" + (0..<4).map { "\(half)\($0).\(part)" }.joined(separator: ", ") + ")"
    }
    text.emit(
      "return Pixels(\(lanes("l", "x")), \(lanes("l", "y")), \(lanes("h", "x")), "
        + "\(lanes("h", "y")));")
  }

  /// `Pixels V<n>(int x, int y)`: four pixels of a row from a multiple of four on, in one load.
  private func addWideFunction(to text: inout KernelText) {
    text.add(
      "layout(std430, set = 0, binding = \(firstPlane)) readonly buffer W\(firstPlane) "
        + "{ u64vec4 v\(firstPlane)[]; };")
    text.add("Pixels V\(index)(int x, int y) {")
    text.emit("u64vec4 w = v\(firstPlane)[(\(offset(0)) + y * \(stride(0)) + x) >> 2];")
    for (lane, name) in "xyzw".enumerated() {
      text.emit("uvec2 w\(lane) = unpack32(w.\(name));")
      text.emit(
        "vec2 l\(lane) = unpackHalf2x16(w\(lane).x), h\(lane) = unpackHalf2x16(w\(lane).y);")
    }
    emitLanes(to: &text)
  }

  private func emitSamples(to text: inout KernelText) {
    for (plane, shape) in input.layout.planes.enumerated() {
      text.emit(
        "ivec4 a\(plane) = \(offset(plane)) + (y >> \(shape.verticalSubsampling)) "
          + "* \(stride(plane)) + (x >> \(shape.horizontalSubsampling)) * \(shape.pixelStride);")
    }
    var loaded: Set<String> = []
    for (name, component) in input.layout.storedComponents {
      if input.isAligned[component.plane] {
        emitAligned(name, component, &loaded, to: &text)
      } else {
        emitBytes(name, component, to: &text)
      }
    }
    let colors = input.layout.colors.count == 1 ? ["c0", "c0", "c0"] : ["c0", "c1", "c2"]
    let alpha =
      input.layout.alpha.map { "c\(PixelLayout.alphaName) * \(1 / Double($0.largest))" }
      ?? "vec4(1.0)"
    text.emit("return Pixels(\(colors.joined(separator: ", ")), \(alpha));")
  }

  /// A sample within one word, which it shares with the others of its group.
  private func emitAligned(
    _ name: String, _ component: PixelLayout.Component, _ loaded: inout Set<String>,
    to text: inout KernelText
  ) {
    let plane = component.plane
    let word = component.offset / 4
    let group = "w\(plane)_\(word)"
    if loaded.insert(group).inserted {
      text.emit("ivec4 \(group)i = (a\(plane) >> 2) + \(word);")
      text.emit("uvec4 \(group) = \(gather(plane, "\(group)i"));")
    }
    let low = component.offset % 4 * 8 + component.shift
    let isWhole = input.layout.planes[plane].pixelStride >= 4
    let shift = isWhole ? "\(low)" : "uvec4((a\(plane) & 3) * 8 + \(low))"
    text.emit("vec4 c\(name) = vec4((\(group) >> \(shift)) & \(component.largest)u);")
  }

  /// A sample at any byte, by its bytes.
  private func emitBytes(
    _ name: String, _ component: PixelLayout.Component, to text: inout KernelText
  ) {
    var bytes: [String] = []
    for byte in 0..<component.bytes {
      let place = "b\(name)_\(byte)"
      text.emit("ivec4 \(place)i = a\(component.plane) + \(component.offset + byte);")
      text.emit("ivec4 \(place)w = \(place)i >> 2;")
      text.emit(
        "uvec4 \(place) = (\(gather(component.plane, "\(place)w")) "
          + ">> uvec4((\(place)i & 3) * 8)) & 255u;")
      bytes.append(byte == 0 ? place : "(\(place) << \(8 * byte))")
    }
    text.emit(
      "vec4 c\(name) = vec4(((\(bytes.joined(separator: " | "))) >> \(component.shift)) "
        + "& \(component.largest)u);")
  }

  private func gather(_ plane: Int, _ index: String) -> String {
    let lanes = "xyzw".map { "s\(firstPlane + plane)[\(index).\($0)]" }
    return "uvec4(\(lanes.joined(separator: ", ")))"
  }

  private func offset(_ plane: Int) -> String { numbers.offset(firstPlane + plane) }

  private func stride(_ plane: Int) -> String { numbers.stride(firstPlane + plane) }
}
