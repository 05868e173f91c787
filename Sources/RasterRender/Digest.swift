/// 128 bits that stand for a text or for the content of a file.
///
/// SipHash-2-4 with a result of 128 bits and a key that everybody knows: it finds accidents, such as
/// torn or mixed-up files, not forgeries.
package struct Digest: Hashable, Sendable {
  package let low: UInt64
  package let high: UInt64

  /// - Parameter key: the two halves of SipHash's key; the default is for everything but tests.
  package init(
    _ bytes: UnsafeRawBufferPointer,
    key: (UInt64, UInt64) = (0x7261_7374_6572_2d6b, 0x6163_6865_2d6b_6579)
  ) {
    var state = SipState(key)
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      state.absorb(
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    for offset in whole..<bytes.count {
      last |= UInt64(bytes[offset]) << UInt64(8 * (offset - whole))
    }
    state.absorb(last)
    (low, high) = state.finish()
  }

  /// 32 hexadecimal digits.
  package var text: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// SipHash's four words.
private struct SipState {
  private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

  init(_ key: (UInt64, UInt64)) {
    a = key.0 ^ 0x736f_6d65_7073_6575
    b = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
    c = key.0 ^ 0x6c79_6765_6e65_7261
    d = key.1 ^ 0x7465_6462_7974_6573
  }

  mutating func absorb(_ word: UInt64) {
    d ^= word
    round()
    round()
    a ^= word
  }

  mutating func finish() -> (UInt64, UInt64) {
    c ^= 0xee
    for _ in 0..<4 { round() }
    let first = a ^ b ^ c ^ d
    b ^= 0xdd
    for _ in 0..<4 { round() }
    return (first, a ^ b ^ c ^ d)
  }

  private mutating func round() {
    a &+= b
    b = b.rotated(13) ^ a
    a = a.rotated(32)
    c &+= d
    d = d.rotated(16) ^ c
    a &+= d
    d = d.rotated(21) ^ a
    c &+= b
    b = b.rotated(17) ^ c
    c = c.rotated(32)
  }
}

extension UInt64 {
  fileprivate func rotated(_ count: UInt64) -> UInt64 { self << count | self >> (64 - count) }
}
