internal import CZlib
internal import RasterGraph

/// Reads PNG pictures of 16 bits (W3C PNG, second edition) to the last bit.
///
/// GStreamer's pngdec is for all others: it shifts 16-bit colors by a channel, up to version 1.22 at
/// least, since it writes rows at the address of red in pixels that begin with alpha.
enum DeepPNG {
  /// Bytes that tell whether a file is for this reader.
  static let headSize = 26

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Whether these first bytes of a file are those of a 16-bit PNG.
  static func matches(_ head: [UInt8]) -> Bool {
    head.count >= headSize && head.starts(with: signature) && head[12..<16] == name("IHDR")
      && head[24] == 16
  }

  /// What the header says.
  private struct Header {
    let width: Int
    let height: Int
    let channels: Int
    let hasAlpha: Bool

    /// Bytes of a row, without its filter.
    var rowBytes: Int { 2 * channels * width }
  }

  /// The picture in a file. A color that stands for transparency is not looked at.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: what errors call the file.
  /// - Throws: `invalidSetting` where the file is damaged, interlaced or too large.
  static func decode(_ bytes: [UInt8], path: String) throws(RasterError) -> DecodedPicture {
    let damaged = ImageFile.problem(
      path, "is damaged", "Check that other programs can show the picture.")
    var header: Header?
    var packed: [UInt8] = []
    var position = signature.count
    while bytes.count - position >= 12 {
      let size = number(bytes, position)
      guard size <= bytes.count - position - 12 else { throw damaged }
      let data = bytes[(position + 8)..<(position + 8 + size)]
      switch bytes[(position + 4)..<(position + 8)] {
      case name("IHDR"): header = try read(Array(data), path)
      case name("IDAT"): packed += data
      default: break
      }
      position += size + 12
    }
    guard let header,
      var lines = inflate(packed, size: header.height * (header.rowBytes + 1)),
      unfilter(&lines, header)
    else { throw damaged }
    return DecodedPicture(
      width: header.width, height: header.height, pixels: pixels(lines, header))
  }

  private static func read(_ data: [UInt8], _ path: String) throws(RasterError) -> Header {
    let damaged = ImageFile.problem(path, "has a damaged header", "Save it again.")
    guard data.count == 13, data[8] == 16, data[10] == 0, data[11] == 0 else { throw damaged }
    let (width, height) = (number(data, 0), number(data, 4))
    guard max(width, height) <= ImageFile.limit else {
      throw ImageFile.tooLarge(path, width, height)
    }
    guard width > 0, height > 0, let channels = [0: 1, 2: 3, 4: 2, 6: 4][data[9]] else {
      throw damaged
    }
    guard data[12] == 0 else {
      throw ImageFile.problem(path, "is interlaced", "Save it without interlacing.")
    }
    return Header(
      width: width, height: height, channels: channels, hasAlpha: channels.isMultiple(of: 2))
  }

  /// Exactly `size` bytes from a zlib stream; nil where it has others, or is damaged.
  private static func inflate(_ packed: [UInt8], size: Int) -> [UInt8]? {
    // No bit of such a stream stands for more: nothing is allocated for what cannot come.
    guard size / 1032 <= packed.count else { return nil }
    var count = uLongf(size)
    var isWhole = false
    let result = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      let status = uncompress(buffer.baseAddress, &count, packed, uLong(packed.count))
      isWhole = status == Z_OK && Int(count) == size
      initialized = isWhole ? size : 0
    }
    return isWhole ? result : nil
  }

  /// Undoes what each row says in its first byte (section 9.2); false for an unknown filter.
  private static func unfilter(_ lines: inout [UInt8], _ header: Header) -> Bool {
    let (pixel, row) = (2 * header.channels, header.rowBytes + 1)
    for line in 0..<header.height {
      let start = line * row
      let filter = lines[start]
      guard filter <= 4 else { return false }
      guard filter > 0 else { continue }
      for index in (start + 1)..<(start + row) {
        let isFirst = index - start <= pixel
        let left = isFirst ? 0 : Int(lines[index - pixel])
        let above = line == 0 ? 0 : Int(lines[index - row])
        let corner = isFirst || line == 0 ? 0 : Int(lines[index - row - pixel])
        let guess =
          switch filter {
          case 1: left
          case 2: above
          case 3: (left + above) / 2
          default: paeth(left, above, corner)
          }
        lines[index] &+= UInt8(guess)
      }
    }
    return true
  }

  /// Section 9.4.
  private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let sum = left + above - corner
    let (a, b, c) = (abs(sum - left), abs(sum - above), abs(sum - corner))
    return a <= b && a <= c ? left : (b <= c ? above : corner)
  }

  /// Red, green, blue and alpha of each pixel.
  private static func pixels(_ lines: [UInt8], _ header: Header) -> [UInt16] {
    var pixels: [UInt16] = []
    pixels.reserveCapacity(4 * header.width * header.height)
    for line in 0..<header.height {
      var position = line * (header.rowBytes + 1) + 1
      func sample(_ channel: Int) -> UInt16 {
        UInt16(lines[position + 2 * channel]) << 8 | UInt16(lines[position + 2 * channel + 1])
      }
      let step = header.channels < 3 ? 0 : 1
      for _ in 0..<header.width {
        for channel in 0..<3 { pixels.append(sample(channel * step)) }
        pixels.append(header.hasAlpha ? sample(header.channels - 1) : .max)
        position += 2 * header.channels
      }
    }
    return pixels
  }

  private static func number(_ bytes: [UInt8], _ position: Int) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(bytes[position + $1]) }
  }

  private static func name(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }
}
