/// What a file of the cache is for: its name, and what must be written in it.
package struct CacheKey: Hashable, Sendable {
  package enum Kind: UInt32, Hashable, Sendable, CaseIterable {
    /// A kernel's SPIR-V.
    case spirv = 1
    /// What a driver wants to keep of its pipelines.
    case pipelines = 2

    /// The end of the names of such files.
    var suffix: String {
      switch self {
      case .spirv: ".spv"
      case .pipelines: ".pipelines"
      }
    }

    /// The largest content that is read or written, in bytes.
    package var limit: Int {
      switch self {
      case .spirv: 4 << 20
      case .pipelines: 32 << 20
      }
    }
  }

  package let kind: Kind
  let digest: Digest
  /// Bytes of all that the digest stands for.
  let length: UInt64

  /// - Parameter material: all that decides the content. The plugin's version is added to it.
  package init(_ kind: Kind, _ material: [String]) {
    // A zero byte keeps ["ab", "c"] and ["a", "bc"] apart.
    let text = ([CacheKey.pluginVersion] + material).joined(separator: "\0")
    let bytes = Array(text.utf8)
    self.kind = kind
    digest = bytes.withUnsafeBytes { Digest($0) }
    length = UInt64(bytes.count)
  }

  /// As the plugin says in `gst-inspect-1.0`; scripts/check-plugin compares them.
  package static let pluginVersion = "0.1.0"

  /// The name of the file, without a folder.
  package var fileName: String { CacheKey.prefix + digest.text + kind.suffix }

  private static let prefix = "raster-"

  /// The kind of a file by its name; nil for files that are not ours.
  static func kind(of name: String) -> Kind? {
    Kind.allCases.first { kind in
      guard name.hasPrefix(prefix), name.hasSuffix(kind.suffix) else { return false }
      let digits = name.dropFirst(prefix.count).dropLast(kind.suffix.count)
      return digits.count == 32 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
  }
}

/// The form of a file: a header of 64 bytes, then the content.
///
/// Every bit of it is compared with what it must be, so that no torn, changed or foreign file is
/// taken for a good one. Numbers are in the byte order of the machine; another one's do not match.
enum CacheEntry {
  static let headerSize = 64
  /// Counted up whenever this form, or the options of the shader compiler, change.
  static let formatVersion: UInt32 = 1
  private static let magic: UInt64 = 0x4568_6361_4372_7352

  /// The header that belongs to a content.
  static func header(for key: CacheKey, _ payload: UnsafeRawBufferPointer) -> [UInt8] {
    let content = Digest(payload)
    let kind = UInt64(key.kind.rawValue) << 32 | UInt64(formatVersion)
    let words = [
      magic, kind, key.digest.low, key.digest.high, key.length, UInt64(payload.count), content.low,
      content.high,
    ]
    return words.withUnsafeBytes { Array($0) }
  }

  /// The content of a file; nil where it is not a whole and unchanged file for `key`.
  static func payload(of file: [UInt8], for key: CacheKey) -> [UInt8]? {
    guard file.count >= headerSize else { return nil }
    return file.withUnsafeBytes { file in
      let payload = UnsafeRawBufferPointer(rebasing: file[headerSize...])
      guard file.prefix(headerSize).elementsEqual(header(for: key, payload)) else { return nil }
      return Array(payload)
    }
  }
}
