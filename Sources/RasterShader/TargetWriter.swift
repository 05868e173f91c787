internal import RasterGraph

/// Writes the end of a kernel: from channels of pixels to words of planes.
///
/// Channels are `vec4 c<channel>_<row>_<quad>` of stored samples with one half added, or of numbers where
/// the target has half floats; alpha is `ivec4 o3_<row>_<quad>`, of numbers `c3_…`.
struct TargetWriter {
  let target: KernelTarget
  /// The binding of the target's first plane.
  let firstBinding: Int
  let numbers: KernelNumbers
  /// Whether all channels are known to lie within the samples' limits.
  var staysInRange = false

  /// Declares the planes.
  func addBindings(to text: inout KernelText) {
    for (plane, access) in target.access.enumerated() {
      let type = VectorType(bytes: access.bytes, wide: target.usesWideWords)
      text.addBuffer(firstBinding + plane, "writeonly", "\(type.name) d\(plane)[];")
    }
  }

  /// Makes `ivec4`s `o<channel>_<row>_<quad>` of the color channels.
  ///
  /// - Parameter hasAlpha: whether `o3` is there; frames with alpha are opaque where it is not.
  func emitSamples(to text: inout KernelText, hasAlpha: Bool) {
    guard !target.layout.isFloat else { return }
    for (name, component) in target.layout.storedComponents where name != PixelLayout.alphaName {
      let isShared = target.averagesChroma && target.isSubsampled(component)
      if isShared { emitAverages(name, component, to: &text) }
      target.forEachQuad(of: component) { row, quad in
        let value = "\(isShared ? "a" : "c")\(name)_\(row)_\(quad)"
        // The limits are applied before the conversion, which is undefined beyond the integers.
        let limited = staysInRange ? value : "clamp(\(value), 0.0, \(component.largest).0)"
        text.emit("ivec4 o\(name)_\(row)_\(quad) = truncated(\(limited));")
      }
    }
    guard !hasAlpha, let alpha = target.layout.alpha else { return }
    target.forEachQuad(of: alpha) { row, quad in
      text.emit("ivec4 o\(PixelLayout.alphaName)_\(row)_\(quad) = ivec4(\(alpha.largest));")
    }
  }

  /// Makes a chroma sample of the mean of the pixels that share it.
  private func emitAverages(
    _ name: String, _ component: PixelLayout.Component, to text: inout KernelText
  ) {
    let plane = target.layout.planes[component.plane]
    target.forEachQuad(of: component) { row, quad in
      let rows = 1 << plane.verticalSubsampling
      let sums = (0..<rows).map { line -> String in
        let prefix = "c\(name)_\(row * rows + line)_"
        guard plane.horizontalSubsampling > 0 else { return "\(prefix)\(quad)" }
        // A block of four pixels has no second half; its lanes are not stored.
        let last = (target.blockWidth + 3) / 4 - 1
        let (left, right) = ("\(prefix)\(quad * 2)", "\(prefix)\(min(quad * 2 + 1, last))")
        let first = "vec4(\(left).xz, \(right).xz)"
        let second = "vec4(\(left).yw, \(right).yw)"
        // The second pixel of a half sample lies beyond the frame.
        guard target.hasHalfSample else { return "0.5 * (\(first) + \(second))" }
        let column = "bx * \(target.blockWidth) + \(quad * 8 + 1)"
        return "mix(0.5 * (\(first) + \(second)), \(first), "
          + "greaterThan(ivec4(\(column)) + ivec4(0, 2, 4, 6), ivec4(p.lastPixel)))"
      }
      text.emit(
        "vec4 a\(name)_\(row)_\(quad) = (\(sums.joined(separator: " + "))) "
          + "* \(1.0 / Double(rows));")
      // Rows beyond the last one are stored at its place, but their pixels are not those that share it.
      let lines = plane.rows(height: target.blockHeight)
      if rows > 1, row > 0 {
        text.emit(
          "if (by * \(lines) + \(row) > (p.lastRow\(suffix(plane)))) "
            + "a\(name)_\(row)_\(quad) = a\(name)_\(row - 1)_\(quad);")
      }
    }
  }

  /// Packs the samples into words and stores each plane's share of the block.
  func emitStores(to text: inout KernelText) {
    for (index, plane) in target.layout.planes.enumerated() {
      let access = target.access[index]
      let type = VectorType(bytes: access.bytes, wide: target.usesWideWords)
      let bytes = plane.rowBytes(width: target.blockWidth)
      let binding = firstBinding + index
      for row in 0..<plane.rows(height: target.blockHeight) {
        let address = "d\(index)_\(row)"
        emitRowAddress(
          address, binding: binding, plane: plane, row: row,
          unitsPerBlock: bytes / access.bytes, to: &text)
        for vector in 0..<(bytes / access.bytes) {
          let first = vector * access.bytes / 4
          let words = (first..<first + access.bytes / 4).map { packedWord($0, index, row) }
          let check =
            access.isGuarded
            ? "if (bx * \(bytes / access.bytes) + \(vector) "
              + "< abs(\(numbers.stride(binding)))) " : ""
          text.emit("\(check)d\(index)[\(address) + \(vector)] = \(type.make(of: words));")
        }
      }
    }
  }

  /// Declares where the block's part of a row starts, in units of the access.
  func emitRowAddress(
    _ name: String, binding: Int, plane: PixelLayout.Plane, row: Int, unitsPerBlock: Int,
    to text: inout KernelText
  ) {
    let rows = plane.rows(height: target.blockHeight)
    let line = rows == 1 ? "by" : "min(by * \(rows) + \(row), p.lastRow\(suffix(plane)))"
    text.emit(
      "int \(name) = \(numbers.offset(binding)) + \(line) * \(numbers.stride(binding)) "
        + "+ bx * \(unitsPerBlock);")
  }

  /// The last row of a plane whose blocks have several.
  private func suffix(_ plane: PixelLayout.Plane) -> String {
    plane.verticalSubsampling == 0 ? "" : " >> \(plane.verticalSubsampling)"
  }

  /// The text of one 32-bit word of a plane.
  private func packedWord(_ word: Int, _ plane: Int, _ row: Int) -> String {
    let stride = target.layout.planes[plane].pixelStride
    if target.layout.isFloat {
      let pair = word % 2 == 0 ? (0, 1) : (2, 3)
      let (quad, lane) = (word * 4 / stride / 4, Array("xyzw")[word * 4 / stride % 4])
      return "packHalf2x16(vec2(c\(pair.0)_\(row)_\(quad).\(lane), "
        + "c\(pair.1)_\(row)_\(quad).\(lane)))"
    }
    var parts: [String] = []
    var filled = 0
    for component in target.layout.storedComponents where component.component.plane == plane {
      for byte in stride == 0 ? 0..<0 : 0..<4 {
        let position = word * 4 + byte
        guard component.component.offset == position % stride else { continue }
        let lane = Array("xyzw")[position / stride % 4]
        let value = "uint(o\(component.name)_\(row)_\(position / stride / 4).\(lane))"
        let shift = 8 * byte + component.component.shift
        parts.append(shift == 0 ? value : "(\(value) << \(shift))")
        for index in 0..<component.component.bytes { filled |= 0xff << (8 * (byte + index)) }
      }
    }
    // Bytes that hold no component, as the x of RGBx, become opaque.
    let rest = ~UInt32(truncatingIfNeeded: filled)
    if rest != 0 { parts.append("\(rest)u") }
    return parts.joined(separator: " | ")
  }
}

extension KernelTarget {
  func isSubsampled(_ component: PixelLayout.Component) -> Bool {
    let plane = layout.planes[component.plane]
    return plane.horizontalSubsampling > 0 || plane.verticalSubsampling > 0
  }

  /// Calls `body` with each row and group of four samples that a block has of a component.
  func forEachQuad(of component: PixelLayout.Component, _ body: (_ row: Int, _ quad: Int) -> Void) {
    let plane = layout.planes[component.plane]
    let samples = plane.rowBytes(width: blockWidth) / plane.pixelStride
    for row in 0..<plane.rows(height: blockHeight) {
      for quad in 0..<((samples + 3) / 4) { body(row, quad) }
    }
  }
}
