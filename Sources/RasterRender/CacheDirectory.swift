internal import Glibc
internal import Synchronization

/// A folder of files that save time and that nobody misses: whatever cannot be read or written is as
/// if it were not there, and nothing is reported.
///
/// Thread-safety: usable from any thread, and by several processes at once: a file appears whole.
package struct CacheDirectory: Sendable {
  package let path: String

  /// - Parameter path: the folder, which is made when something is written.
  package init(_ path: String) {
    self.path = path
  }

  /// How much of one kind of files is kept.
  package struct Limits: Hashable, Sendable {
    package var files: Int
    package var bytes: Int

    package init(files: Int, bytes: Int) {
      self.files = files
      self.bytes = bytes
    }

    /// The limits of a user's cache. Each driver version has a file of pipelines.
    package static func standard(_ kind: CacheKey.Kind) -> Limits {
      switch kind {
      case .spirv: Limits(files: 512, bytes: 64 << 20)
      case .pipelines: Limits(files: 8, bytes: 64 << 20)
      }
    }
  }

  /// The folder that the environment asks for; nil where it asks for none.
  ///
  /// - Parameter variable: the value of an environment variable; nil where it is not set.
  package static func standard(
    _ variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
  ) -> CacheDirectory? {
    if let own = variable("RASTER_CACHE_DIR") { return own.isEmpty ? nil : CacheDirectory(own) }
    // As the XDG base directory specification wants it, relative paths are ignored.
    if let base = variable("XDG_CACHE_HOME"), base.hasPrefix("/") {
      return CacheDirectory(base + "/gst-raster")
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return CacheDirectory(home + "/.cache/gst-raster")
  }

  private func file(_ name: String) -> String { path + "/" + name }

  /// Whether it is a plain file of this user or the system: in a folder that several can write, what
  /// others have put there must not reach the driver.
  private func isUsable(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && (status.st_uid == geteuid() || status.st_uid == 0)
  }
}

// MARK: - Reading

extension CacheDirectory {
  /// The content that was written for `key`; nil where there is none that is whole.
  package func read(_ key: CacheKey) -> [UInt8]? {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    let descriptor = open(file(key.fileName), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, isUsable(status),
      let size = Int(exactly: status.st_size), size >= CacheEntry.headerSize,
      size - CacheEntry.headerSize <= key.kind.limit
    else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor)
    }
    return CacheEntry.payload(of: bytes, for: key)
  }

  /// Reads until `buffer` is full or the file ends; returns the number of bytes.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = Glibc.read(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    return done
  }
}

// MARK: - Writing

extension CacheDirectory {
  /// How often each folder was written to by this process.
  private static let writes = Mutex<[String: Int]>([:])

  /// Keeps a content for `key` in place of what was kept. Takes out old files now and then.
  ///
  /// - Returns: whether it is kept.
  @discardableResult
  package func write(_ payload: UnsafeRawBufferPointer, for key: CacheKey) -> Bool {
    guard payload.count <= key.kind.limit, makeDirectories() else { return false }
    let name = unfinished(key)
    let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    let isWritten =
      CacheEntry.header(for: key, payload).withUnsafeBytes { drain($0, to: descriptor) }
      && drain(payload, to: descriptor)
    // Closing tells of errors that a network file system found late.
    guard close(descriptor) == 0, isWritten, rename(name, file(key.fileName)) == 0 else {
      unlink(name)
      return false
    }
    let count = CacheDirectory.writes.withLock { writes in
      writes[path, default: 0] += 1
      return writes[path, default: 0]
    }
    // At the start, when the files of earlier processes count, and sometimes later.
    if count % 64 == 1 { for kind in CacheKey.Kind.allCases { trim(kind, to: .standard(kind)) } }
    return true
  }

  /// A name that no other writer uses, in the same folder, since only there a file can be renamed.
  private func unfinished(_ key: CacheKey) -> String {
    let number = String(UInt32.random(in: 1 << 20..<1 << 24), radix: 16)
    return file(".\(key.fileName).\(number)")
  }

  /// Takes away what is kept for `key`.
  package func remove(_ key: CacheKey) { unlink(file(key.fileName)) }

  private func drain(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return true
  }

  /// Makes the folder and those above it, for this user alone; false where that is not possible.
  private func makeDirectories() -> Bool {
    if access(path, W_OK | X_OK) == 0 { return true }
    var part = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      part += "/" + name
      guard mkdir(part, 0o700) == 0 || errno == EEXIST else { return false }
    }
    return true
  }
}

// MARK: - Keeping it small

extension CacheDirectory {
  private struct Item {
    var name: String
    var size: Int
    var time: Int
  }

  /// Removes the oldest files of a kind until the rest is within `limits`, and what writers that
  /// were killed left behind an hour ago or earlier.
  package func trim(_ kind: CacheKey.Kind, to limits: Limits) {
    let names = fileNames()
    let kept = items(names.filter { CacheKey.kind(of: $0) == kind }).sorted {
      ($0.time, $0.name) > ($1.time, $1.name)
    }
    var bytes = 0
    for (index, item) in kept.enumerated() {
      bytes += item.size
      if index >= limits.files || bytes > limits.bytes { unlink(file(item.name)) }
    }
    // "." and seven letters around the name of a file.
    let unfinished = names.filter { name in
      name.hasPrefix(".") && CacheKey.kind(of: String(name.dropFirst().dropLast(7))) == kind
    }
    let now = time(nil)
    for item in items(unfinished) where item.time < now - 3600 { unlink(file(item.name)) }
  }

  /// The regular files among `names`.
  private func items(_ names: [String]) -> [Item] {
    names.compactMap { name in
      var status = stat()
      guard lstat(file(name), &status) == 0, isUsable(status) else { return nil }
      // A file with holes may claim any size; the sum of sizes must not overflow.
      let size = min(Int(clamping: status.st_size), 1 << 40)
      return Item(name: name, size: size, time: status.st_mtim.tv_sec)
    }
  }

  private func fileNames() -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // By address: the entry may end before the array that its type declares.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      names.append(String(cString: name))
    }
    return names
  }
}
