package import CGstCheck
internal import Glibc

/// One element between two pads of the test: what is pushed is processed before the call returns.
package final class Harness {
  package let harness: UnsafeMutablePointer<GstHarness>
  package let element: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>

  /// Starts the element with properties in text form.
  ///
  /// - Parameter readsVideoMeta: whether downstream allows padded rows.
  package init?(
    _ factory: String = "rasterfilter", _ properties: KeyValuePairs<String, String> = [:],
    readsVideoMeta: Bool = true
  ) {
    guard let element = GStreamer.makeElement(factory), let bus = gst_bus_new() else { return nil }
    element.set(properties)
    self.element = element
    self.bus = bus
    gst_element_set_bus(element, bus)
    harness = gst_harness_new_with_element(element, "sink", "src")
    if readsVideoMeta {
      gst_harness_add_propose_allocation_meta(harness, gst_video_meta_api_get_type(), nil)
    }
  }

  deinit {
    gst_element_set_bus(element, nil)
    gst_object_unref(bus)
    gst_harness_teardown(harness)
    gst_object_unref(element)
  }

  /// Sets the caps of the frames that follow.
  package func start(_ caps: String) { gst_harness_set_src_caps_str(harness, caps) }

  /// Pushes a buffer.
  package func push(_ buffer: Buffer) -> GstFlowReturn {
    gst_harness_push(harness, gst_buffer_ref(buffer.pointer))
  }

  /// The oldest buffer that has come out; nil where there is none.
  package func pull() -> Buffer? { gst_harness_try_pull(harness).map { Buffer(owning: $0) } }

  /// Pushes a buffer and takes what comes out.
  package func process(_ buffer: Buffer) -> Buffer? {
    guard push(buffer) == GST_FLOW_OK else { return nil }
    return pull()
  }

  /// Processes a picture in GStreamer's default layout.
  package func process(_ picture: Picture) -> Picture? {
    process(picture.packed()).flatMap { Picture(reading: $0, as: picture.layout) }
  }

  /// Events that have come out since the last call, without those that the harness itself makes.
  package func takeEvents() -> [GstEventType] {
    var types: [GstEventType] = []
    while let event = gst_harness_try_pull_event(harness) {
      types.append(event.pointee.type)
      gst_event_unref(event)
    }
    return types
  }

  /// The texts of the errors that the element has posted since the last call.
  package func takeErrors() -> [ElementMessage] { ElementMessage.takeErrors(from: bus) }

  /// All warnings that the element has posted since the last call.
  package func takeWarnings() -> [ElementMessage] {
    ElementMessage.take(GST_MESSAGE_WARNING, from: bus)
  }

  /// How many quality of service messages the element has posted since the last call.
  package func takeQualityMessages() -> Int {
    var count = 0
    while let message = gst_bus_pop_filtered(bus, GST_MESSAGE_QOS) {
      count += 1
      gst_message_unref(message)
    }
    return count
  }

  /// The value of a counter in the `stats` property.
  package func count(_ field: String) -> UInt64? { element.statistic(field) }

  /// Whether the element's device is the processor itself, which has no memory apart.
  package var isOnProcessor: Bool { element.isOnProcessor }
}

/// What an element tells its application when something fails.
package struct ElementMessage: Hashable, Sendable {
  /// The sentence for the user.
  package let text: String
  /// The text for the developer.
  package let debug: String
  /// The name of the element.
  package let source: String
  /// The structure that a warning may have beside its words, as text; empty where there is none.
  package let details: String

  /// Takes all error messages from a bus.
  static func takeErrors(from bus: UnsafeMutablePointer<GstBus>) -> [ElementMessage] {
    take(GST_MESSAGE_ERROR, from: bus)
  }

  /// Takes all messages of a type from a bus.
  static func take(
    _ type: GstMessageType, from bus: UnsafeMutablePointer<GstBus>
  ) -> [ElementMessage] {
    var result: [ElementMessage] = []
    while let message = gst_bus_pop_filtered(bus, type) {
      result.append(ElementMessage(message))
      gst_message_unref(message)
    }
    return result
  }

  init(_ message: UnsafeMutablePointer<GstMessage>) {
    var error: UnsafeMutablePointer<GError>?
    var cause: UnsafeMutablePointer<CChar>?
    var structure: UnsafePointer<GstStructure>?
    if message.pointee.type == GST_MESSAGE_WARNING {
      gst_message_parse_warning(message, &error, &cause)
      gst_message_parse_warning_details(message, &structure)
    } else {
      gst_message_parse_error(message, &error, &cause)
    }
    text = error.map { String(cString: $0.pointee.message) } ?? ""
    debug = cause.map { String(cString: $0) } ?? ""
    let fields = structure.flatMap { gst_structure_to_string($0) }
    details = fields.map { String(cString: $0) } ?? ""
    let name = message.pointee.src.flatMap { gst_object_get_name($0) }
    source = name.map { String(cString: $0) } ?? ""
    g_free(name)
    g_clear_error(&error)
    g_free(cause)
    g_free(fields)
  }
}

extension UnsafeMutablePointer<GstElement> {
  /// The value of a counter in the `stats` property.
  package func statistic(_ field: String) -> UInt64? {
    guard let structure = raster_test_get_structure(self, "stats") else { return nil }
    defer { gst_structure_free(structure) }
    var value: guint64 = 0
    guard gst_structure_get_uint64(structure, field, &value) != 0 else { return nil }
    return UInt64(value)
  }
}

extension UnsafeMutablePointer<GstElement> {
  /// Whether the element's device is the processor itself, which has no memory apart.
  package var isOnProcessor: Bool {
    guard let structure = raster_test_get_structure(self, "stats") else { return false }
    defer { gst_structure_free(structure) }
    return gst_structure_get_string(structure, "device").map { String(cString: $0) }?
      .contains("llvmpipe") ?? false
  }
}

/// Keeps the default device open, so that elements that come and go meanwhile share its kernels.
package final class OpenDevice {
  package struct Unavailable: Error {}

  private let element: UnsafeMutablePointer<GstElement>

  package init() throws {
    guard let element = GStreamer.makeElement("rasterfilter") else { throw Unavailable() }
    self.element = element
    guard gst_element_set_state(element, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS else {
      throw Unavailable()
    }
  }

  deinit {
    gst_element_set_state(element, GST_STATE_NULL)
    gst_object_unref(element)
  }

  private static let wordCount = Counter()

  /// Words for the default device that nobody else uses, so that it is opened for their user alone
  /// and its kernels are compiled anew: its name, in an own mixture of capitals and small letters.
  package static func ownWords() throws -> String {
    let device = try OpenDevice()
    guard let structure = raster_test_get_structure(device.element, "stats") else {
      throw Unavailable()
    }
    defer { gst_structure_free(structure) }
    guard let name = gst_structure_get_string(structure, "device") else { throw Unavailable() }
    wordCount.increment()
    var number = wordCount.count
    return String(cString: name).lowercased().reduce(into: "") { words, letter in
      guard letter.isLetter else { return words.append(letter) }
      words += number % 2 == 1 ? letter.uppercased() : String(letter)
      number /= 2
    }
  }
}
