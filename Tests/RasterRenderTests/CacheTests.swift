import Glibc
import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterTestSupport
import RasterVulkan
import Testing

/// The content of a file.
func load(_ path: String) throws -> [UInt8] {
  let file = try #require(fopen(path, "r"), "\(path) is missing")
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes.prefix(count))
}

/// Makes a file, or writes over it.
func store(_ bytes: [UInt8], _ path: String) throws {
  let file = try #require(fopen(path, "w"))
  #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  fclose(file)
}

func mode(_ path: String) -> mode_t {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

/// A number that is another one whenever a file was written anew.
func identity(_ path: String) -> UInt64 {
  var status = stat()
  guard stat(path, &status) == 0 else { return 0 }
  return UInt64(status.st_ino) << 32 | UInt64(status.st_mtim.tv_nsec)
}

/// The cache of SPIR-V, and the files below it.
@Suite struct CacheTests {
  static let source = """
    #version 450
    layout(local_size_x = 1) in;
    layout(std430, binding = 0) buffer Words { uint words[]; };
    void main() { words[gl_GlobalInvocationID.x] = 7; }
    """

  /// Compiles once, so that there is a file; returns it with the words.
  private func filled(_ folder: TemporaryFolder) throws -> (path: String, words: [UInt32]) {
    let cache = ShaderCache(CacheDirectory(folder.path))
    let (words, wasCompiled) = try cache.spirv(for: Self.source, name: "test")
    #expect(wasCompiled && words.first == 0x0723_0203)
    return (folder.path + "/" + ShaderCache.key(for: Self.source).fileName, words)
  }

  private func expectCompiled(
    _ expected: Bool, _ path: String, _ words: [UInt32]? = nil, _ comment: Comment? = nil
  ) throws {
    let result = try ShaderCache(CacheDirectory(path)).spirv(for: Self.source, name: "test")
    #expect(result.wasCompiled == expected, comment)
    #expect(result.words.first == 0x0723_0203 && result.words == words ?? result.words, comment)
  }

  @Test func `the digest is SipHash`() {
    let expected = [
      "a3817f04ba25a8e66df67214c7550293", "da87c1d86b99af44347659119b22fc45",
      "8177228da4a45dc7fca38bdef60affe4",
    ]
    for (length, expected) in expected.enumerated() {
      let bytes = (0..<length).map { UInt8($0) }
      let digest = bytes.withUnsafeBytes {
        Digest($0, key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
      }
      // The published results are rows of bytes, the lowest first.
      let text = [digest.low, digest.high].map { half in
        (0..<8).map { index in
          let digits = String(UInt8(truncatingIfNeeded: half >> (8 * index)), radix: 16)
          return digits.count < 2 ? "0" + digits : digits
        }.joined()
      }.joined()
      #expect(text == expected)
    }
    #expect([UInt8]().withUnsafeBytes { Digest($0) }.text.count == 32)
  }

  @Test func `a second process compiles nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a/b"
    let cache = ShaderCache(CacheDirectory(path))
    let first = try cache.spirv(for: Self.source, name: "test")
    #expect(first.wasCompiled)
    try expectCompiled(false, path, first.words)
    #expect(try cache.spirv(for: Self.source + "\n", name: "test").wasCompiled)
    try expectCompiled(false, path + "/", first.words)
    #expect(mode(folder.path + "/a") == 0o700 && mode(path) == 0o700)
    let names = TemporaryFolder.names(in: path)
    #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("raster-") })
    #expect(names.allSatisfy { mode(path + "/" + $0) == 0o600 })
  }

  @Test func `a text that does not compile is not kept`() throws {
    let folder = try TemporaryFolder()
    let cache = ShaderCache(CacheDirectory(folder.path))
    #expect(throws: RasterError.self) { try cache.spirv(for: Self.source + "?", name: "test") }
    #expect(TemporaryFolder.names(in: folder.path).isEmpty)
  }

  @Test func `a change of any byte is found`() throws {
    let folder = try TemporaryFolder()
    let directory = CacheDirectory(folder.path)
    let (path, words) = try filled(folder)
    let good = try load(path)
    let key = ShaderCache.key(for: Self.source)
    #expect(directory.read(key)?.count == words.count * 4)
    for index in good.indices {
      var bytes = good
      bytes[index] ^= 1 << UInt8(index % 8)
      try store(bytes, path)
      #expect(directory.read(key) == nil, "byte \(index)")
    }
    for length in good.indices {
      try store(Array(good.prefix(length)), path)
      #expect(directory.read(key) == nil, "length \(length)")
    }
    try store(good, path)
    #expect(directory.read(key) != nil)
  }

  static let damages: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
    ("empty", { _ in [] }),
    ("cut in the header", { Array($0.prefix(40)) }),
    ("a header alone", { Array($0.prefix(64)) }),
    ("cut in the content", { Array($0.dropLast($0.count / 3)) }),
    ("cut by a byte", { $0.dropLast() }),
    ("longer", { $0 + [0] }),
    ("twice", { $0 + $0 }),
    ("zeros", { $0.map { _ in 0 } }),
    ("foreign magic", { Array("#!/bin/s".utf8) + $0.dropFirst(8) }),
    ("other version", { $0.prefix(8) + [2] + $0.dropFirst(9) }),
    ("other kind", { $0.prefix(12) + [2] + $0.dropFirst(13) }),
    ("endless length", { $0.prefix(40) + Array(repeating: 255, count: 8) + $0.dropFirst(48) }),
    ("negative length", { $0.prefix(47) + [128] + $0.dropFirst(48) }),
    ("noise", { $0.indices.map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 / 7) } }),
  ]

  @Test(arguments: damages.indices)
  func `a damaged file is compiled and written anew`(index: Int) throws {
    let folder = try TemporaryFolder()
    let (path, words) = try filled(folder)
    let (name, damage) = Self.damages[index]
    try store(damage(try load(path)), path)
    try expectCompiled(true, folder.path, words, "\(name)")
    try expectCompiled(false, folder.path, words, "\(name)")
    #expect(TemporaryFolder.names(in: folder.path).count == 1)
  }

  @Test func `a whole file with another content is not used`() throws {
    let folder = try TemporaryFolder()
    let directory = CacheDirectory(folder.path)
    let (path, words) = try filled(folder)
    let key = ShaderCache.key(for: Self.source)
    // Right in form, and no SPIR-V.
    for content in [[], [3, 2, 35], Array("a text of 20 letters".utf8)] as [[UInt8]] {
      #expect(content.withUnsafeBytes { directory.write($0, for: key) })
      #expect(directory.read(key) == content)
      try expectCompiled(true, folder.path, words)
    }
    // Another text's file under this name.
    let other = Self.source + "// other"
    _ = try ShaderCache(directory).spirv(for: other, name: "test")
    let bytes = try load(folder.path + "/" + ShaderCache.key(for: other).fileName)
    try store(bytes, path)
    try expectCompiled(true, folder.path, words)
  }

  @Test func `what is no plain file is left alone or replaced`() throws {
    let folder = try TemporaryFolder()
    let (path, words) = try filled(folder)
    let good = try load(path)
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    try expectCompiled(true, folder.path, words, "pipe")
    try expectCompiled(false, folder.path, words, "pipe")
    unlink(path)
    let target = folder.path + "/target"
    try store(good, target)
    #expect(symlink(target, path) == 0)
    try expectCompiled(true, folder.path, words, "link")
    #expect(try load(target) == good)
    #expect(truncate(path, off_t(64 + (4 << 20) + 1)) == 0)
    try expectCompiled(true, folder.path, words, "too large")
    #expect(truncate(path, off_t.max >> 20) == 0)
    try expectCompiled(true, folder.path, words, "enormous")
    unlink(path)
    #expect(mkdir(path, 0o700) == 0)
    try expectCompiled(true, folder.path, words, "folder")
    try expectCompiled(true, folder.path, words, "folder")
    #expect(TemporaryFolder.names(in: folder.path).count == 2)
  }

  @Test func `a folder that cannot be written is harmless`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/file"
    try store([1, 2, 3], file)
    for path in [file, file + "/below", "/proc/raster", "/dev/null", folder.path + "/\u{1}\n/ä"] {
      try expectCompiled(true, path)
    }
    #expect(try load(file) == [1, 2, 3])
    // What is there is read, and nothing is written. The system's own user may write anyway.
    let (path, words) = try filled(folder)
    chmod(folder.path, 0o500)
    try expectCompiled(false, folder.path, words)
    _ = try ShaderCache(CacheDirectory(folder.path)).spirv(for: Self.source + " ", name: "test")
    chmod(path, 0)
    _ = try ShaderCache(CacheDirectory(folder.path)).spirv(for: Self.source, name: "test")
  }

  @Test func `without a folder everything is compiled`() throws {
    for _ in 0..<2 { #expect(try ShaderCache(nil).spirv(for: Self.source, name: "").wasCompiled) }
  }

  @Test func `the environment names the folder`() {
    func path(_ variables: [String: String]) -> String? {
      CacheDirectory.standard { variables[$0] }?.path
    }
    let all = ["RASTER_CACHE_DIR": "own", "XDG_CACHE_HOME": "/xdg", "HOME": "/home/me"]
    #expect(path(all) == "own")
    #expect(path(all.merging(["RASTER_CACHE_DIR": ""]) { $1 }) == nil)
    #expect(path(["XDG_CACHE_HOME": "/xdg", "HOME": "/home/me"]) == "/xdg/gst-raster")
    #expect(path(["XDG_CACHE_HOME": "x", "HOME": "/home/me"]) == "/home/me/.cache/gst-raster")
    #expect(path(["XDG_CACHE_HOME": "", "HOME": "/home/me"]) == "/home/me/.cache/gst-raster")
    #expect(path(["HOME": "relative"]) == nil)
    #expect(path([:]) == nil)
  }
}

// MARK: - Several writers, and old files

extension CacheTests {
  @Test func `nobody sees half a file`() throws {
    let folder = try TemporaryFolder()
    let directory = CacheDirectory(folder.path)
    let key = CacheKey(.pipelines, ["test"])
    let whole = Counter()
    let threads = (0..<4).map { number in
      TestThread {
        let content = [UInt8](repeating: UInt8(number), count: 100_000 + number)
        for _ in 0..<100 {
          content.withUnsafeBytes { _ = directory.write($0, for: key) }
          guard let found = directory.read(key), let first = found.first else { continue }
          let isWhole = found.count == 100_000 + Int(first) && found.allSatisfy { $0 == first }
          if isWhole { whole.increment() }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(whole.count == 400)
    #expect(TemporaryFolder.names(in: folder.path) == [key.fileName])
  }

  /// Makes files of 100 bytes, each a second older than the one before; returns their names.
  private func makeFiles(_ count: Int, in path: String, suffix: String = ".spv") throws -> [String]
  {
    try (0..<count).map { index in
      let digits = String(index, radix: 16)
      let name = "raster-" + String(repeating: "0", count: 32 - digits.count) + digits + suffix
      try store([UInt8](repeating: 1, count: 100), path + "/" + name)
      age("\(path)/\(name)", seconds: 1000 + index)
      return name
    }
  }

  private func age(_ path: String, seconds: Int) {
    let past = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path, [past, past], 0) == 0)
  }

  @Test func `the oldest files go`() throws {
    let folder = try TemporaryFolder()
    let directory = CacheDirectory(folder.path)
    let names = try makeFiles(9, in: folder.path)
    let foreign = ["notes.txt", "raster-1.spv", names[0] + "x", ".hidden.spv"].sorted()
    for name in foreign { try store([1], folder.path + "/" + name) }
    directory.trim(.pipelines, to: CacheDirectory.Limits(files: 0, bytes: 0))
    #expect(TemporaryFolder.names(in: folder.path).count == 13)
    directory.trim(.spirv, to: CacheDirectory.Limits(files: 6, bytes: 1000))
    #expect(TemporaryFolder.names(in: folder.path) == (foreign + names[..<6]).sorted())
    directory.trim(.spirv, to: CacheDirectory.Limits(files: 6, bytes: 399))
    #expect(TemporaryFolder.names(in: folder.path) == (foreign + names[..<3]).sorted())
    directory.trim(.spirv, to: CacheDirectory.Limits(files: 0, bytes: 399))
    #expect(TemporaryFolder.names(in: folder.path) == foreign)
  }

  @Test func `enormous and oddly dated files are counted`() throws {
    let folder = try TemporaryFolder()
    let names = try makeFiles(3, in: folder.path)
    for name in names { truncate("\(folder.path)/\(name)", off_t.max >> 20) }
    age("\(folder.path)/\(names[0])", seconds: .min / 4)
    age("\(folder.path)/\(names[1])", seconds: .max / 4)
    CacheDirectory(folder.path).trim(.spirv, to: .standard(.spirv))
    #expect(TemporaryFolder.names(in: folder.path).isEmpty)
  }

  @Test func `writing keeps the folder within its limits`() throws {
    let folder = try TemporaryFolder()
    _ = try makeFiles(600, in: folder.path)
    _ = try makeFiles(20, in: folder.path, suffix: ".pipelines")
    let key = ShaderCache.key(for: Self.source)
    let (old, new) = (".\(key.fileName).123456", ".\(key.fileName).654321")
    for name in [old, new] { try store([1], folder.path + "/" + name) }
    age("\(folder.path)/\(old)", seconds: 4000)
    _ = try filled(folder)
    let names = TemporaryFolder.names(in: folder.path)
    #expect(names.filter { $0.hasSuffix(".spv") }.count == 512)
    #expect(names.filter { $0.hasSuffix(".pipelines") }.count == 8)
    #expect(names.contains(key.fileName) && names.contains(new) && !names.contains(old))
  }
}
