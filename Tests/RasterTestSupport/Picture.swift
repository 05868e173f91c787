internal import RasterReference

/// The samples of one frame, plane after plane, without padding.
package struct Picture: Hashable, Sendable {
  package let layout: VideoLayout
  /// The bytes of each plane, row after row.
  package var planes: [[UInt8]]

  /// A picture whose every byte is `value`.
  package init(_ layout: VideoLayout, filledWith value: UInt8 = 0) {
    self.layout = layout
    planes = layout.planes.map { Array(repeating: value, count: $0.size) }
  }

  /// Noise that is the same for the same seed.
  package static func noise(_ layout: VideoLayout, seed: UInt64 = 1) -> Picture {
    var random = RandomBytes(seed: seed)
    var picture = Picture(layout)
    for plane in picture.planes.indices {
      for index in picture.planes[plane].indices { picture.planes[plane][index] = random.next() }
    }
    return picture
  }

  /// Writes the picture where the buffer's GstVideoMeta says, or else where its size implies.
  package func write(to buffer: Buffer) {
    let (offsets, strides) = buffer.geometry(layout)
    for (index, plane) in layout.planes.enumerated() {
      for row in 0..<plane.rows {
        let bytes = planes[index][row * plane.rowBytes..<(row + 1) * plane.rowBytes]
        buffer.fill(offsets[index] + row * strides[index], Array(bytes))
      }
    }
  }

  /// The picture in a buffer, laid out as its GstVideoMeta says or else as its size implies.
  ///
  /// - Returns: nil where the buffer is too small for it.
  package init?(reading buffer: Buffer, as layout: VideoLayout) {
    let bytes = buffer.bytes
    let (offsets, strides) = buffer.geometry(layout)
    self.init(layout)
    for (index, plane) in layout.planes.enumerated() {
      for row in 0..<plane.rows {
        let start = offsets[index] + row * strides[index]
        guard start >= 0, start + plane.rowBytes <= bytes.count else { return nil }
        planes[index].replaceSubrange(
          row * plane.rowBytes..<(row + 1) * plane.rowBytes,
          with: bytes[start..<start + plane.rowBytes])
      }
    }
  }

  /// The buffer that GStreamer's default layout of such a frame makes.
  package func packed() -> Buffer { Placement(layout).buffer(of: self) }
}

/// Pseudo-random bytes (SplitMix64), the same on every machine.
package struct RandomBytes {
  private var words: Random

  package init(seed: UInt64) { words = Random(seed) }

  /// The next 64 bits.
  package mutating func nextWord() -> UInt64 { words.next() }

  package mutating func next() -> UInt8 { UInt8(truncatingIfNeeded: nextWord() >> 24) }

  /// A number in `range`.
  package mutating func next(in range: ClosedRange<Double>) -> Double {
    let fraction = Double(nextWord() >> 11) / Double(1 << 53)
    return range.lowerBound + fraction * (range.upperBound - range.lowerBound)
  }
}

/// How far two pictures are apart.
package struct Difference: CustomStringConvertible, Sendable {
  package private(set) var maximum = 0
  package private(set) var mean = 0.0
  private var worst = "no samples"

  package init(_ actual: Picture, _ expected: Picture) {
    guard actual.layout == expected.layout else {
      maximum = 256
      worst = "\(actual.layout.caps()) is not \(expected.layout.caps())"
      return
    }
    var (sum, count) = (0, 0)
    for (index, plane) in actual.layout.planes.enumerated() {
      let (left, right) = (actual.planes[index], expected.planes[index])
      for position in left.indices where plane.usedBytes[position % plane.pixelStride] {
        let error = abs(Int(left[position]) - Int(right[position]))
        (sum, count) = (sum + error, count + 1)
        guard error > maximum || count == 1 else { continue }
        maximum = error
        let (x, byte) = (position % plane.rowBytes).quotientAndRemainder(
          dividingBy: plane.pixelStride)
        worst =
          "\(actual.layout.format) \(actual.layout.width)×\(actual.layout.height), plane \(index), "
          + "x \(x), y \(position / plane.rowBytes), byte \(byte): \(left[position]) instead of "
          + "\(right[position])"
      }
    }
    if count > 0 { mean = Double(sum) / Double(count) }
  }

  package var description: String { "max \(maximum), mean \(mean), worst at \(worst)" }
}
