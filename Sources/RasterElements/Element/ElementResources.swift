internal import CShim
internal import Glibc
internal import RasterGraph
internal import RasterShader
internal import RasterVideo

/// Files and filters that the values of filters name. Thread-safety: usable from any thread.
struct ElementResources: FilterResources {
  /// Bytes of the largest file.
  private static let largest = 64 << 20

  func bytes(_ path: String) throws(RasterError) -> [UInt8] {
    func failure(_ cause: String) -> RasterError {
      RasterError(
        .invalidSetting, "The file \"\(path)\" cannot be read: \(cause).",
        remedy: "Write the path of a file that can be read.")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is not a file") }
    guard status.st_size <= Self.largest else { throw failure("it has more than 64 MiB") }
    var contents: UnsafeMutablePointer<CChar>?
    var count: gsize = 0
    guard g_file_get_contents(path, &contents, &count, nil) != 0, let contents else {
      throw failure("an error occurred while reading")
    }
    defer { g_free(contents) }
    return [UInt8](UnsafeRawBufferPointer(start: contents, count: Int(clamping: count)))
  }

  func picture(_ path: String) throws(RasterError) -> StillImage {
    let picture = try ImageFile.load(path)
    let extent = Extent(width: picture.width, height: picture.height)
    guard let still = StillImage(extent: extent, pixels: picture.pixels) else {
      throw RasterError(
        .invalidSetting, "The picture \"\(path)\" is incomplete.", remedy: "Use another file.")
    }
    return still
  }

  func filters(_ list: String) throws(RasterError) -> [any Filter] {
    try FilterList.parse(list).map(\.filter)
  }

  func check(_ shader: UserShader) throws(RasterError) { try UserShaderText.check(shader) }

  func modificationTime(_ path: String) -> Int64 {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    let time = status.st_mtim
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
