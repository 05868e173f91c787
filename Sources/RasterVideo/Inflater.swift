/// Decompresses zlib streams (RFC 1950) of deflated data (RFC 1951).
///
/// Any bytes are safe to give: output has a bound, and malformed streams end early.
struct Inflater {
  private var input: BitReader
  private var output: [UInt8] = []
  private let size: Int

  /// The data of a stream.
  ///
  /// - Parameter size: bytes that the data has.
  /// - Returns: nil where the stream is malformed, or holds fewer or more bytes.
  static func inflate(_ bytes: [UInt8], size: Int) -> [UInt8]? {
    // No bit of deflated data stands for more: nothing is reserved for what cannot come.
    guard size / 1032 <= bytes.count else { return nil }
    var inflater = Inflater(input: BitReader(bytes), size: size)
    inflater.output.reserveCapacity(size)
    return inflater.run() ? inflater.output : nil
  }

  private init(input: BitReader, size: Int) {
    self.input = input
    self.size = size
  }

  private mutating func run() -> Bool {
    let header = (method: input.take(8), flags: input.take(8))
    guard header.method & 15 == 8, (header.method << 8 | header.flags) % 31 == 0,
      header.flags & 32 == 0
    else { return false }
    var isLast = false
    while !isLast {
      isLast = input.take(1) == 1
      let isRead: Bool
      switch input.take(2) {
      case 0: isRead = readStored()
      case 1: isRead = readCodes(Inflater.fixed.literals, Inflater.fixed.distances)
      case 2: isRead = readDynamic()
      default: isRead = false
      }
      guard isRead, !input.isOverrun else { return false }
    }
    input.alignToByte()
    let checksum = (0..<4).reduce(0) { sum, _ in sum << 8 | input.take(8) }
    return output.count == size && !input.isOverrun && checksum == Inflater.adler32(output)
  }

  /// RFC 1950, section 8.2.
  private static func adler32(_ bytes: [UInt8]) -> Int {
    var (low, high) = (1, 0)
    for byte in bytes {
      low += Int(byte)
      if low >= 65521 { low -= 65521 }
      high += low
      if high >= 65521 { high -= 65521 }
    }
    return high << 16 | low
  }

  /// RFC 1951, section 3.2.4.
  private mutating func readStored() -> Bool {
    input.alignToByte()
    let (count, complement) = (input.take(16), input.take(16))
    guard count == complement ^ 0xFFFF, count <= size - output.count else { return false }
    for _ in 0..<count { output.append(UInt8(input.take(8))) }
    return true
  }

  /// RFC 1951, section 3.2.7.
  private mutating func readDynamic() -> Bool {
    let literalCount = input.take(5) + 257
    let distanceCount = input.take(5) + 1
    var lengths = [UInt8](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for index in order.prefix(input.take(4) + 4) { lengths[index] = UInt8(input.take(3)) }
    guard let codes = CodeTable(lengths) else { return false }
    lengths = []
    while lengths.count < literalCount + distanceCount {
      guard let symbol = codes.symbol(&input), !input.isOverrun else { return false }
      switch symbol {
      case 0..<16: lengths.append(UInt8(symbol))
      case 16:
        guard let last = lengths.last else { return false }
        lengths += repeatElement(last, count: input.take(2) + 3)
      case 17: lengths += repeatElement(0, count: input.take(3) + 3)
      default: lengths += repeatElement(0, count: input.take(7) + 11)
      }
    }
    guard lengths.count == literalCount + distanceCount,
      let literals = CodeTable(Array(lengths.prefix(literalCount))),
      let distances = CodeTable(Array(lengths.dropFirst(literalCount)))
    else { return false }
    return readCodes(literals, distances)
  }

  private mutating func readCodes(_ literals: CodeTable, _ distances: CodeTable) -> Bool {
    while !input.isOverrun {
      guard let symbol = literals.symbol(&input) else { return false }
      if symbol < 256 {
        guard output.count < size else { return false }
        output.append(UInt8(symbol))
      } else if symbol == 256 {
        return true
      } else {
        guard symbol < 286 else { return false }
        let length = Inflater.lengths.value(symbol - 257, &input)
        guard let code = distances.symbol(&input), code < 30 else { return false }
        let distance = Inflater.distances.value(code, &input)
        guard distance <= output.count, length <= size - output.count else { return false }
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
    }
    return false
  }

  // MARK: Tables of RFC 1951, sections 3.2.5 and 3.2.6

  private static let lengths = BaseTable(first: 3, codes: 28, perWidth: 4, last: 258)
  private static let distances = BaseTable(first: 1, codes: 30, perWidth: 2, last: nil)

  private static let fixed: (literals: CodeTable, distances: CodeTable) = {
    let widths: [(width: UInt8, count: Int)] = [(8, 144), (9, 112), (7, 24), (8, 8)]
    let literals = widths.flatMap { [UInt8](repeating: $0.width, count: $0.count) }
    return (
      CodeTable(literals) ?? .empty,
      CodeTable([UInt8](repeating: 5, count: 32)) ?? .empty
    )
  }()
}

/// The numbers that codes for lengths or distances stand for.
private struct BaseTable {
  private var bases: [Int] = []
  private var widths: [Int] = []

  /// - Parameters:
  ///   - first: what the first code stands for.
  ///   - perWidth: codes that have the same number of bits after them; twice as many have none.
  ///   - last: what one more code stands for, without bits after it.
  init(first: Int, codes: Int, perWidth: Int, last: Int?) {
    var base = first
    for code in 0..<codes {
      bases.append(base)
      widths.append(max(code / perWidth - 1, 0))
      base += 1 << widths[code]
    }
    guard let last else { return }
    bases.append(last)
    widths.append(0)
  }

  func value(_ code: Int, _ input: inout BitReader) -> Int {
    bases[code] + input.take(widths[code])
  }
}

/// A prefix code (RFC 1951, section 3.2.2), as a table over all that can come next.
private struct CodeTable {
  static let empty = CodeTable(width: 1, entries: [0, 0])

  /// Bits of the longest code.
  private let width: Int
  /// Symbol times 16 plus the bits of its code; 0 where no code begins so.
  private let entries: [UInt16]

  private init(width: Int, entries: [UInt16]) {
    self.width = width
    self.entries = entries
  }

  /// - Parameter lengths: bits of each symbol's code, at most 15; 0 for those that have none.
  /// - Returns: nil where there are more codes than bits can tell apart.
  init?(_ lengths: [UInt8]) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    let width = max(counts.lastIndex { $0 > 0 } ?? 1, 1)
    var next = [Int](repeating: 0, count: 16)
    var code = 0
    for length in 1...15 {
      code = (code + counts[length - 1]) << 1
      next[length] = code
      guard code + counts[length] <= 1 << length else { return nil }
    }
    var entries = [UInt16](repeating: 0, count: 1 << width)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let first = CodeTable.reversed(next[Int(length)], bits: Int(length))
      next[Int(length)] += 1
      for index in stride(from: first, to: entries.count, by: 1 << Int(length)) {
        entries[index] = UInt16(symbol) << 4 | UInt16(length)
      }
    }
    self.init(width: width, entries: entries)
  }

  /// Codes come with their first bit first, numbers with their last.
  private static func reversed(_ code: Int, bits: Int) -> Int {
    (0..<bits).reduce(0) { $0 << 1 | (code >> $1 & 1) }
  }

  /// The symbol whose code comes next; nil where none does.
  func symbol(_ input: inout BitReader) -> Int? {
    let entry = entries[input.peek(width)]
    guard entry > 0 else { return nil }
    input.skip(Int(entry & 15))
    return Int(entry >> 4)
  }
}

/// Bits of bytes, the lowest first. Zeros follow the last byte.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  private var bits: UInt64 = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether bits were taken that do not exist.
  var isOverrun: Bool { position - count / 8 > bytes.count }

  /// The next bits, at most 16, which stay.
  mutating func peek(_ width: Int) -> Int {
    while count < width {
      bits |= UInt64(position < bytes.count ? bytes[position] : 0) << UInt64(count)
      position += 1
      count += 8
    }
    return Int(bits & (1 << UInt64(width) - 1))
  }

  /// Leaves out bits that were peeked at.
  mutating func skip(_ width: Int) {
    bits >>= UInt64(width)
    count -= width
  }

  /// The next bits, at most 16.
  mutating func take(_ width: Int) -> Int {
    let value = peek(width)
    skip(width)
    return value
  }

  mutating func alignToByte() { skip(count & 7) }
}
