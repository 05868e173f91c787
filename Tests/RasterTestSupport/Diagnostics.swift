internal import CGstCheck
internal import Synchronization

/// The warnings that GLib, GStreamer and our elements write while tests run.
package enum Diagnostics {
  private static let lines = Mutex<[String]>([])

  /// What was written since the last call.
  package static func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  /// Runs `body`, and returns the warnings that it was meant to cause.
  package static func expecting(_ body: () throws -> Void) rethrows -> [String] {
    try body()
    return take()
  }

  /// Starts to record. Runs once, after gst_init.
  static func install() {
    g_log_set_writer_func(
      { level, fields, count, _ in
        let serious =
          G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue
        if level.rawValue & serious != 0, let fields {
          let text = UnsafeBufferPointer(start: fields, count: Int(count))
            .filter { String(cString: $0.key) == "MESSAGE" }
            .compactMap { $0.value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } }
          Diagnostics.record("GLib: " + text.joined())
        }
        return g_log_writer_default(level, fields, count, nil)
      }, nil, nil)
    gst_debug_set_threshold_for_name("raster*", GST_LEVEL_WARNING)
    gst_debug_add_log_function(
      { category, level, _, function, line, _, message, _ in
        guard level.rawValue <= GST_LEVEL_WARNING.rawValue, let category,
          let name = gst_debug_category_get_name(category), let message,
          let text = gst_debug_message_get(message)
        else { return }
        let source = String(cString: name)
        guard source.hasPrefix("raster") else { return }
        let place = function.map { String(cString: $0) } ?? ""
        Diagnostics.record("\(source): \(place):\(line): " + String(cString: text))
      }, nil, nil)
  }

  private static func record(_ line: String) { lines.withLock { $0.append(line) } }
}
