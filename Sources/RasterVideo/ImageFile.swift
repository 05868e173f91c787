internal import CShim
package import RasterGraph

#if canImport(Glibc)
  internal import Glibc
#endif

/// A still picture: 16-bit samples with straight alpha.
package struct DecodedPicture: Hashable, Sendable {
  /// Pixels of a row; at least 1.
  package let width: Int
  /// Rows; at least 1.
  package let height: Int
  /// Red, green, blue and alpha of each pixel, row by row without gaps: 65535 is white, and opaque.
  package let pixels: [UInt16]
}

/// Loads pictures with the decoders that GStreamer has.
package enum ImageFile {
  /// Columns and rows of the largest picture.
  package static let limit = 16384
  /// Time for a picture to be read and decoded.
  private static let seconds: UInt64 = 10
  /// Bytes of the largest file that is read as a whole: more than any picture of that size has.
  private static let largestFile = 4 << 30

  /// The picture in a file: samples of 16 bits as they are, those of 8 bits times 257, and Y'CbCr as
  /// R'G'B'. A note that the picture is turned has no effect, and color profiles have none. Blocks
  /// while the file is read.
  ///
  /// Any thread may call this; no main loop has to run. GStreamer must be initialized.
  ///
  /// - Parameter path: a regular file.
  /// - Throws: `invalidSetting` where the file cannot be read, is no picture, is larger than
  ///   ``limit`` on a side, or takes longer than ten seconds.
  package static func load(_ path: String) throws(RasterError) -> DecodedPicture {
    let size = try check(path)
    if DeepPNG.matches(try read(path, atMost: DeepPNG.headSize)) {
      return try DeepPNG.decode(try read(path, atMost: min(size, largestFile)), path: path)
    }
    let decoder = try ImageDecoder(path)
    return try decoder.decode(within: seconds)
  }

  /// Tells apart what GStreamer's errors do not, and what it would wait for without end.
  ///
  /// - Returns: the bytes of the file.
  private static func check(_ path: String) throws(RasterError) -> Int {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else {
      throw problem(path, "cannot be found", "Set the path of a picture that exists.")
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw problem(path, "is a folder", "Set the path of a picture in it.")
    case S_IFREG: break
    default: throw problem(path, "is not a regular file", wanted)
    }
    guard status.st_size > 0 else {
      throw problem(path, "is empty", wanted)
    }
    return Int(clamping: status.st_size)
  }

  /// The first bytes of a file.
  private static func read(_ path: String, atMost limit: Int) throws(RasterError) -> [UInt8] {
    guard let file = fopen(path, "rb") else {
      throw problem(
        path, "cannot be read: \(String(cString: strerror(errno)))",
        "Check the file and who may read it.")
    }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = fread(buffer.baseAddress, 1, limit, file)
    }
  }

  static func tooLarge(_ path: String, _ width: Int, _ height: Int) -> RasterError {
    problem(
      path, "has \(width)×\(height) pixels, more than \(limit) on a side", "Scale it down.")
  }

  static let wanted = "Set the path of a PNG or JPEG picture."

  static func problem(_ path: String, _ text: String, _ remedy: String) -> RasterError {
    RasterError(.invalidSetting, "The picture \"\(path)\" \(text).", remedy: remedy)
  }
}

/// A pipeline that decodes one picture. It ends with this object.
private final class ImageDecoder {
  private let path: String
  private let pipeline: UnsafeMutablePointer<GstElement>

  // Sixteen bits in the byte order of this machine. Without dithering, 8-bit samples become exact;
  // gray does so only where it stays gray, since its way to red, green and blue goes over Y'CbCr.
  #if _endian(little)
    private static let formats = "RGBA64_LE,GRAY16_LE"
  #else
    private static let formats = "RGBA64_BE,GRAY16_BE"
  #endif

  // The path is set as a property: no text of it is ever parsed. A file of sound alone fails at once
  // where its streams are not exposed.
  private static let description = """
    filesrc name=file
    ! decodebin force-sw-decoders=true expose-all-streams=false caps=video/x-raw
    ! videoconvert dither=none
    ! video/x-raw,format={\(formats)},width=[1,\(ImageFile.limit)],height=[1,\(ImageFile.limit)]
    ! fakesink name=sink sync=false enable-last-sample=true
    """

  init(_ path: String) throws(RasterError) {
    self.path = path
    var error: UnsafeMutablePointer<GError>?
    let made = gst_parse_launch_full(
      ImageDecoder.description, nil, GST_PARSE_FLAG_FATAL_ERRORS, &error)
    guard let made else {
      let reason = error.map { String(cString: $0.pointee.message) } ?? "unknown"
      g_clear_error(&error)
      throw ImageFile.problem(
        path, "cannot be decoded: \(reason)", "Install gstreamer1.0-plugins-base.")
    }
    gst_object_ref_sink(made)
    pipeline = made
    try setLocation()
  }

  deinit {
    gst_element_set_state(pipeline, GST_STATE_NULL)
    gst_object_unref(pipeline)
  }

  private func setLocation() throws(RasterError) {
    let file = try element("file")
    defer { gst_object_unref(file) }
    var value = GValue()
    g_value_init(&value, g_type_from_name("gchararray"))
    g_value_set_string(&value, path)
    g_object_set_property(object(file), "location", &value)
    g_value_unset(&value)
  }

  /// Waits for the first frame, and copies it.
  func decode(within seconds: UInt64) throws(RasterError) -> DecodedPicture {
    guard let bus = gst_element_get_bus(pipeline) else { throw refused }
    defer { gst_object_unref(bus) }
    gst_element_set_state(pipeline, GST_STATE_PAUSED)
    let time = GstClockTime(seconds * 1_000_000_000)
    let wanted = GstMessageType(GST_MESSAGE_ASYNC_DONE.rawValue | GST_MESSAGE_ERROR.rawValue)
    guard let message = gst_bus_timed_pop_filtered(bus, time, wanted) else {
      throw ImageFile.problem(
        path, "was not decoded within \(seconds) seconds", "Use a smaller picture.")
    }
    defer { gst_message_unref(message) }
    guard message.pointee.type != GST_MESSAGE_ERROR else { throw failure(message) }
    if let frame = try lastFrame() { return frame }
    // The end of a stream can be there before the error that caused it.
    let second = GstClockTime(1_000_000_000)
    guard let late = gst_bus_timed_pop_filtered(bus, second, GST_MESSAGE_ERROR) else {
      let (width, height) = largestSize
      throw max(width, height) > ImageFile.limit
        ? ImageFile.tooLarge(path, width, height)
        : ImageFile.problem(path, "holds no picture", ImageFile.wanted)
    }
    defer { gst_message_unref(late) }
    throw failure(late)
  }

  /// The frame that the sink holds; nil where none came.
  private func lastFrame() throws(RasterError) -> DecodedPicture? {
    let sink = try element("sink")
    defer { gst_object_unref(sink) }
    var value = GValue()
    g_value_init(&value, gst_sample_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(object(sink), "last-sample", &value)
    guard let boxed = g_value_get_boxed(&value) else { return nil }
    let sample = OpaquePointer(boxed)
    guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample) else {
      throw refused
    }
    return try copy(buffer, caps)
  }

  private func copy(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>
  ) throws(RasterError) -> DecodedPicture {
    var info = GstVideoInfo()
    var frame = GstVideoFrame()
    guard gst_video_info_from_caps(&info, caps) != 0,
      gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0
    else { throw refused }
    defer { gst_video_frame_unmap(&frame) }
    let (width, height) = (Int(frame.info.width), Int(frame.info.height))
    let (stride, samples) = (Int(frame.info.stride.0), frame.info.finfo.pointee.n_components)
    guard let data = frame.data.0, (1...ImageFile.limit).contains(width),
      (1...ImageFile.limit).contains(height), samples == 1 || samples == 4,
      stride >= 2 * Int(samples) * width
    else { throw refused }
    let pixels = [UInt16](unsafeUninitializedCapacity: 4 * width * height) { target, count in
      for row in 0..<height {
        let start = UnsafeRawPointer(data + row * stride).assumingMemoryBound(to: UInt16.self)
        let line = UnsafeBufferPointer(start: start, count: Int(samples) * width)
        let first = row * 4 * width
        if samples == 4 {
          _ = target[first...].update(fromContentsOf: line)
          continue
        }
        for (column, gray) in line.enumerated() {
          for channel in 0..<3 { target[first + 4 * column + channel] = gray }
          target[first + 4 * column + 3] = .max
        }
      }
      count = 4 * width * height
    }
    return DecodedPicture(width: width, height: height, pixels: pixels)
  }

  // MARK: Errors

  /// What an error message means.
  private func failure(_ message: UnsafeMutablePointer<GstMessage>) -> RasterError {
    var error: UnsafeMutablePointer<GError>?
    gst_message_parse_error(message, &error, nil)
    defer { g_clear_error(&error) }
    let (width, height) = largestSize
    if max(width, height) > ImageFile.limit {
      return ImageFile.tooLarge(path, width, height)
    }
    guard let error else { return refused }
    let (domain, code) = (error.pointee.domain, UInt32(bitPattern: error.pointee.code))
    var reason = String(cString: error.pointee.message)
    if reason.hasSuffix(".") { reason.removeLast() }
    switch (domain, code) {
    case (gst_resource_error_quark(), _):
      return ImageFile.problem(
        path, "cannot be read: \(reason)", "Check the file and who may read it.")
    case (gst_core_error_quark(), GST_CORE_ERROR_MISSING_PLUGIN.rawValue),
      (gst_stream_error_quark(), GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue):
      return ImageFile.problem(
        path, "holds no picture that there is a decoder for",
        "Set the path of a PNG or JPEG picture; gstreamer1.0-plugins-good has their decoders.")
    case (gst_stream_error_quark(), GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue),
      (gst_stream_error_quark(), GST_STREAM_ERROR_WRONG_TYPE.rawValue),
      (gst_core_error_quark(), _):
      return ImageFile.problem(path, "holds no picture", ImageFile.wanted)
    case _ where width == 0:
      return ImageFile.problem(path, "holds no picture: \(reason)", ImageFile.wanted)
    default:
      return ImageFile.problem(
        path, "cannot be decoded: \(reason)", "Check that other programs can show the picture.")
    }
  }

  /// The largest width and height that any pad of the pipeline has; 0 where none has one.
  private var largestSize: (width: Int, height: Int) {
    var size: (width: Int32, height: Int32) = (0, 0)
    let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    let elements = gst_bin_iterate_recurse(bin)
    defer { gst_iterator_free(elements) }
    // Where the pipeline changes meanwhile, the size is not known.
    gst_iterator_foreach(
      elements,
      { item, size in
        guard let item, let element = g_value_get_object(item) else { return }
        gst_element_foreach_src_pad(
          element.assumingMemoryBound(to: GstElement.self),
          { _, pad, size in
            guard let pad, let size, let caps = gst_pad_get_current_caps(pad) else { return 1 }
            defer { gst_caps_unref(caps) }
            var width: Int32 = 0
            var height: Int32 = 0
            let structure = gst_caps_get_structure(caps, 0)
            gst_structure_get_int(structure, "width", &width)
            gst_structure_get_int(structure, "height", &height)
            let largest = size.assumingMemoryBound(to: (width: Int32, height: Int32).self)
            largest.pointee = (
              max(largest.pointee.width, width), max(largest.pointee.height, height)
            )
            return 1
          }, size)
      }, &size)
    return (Int(size.width), Int(size.height))
  }

  private var refused: RasterError {
    ImageFile.problem(path, "was refused by GStreamer", "Run with GST_DEBUG=4 and report it.")
  }

  /// An element by its name, which the caller owns.
  private func element(_ name: String) throws(RasterError) -> UnsafeMutablePointer<GstElement> {
    let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    guard let element = gst_bin_get_by_name(bin, name) else { throw refused }
    return element
  }

  private func object(_ element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GObject>
  {
    UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
  }
}
