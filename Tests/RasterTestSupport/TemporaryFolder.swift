internal import CGstCheck
internal import Glibc

/// A folder for one test, removed with all that is in it.
package final class TemporaryFolder {
  package struct Unavailable: Error {}

  package let path: String

  package init() throws {
    var path = Array("/tmp/raster-test-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw Unavailable() }
    self.path = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { TemporaryFolder.remove(path) }

  private static func remove(_ path: String) {
    chmod(path, 0o700)
    for name in names(in: path) { remove(path + "/" + name) }
    if rmdir(path) != 0 { unlink(path) }
  }

  /// The names of all files in a folder, sorted.
  package static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Writes a file, and returns its path.
  package func write(_ bytes: [UInt8], as name: String) throws -> String {
    let file = add(name)
    let written = bytes.withUnsafeBytes { bytes in
      g_file_set_contents(
        file, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), nil)
    }
    guard written != 0 else { throw Unavailable() }
    return file
  }

  /// The bytes of a file.
  package func read(_ path: String) throws -> [UInt8] {
    var bytes: UnsafeMutablePointer<CChar>?
    var count: gsize = 0
    guard g_file_get_contents(path, &bytes, &count, nil) != 0, let bytes else {
      throw Unavailable()
    }
    defer { g_free(bytes) }
    return UnsafeRawBufferPointer(start: bytes, count: Int(clamping: count)).map { $0 }
  }

  /// The path of a file that something else makes.
  package func add(_ name: String) -> String { path + "/" + name }
}
