internal import RasterGraph

extension KernelComposer {
  /// Loads each plane's share of the block into 32-bit words `s<plane>_<row>_<word>`.
  mutating func emitLoads() {
    for (index, plane) in plan.source.planes.enumerated() {
      let access = plan.sourceAccess[index]
      let bytes = plane.rowBytes(width: plan.blockWidth)
      emit("int n\(index) = s\(index).length() - 1;")
      for row in 0..<plane.rows(height: plan.blockHeight) {
        let address = emitRowAddress(
          "s\(index)_\(row)", binding: index, plane: plane, row: row,
          unitsPerBlock: access == .unaligned ? bytes : bytes / access.bytes)
        switch access {
        case .vectors(let size):
          emitVectorLoads(index, row, address, count: bytes / size, size: size)
        case .unaligned:
          emitUnalignedLoads(index, row, address, words: bytes / 4)
        }
      }
    }
  }

  /// Declares where the block's part of a row starts, in units of the access.
  private mutating func emitRowAddress(
    _ name: String, binding: Int, plane: PixelLayout.Plane, row: Int, unitsPerBlock: Int
  ) -> String {
    let rows = plane.rows(height: plan.blockHeight)
    let line = rows == 1 ? "by" : "min(by * \(rows) + \(row), p.lastRow)"
    emit(
      "int \(name) = p.offsetAndStride[\(2 * binding)] + \(line) * "
        + "p.offsetAndStride[\(2 * binding + 1)] + bx * \(unitsPerBlock);")
    return name
  }

  private mutating func emitVectorLoads(
    _ plane: Int, _ row: Int, _ address: String, count: Int, size: Int
  ) {
    let type = VectorType(bytes: size, wide: plan.usesWideWords)
    for vector in 0..<count {
      let name = "\(address)v\(vector)"
      emit("\(type.name) \(name) = s\(plane)[min(\(address) + \(vector), n\(plane))];")
      for (word, text) in type.words(of: name).enumerated() {
        emit("uint s\(plane)_\(row)_\(vector * size / 4 + word) = \(text);")
      }
    }
  }

  /// A word that starts at any byte is made of two aligned ones.
  private mutating func emitUnalignedLoads(_ plane: Int, _ row: Int, _ address: String, words: Int)
  {
    let shift = "\(address)shift"
    emit("int \(shift) = (\(address) & 3) * 8;")
    for word in 0...words {
      emit(
        "uint \(address)a\(word) = s\(plane)[min((\(address) >> 2) + \(word), n\(plane))];")
    }
    for word in 0..<words {
      // Shifting by 32 at once is undefined.
      emit(
        "uint s\(plane)_\(row)_\(word) = (\(address)a\(word) >> \(shift)) | "
          + "(\(address)a\(word + 1) << 1 << (31 - \(shift)));")
    }
  }

  /// Packs the channels into words and stores each plane's share of the block.
  mutating func emitStores() {
    for (index, plane) in plan.destination.planes.enumerated() {
      let access = plan.destinationAccess[index]
      let type = VectorType(bytes: access.bytes, wide: plan.usesWideWords)
      let bytes = plane.rowBytes(width: plan.blockWidth)
      let binding = plan.sourceAccess.count + index
      for row in 0..<plane.rows(height: plan.blockHeight) {
        let address = emitRowAddress(
          "d\(index)_\(row)", binding: binding, plane: plane, row: row,
          unitsPerBlock: bytes / access.bytes)
        for vector in 0..<(bytes / access.bytes) {
          let first = vector * access.bytes / 4
          let words = (first..<first + access.bytes / 4).map { packedWord($0, index, row) }
          let check =
            access.isGuarded
            ? "if (bx * \(bytes / access.bytes) + \(vector) "
              + "< abs(p.offsetAndStride[\(2 * binding + 1)])) " : ""
          emit("\(check)d\(index)[\(address) + \(vector)] = \(type.make(of: words));")
        }
      }
    }
  }

  /// The text of one 32-bit word of a destination plane.
  private func packedWord(_ word: Int, _ plane: Int, _ row: Int) -> String {
    let stride = plan.destination.planes[plane].pixelStride
    let components = plan.destination.storedComponents
    let parts = (0..<4).map { byte -> String in
      let position = word * 4 + byte
      let sample = position / stride
      let channel = components.first {
        $0.component.plane == plane && $0.component.offset == position % stride
      }
      // Bytes that hold no component, as the x of RGBx, become opaque.
      guard let channel else { return "\(UInt32(0xff) << UInt32(8 * byte))u" }
      let lane = Array("xyzw")[sample % 4]
      let value = "uint(o\(channel.name)_\(row)_\(sample / 4).\(lane))"
      return byte == 0 ? value : "(\(value) << \(8 * byte))"
    }
    return parts.joined(separator: " | ")
  }
}
