/// Words and numbers of a text, line by line, read from its bytes.
///
/// Words are apart by spaces and tabs; a `#` starts a comment that ends with the line. Lines end in
/// LF, CR LF or CR.
struct TextScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of the current line, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bytes in the whole text.
  var size: Int { bytes.count }

  /// Leaves out a mark that says that the text is UTF-8.
  mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The first byte of the line's next word; nil if the line has no more.
  mutating func peek() -> UInt8? {
    while position < bytes.count, bytes[position] == Ascii.space || bytes[position] == Ascii.tab {
      position += 1
    }
    guard position < bytes.count, !isLineEnd(bytes[position]), bytes[position] != Ascii.hash else {
      return nil
    }
    return bytes[position]
  }

  /// Goes to the next line; false if this is the last one.
  mutating func nextLine() -> Bool {
    while position < bytes.count, !isLineEnd(bytes[position]) { position += 1 }
    guard position < bytes.count else { return false }
    let isPair =
      bytes[position] == Ascii.carriageReturn && position + 1 < bytes.count
      && bytes[position + 1] == Ascii.lineFeed
    position += isPair ? 2 : 1
    guard position < bytes.count else { return false }
    line += 1
    return true
  }

  /// The line's next word; empty if the line has no more.
  mutating func word() -> ArraySlice<UInt8> {
    _ = peek()
    let start = position
    position = wordEnd
    return bytes[start..<position]
  }

  /// A word as it is shown to a user: a part of a long one, and nothing that is not ASCII.
  static func shown(_ word: ArraySlice<UInt8>) -> String {
    let shown = word.prefix(24).map { byte -> Character in
      (0x21...0x7E).contains(byte) ? Character(Unicode.Scalar(byte)) : "?"
    }
    return "\"" + String(shown) + (word.count > 24 ? "…\"" : "\"")
  }

  /// The line's next word as a decimal number, rounded correctly; may be infinite.
  ///
  /// - Returns: nil, and stays before the word, where it is no number.
  mutating func number() -> Double? {
    guard let first = peek() else { return nil }
    var index = position
    if first == Ascii.minus || first == Ascii.plus { index += 1 }
    var digits = Digits()
    digits.read(bytes, &index)
    if index < bytes.count, bytes[index] == Ascii.point {
      index += 1
      digits.readFraction(bytes, &index)
    }
    guard digits.count > 0, let exponent = exponent(&index), isWordEnd(index) else { return nil }
    let start = position
    position = index
    if let value = digits.value(exponent) { return first == Ascii.minus ? -value : value }
    return Double(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  /// What follows an `e`, cut to ±9999; 0 where there is none, nil where it has no digits.
  private func exponent(_ index: inout Int) -> Int? {
    guard index < bytes.count, bytes[index] | 0x20 == Ascii.letterE else { return 0 }
    index += 1
    let isNegative = index < bytes.count && bytes[index] == Ascii.minus
    if index < bytes.count, isNegative || bytes[index] == Ascii.plus { index += 1 }
    let start = index
    var value = 0
    while index < bytes.count, let digit = Ascii.digit(bytes[index]) {
      value = min(value * 10 + Int(digit), 9999)
      index += 1
    }
    guard index > start else { return nil }
    return isNegative ? -value : value
  }

  private var wordEnd: Int {
    var index = position
    while !isWordEnd(index) { index += 1 }
    return index
  }

  private func isWordEnd(_ index: Int) -> Bool {
    guard index < bytes.count else { return true }
    let byte = bytes[index]
    return byte == Ascii.space || byte == Ascii.tab || byte == Ascii.hash || isLineEnd(byte)
  }

  private func isLineEnd(_ byte: UInt8) -> Bool {
    byte == Ascii.lineFeed || byte == Ascii.carriageReturn
  }
}

/// The digits of a number, as long as they fit.
private struct Digits {
  /// Digits that were read.
  private(set) var count = 0
  private var mantissa: UInt64 = 0
  private var fractionCount = 0
  private var isExact = true

  mutating func read(_ bytes: [UInt8], _ index: inout Int) {
    while index < bytes.count, let digit = Ascii.digit(bytes[index]) {
      if mantissa < 1 << 53 {
        mantissa = mantissa * 10 + UInt64(digit)
      } else {
        isExact = false
      }
      count += 1
      index += 1
    }
  }

  mutating func readFraction(_ bytes: [UInt8], _ index: inout Int) {
    let before = count
    read(bytes, &index)
    fractionCount = count - before
  }

  /// The number, where one rounding gives it (W. D. Clinger, How to Read Floating Point Numbers
  /// Accurately, 1990): digits and power of ten are both exact in double precision.
  func value(_ exponent: Int) -> Double? {
    let power = exponent - fractionCount
    guard isExact, mantissa <= 1 << 53, abs(power) < Digits.powers.count else { return nil }
    let value = Double(mantissa)
    return power < 0 ? value / Digits.powers[-power] : value * Digits.powers[power]
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

/// Bytes of ASCII characters.
enum Ascii {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let hash: UInt8 = 0x23
  static let plus: UInt8 = 0x2B
  static let minus: UInt8 = 0x2D
  static let point: UInt8 = 0x2E
  static let letterE: UInt8 = 0x65

  /// The value of a digit.
  static func digit(_ byte: UInt8) -> UInt8? {
    let value = byte &- 0x30
    return value < 10 ? value : nil
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
