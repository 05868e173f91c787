internal import CShim

/// Lines of the `raster` debug category.
enum Log {
  static func write(
    _ level: GstDebugLevel, _ element: UnsafeMutablePointer<GstElement>?,
    _ message: @autoclosure () -> String, file: StaticString = #fileID,
    function: StaticString = #function, line: Int32 = #line
  ) {
    guard raster_log_enabled(level) != 0 else { return }
    raster_log(level, element, file.cString, function.cString, line, message())
  }
}

extension StaticString {
  /// The text as a C string that lives forever.
  var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
