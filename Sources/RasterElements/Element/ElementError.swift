internal import CShim
internal import RasterGraph

/// The translation of our errors to GStreamer's: the one place that does it.
enum ElementError {
  /// Posts an element error with the cause as its text and the remedy in its debug text.
  ///
  /// - Parameter isFatal: false for a warning, where the element goes on.
  static func post(
    _ error: RasterError, on element: UnsafeMutablePointer<GstElement>, isFatal: Bool = true,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    let (domain, code) = kind(of: error.code)
    gst_element_message_full(
      element, isFatal ? GST_MESSAGE_ERROR : GST_MESSAGE_WARNING, domain, code,
      g_strdup("\(error.message) \(error.remedy)"),
      g_strdup("cause: \(error.message) remedy: \(error.remedy)"), file.cString,
      function.cString, line)
  }

  /// Posts a warning that a pool is empty, with its numbers as a structure `raster-pool-starved`.
  static func postStarvation(
    _ pool: WatchedPool, on element: UnsafeMutablePointer<GstElement>
  ) {
    // Which of several inputs it is, no one knows: upstream's pools are alike.
    let downstream = raster_element_peer_name(element, GST_PAD_SRC)
    let upstream = raster_element_peer_name(element, GST_PAD_SINK)
    defer {
      g_free(downstream)
      g_free(upstream)
    }
    let (side, size, holder, remedy) =
      switch pool {
      case .output(let size):
        (
          "output", size, downstream,
          "Set max-buffers to more than the elements downstream hold (0 sees to it where they say "
            + "how many), or let them hold fewer."
        )
      case .input(let size):
        (
          "input", size, upstream,
          "Put no more than \(size) frames between that element and this one, or a videoconvert."
        )
      }
    let name = holder.map { String(cString: $0) } ?? "nobody"
    let text =
      "No frame has come free for 2 seconds: all \(size) of the \(side) pool are in use "
      + "(\(side == "output" ? "downstream" : "upstream") is \(name)). \(remedy)"
    let details = gst_structure_new_empty("raster-pool-starved")
    raster_structure_set_string(details, "pool", side)
    raster_structure_set_uint64(details, "pool-size", guint64(clamping: size))
    raster_structure_set_string(details, side == "output" ? "downstream" : "upstream", name)
    gst_element_message_full_with_details(
      element, GST_MESSAGE_WARNING, gst_resource_error_quark(),
      Int32(GST_RESOURCE_ERROR_NO_SPACE_LEFT.rawValue), g_strdup(text),
      g_strdup("cause: every frame of the \(side) pool is in use. remedy: \(remedy)"),
      (#fileID as StaticString).cString, (#function as StaticString).cString, #line, details)
  }

  private static func kind(of code: RasterError.Code) -> (GQuark, Int32) {
    switch code {
    case .deviceUnavailable:
      (gst_resource_error_quark(), Int32(GST_RESOURCE_ERROR_NOT_FOUND.rawValue))
    case .deviceLost:
      (gst_resource_error_quark(), Int32(GST_RESOURCE_ERROR_FAILED.rawValue))
    case .outOfMemory:
      (gst_resource_error_quark(), Int32(GST_RESOURCE_ERROR_NO_SPACE_LEFT.rawValue))
    case .invalidFrame:
      (gst_stream_error_quark(), Int32(GST_STREAM_ERROR_FORMAT.rawValue))
    case .invalidSetting:
      (gst_library_error_quark(), Int32(GST_LIBRARY_ERROR_SETTINGS.rawValue))
    case .internalFailure:
      (gst_library_error_quark(), Int32(GST_LIBRARY_ERROR_FAILED.rawValue))
    }
  }
}
