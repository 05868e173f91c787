internal import CShim
internal import RasterGraph

/// The translation of our errors to GStreamer's: the one place that does it.
enum ElementError {
  /// Posts an element error with the cause as its text and the remedy in its debug text.
  ///
  /// - Parameter isFatal: false for a warning, where the element goes on.
  static func post(
    _ error: RasterError, on element: UnsafeMutablePointer<GstBaseTransform>, isFatal: Bool = true,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    let (domain, code) = kind(of: error.code)
    element.withMemoryRebound(to: GstElement.self, capacity: 1) { element in
      gst_element_message_full(
        element, isFatal ? GST_MESSAGE_ERROR : GST_MESSAGE_WARNING, domain, code,
        g_strdup("\(error.message) \(error.remedy)"),
        g_strdup("cause: \(error.message) remedy: \(error.remedy)"), file.cString,
        function.cString, line)
    }
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
