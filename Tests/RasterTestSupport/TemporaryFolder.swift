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
}
