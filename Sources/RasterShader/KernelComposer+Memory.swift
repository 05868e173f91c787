internal import RasterGraph

extension KernelComposer {
  /// Loads each plane's share of the block into 32-bit words `s<plane>_<row>_<word>`.
  mutating func emitLoads() {
    for (index, plane) in plan.source.planes.enumerated() {
      let access = plan.sourceAccess[index]
      let bytes = plane.rowBytes(width: plan.target.blockWidth)
      emit("int n\(index) = s\(index).length() - 1;")
      for row in 0..<plane.rows(height: plan.target.blockHeight) {
        let address = "s\(index)_\(row)"
        writer.emitRowAddress(
          address, binding: index, plane: plane, row: row,
          unitsPerBlock: access == .unaligned ? bytes : bytes / access.bytes, to: &text)
        switch access {
        case .vectors(let size):
          emitVectorLoads(index, row, address, count: bytes / size, size: size)
        case .unaligned:
          emitUnalignedLoads(index, row, address, words: bytes / 4)
        }
      }
    }
  }

  private mutating func emitVectorLoads(
    _ plane: Int, _ row: Int, _ address: String, count: Int, size: Int
  ) {
    let type = VectorType(bytes: size, wide: plan.target.usesWideWords)
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
}
