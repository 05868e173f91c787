internal import CGstCheck
internal import Glibc

/// A folder of its own that is removed, with all files in it, at the end of this object.
package final class TemporaryFolder {
  package struct Failure: Error {}

  package let path: String
  private var files: [String] = []

  package init() throws {
    var name = Array("/tmp/raster-test-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw Failure() }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// Writes a file, and returns its path.
  package func write(_ bytes: [UInt8], as name: String) throws -> String {
    let file = add(name)
    let written = bytes.withUnsafeBytes { bytes in
      g_file_set_contents(
        file, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), nil)
    }
    guard written != 0 else { throw Failure() }
    return file
  }

  /// The bytes of a file.
  package func read(_ path: String) throws -> [UInt8] {
    var bytes: UnsafeMutablePointer<CChar>?
    var count: gsize = 0
    guard g_file_get_contents(path, &bytes, &count, nil) != 0, let bytes else { throw Failure() }
    defer { g_free(bytes) }
    return UnsafeRawBufferPointer(start: bytes, count: Int(clamping: count)).map { $0 }
  }

  /// The path of a file that something else makes.
  package func add(_ name: String) -> String {
    let file = path + "/" + name
    if !files.contains(file) { files.append(file) }
    return file
  }
}
