/// Writes PNG files (W3C PNG, second edition) without compression: pngenc has no 16-bit colors.
package enum PortableNetworkGraphics {
  /// What a pixel holds, by the number that the header has for it.
  package enum ColorType: UInt8, Sendable, CaseIterable {
    case gray = 0
    case rgb = 2
    case grayAlpha = 4
    case rgba = 6

    package var channels: Int {
      switch self {
      case .gray: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - samples: all channels of each pixel, row by row; below 256 where `depth` is 8.
  ///   - depth: 8 or 16 bits.
  package static func file(
    _ samples: [UInt16], width: Int, height: Int, type: ColorType, depth: Int
  ) -> [UInt8] {
    var lines: [UInt8] = []
    let rowSamples = width * type.channels
    for row in 0..<height {
      lines.append(0)
      for sample in samples[(row * rowSamples)..<((row + 1) * rowSamples)] {
        if depth == 16 { lines.append(UInt8(sample >> 8)) }
        lines.append(UInt8(truncatingIfNeeded: sample))
      }
    }
    return header(width: width, height: height, type: type, depth: depth)
      + chunk("IDAT", stored(lines)) + chunk("IEND", [])
  }

  /// The bytes up to the samples.
  package static func header(width: Int, height: Int, type: ColorType, depth: Int) -> [UInt8] {
    let size = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", size + [UInt8(depth), type.rawValue, 0, 0, 0])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + data
    return bigEndian(UInt32(data.count)) + content + bigEndian(checksum(content))
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, section 3.2.4).
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    for start in stride(from: 0, to: data.count, by: 65535) {
      let block = data[start..<min(start + 65535, data.count)]
      let count = UInt16(block.count)
      result.append(start + block.count == data.count ? 1 : 0)
      for number in [count, ~count] { result += [UInt8(number & 255), UInt8(number >> 8)] }
      result += block
    }
    return result + bigEndian(high << 16 | low)
  }

  /// CRC-32 (ISO 3309), as the PNG specification's annex D has it.
  private static func checksum(_ data: [UInt8]) -> UInt32 {
    var value: UInt32 = .max
    for byte in data {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
    return ~value
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
