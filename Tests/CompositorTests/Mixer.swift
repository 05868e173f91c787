import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

/// A compositor between pads of the test, with a clock that stands still until the test moves it.
final class Mixer {
  /// What has come out.
  private struct Output {
    var frames: [Buffer] = []
    var events: [GstEventType] = []
    var caps: String?
  }

  let element: UnsafeMutablePointer<GstElement>
  private(set) var feeds: [Feed] = []
  private let isLive: Bool
  private let drain: UnsafeMutablePointer<GstPad>
  private let source: UnsafeMutablePointer<GstPad>
  private let clock: UnsafeMutablePointer<GstClock>
  private let bus: UnsafeMutablePointer<GstBus>
  private let received = Received()

  /// What the compositor's thread writes to. The pad keeps it, which that thread holds meanwhile.
  private final class Received: Sendable {
    let output = Mutex(Output())
  }

  /// A running compositor.
  ///
  /// - Parameters:
  ///   - properties: of the element, in text form.
  ///   - outputCaps: what downstream takes; nil for anything.
  ///   - isLive: whether the inputs say that they are live.
  ///   - isForcedLive: whether the element goes by the clock whatever its inputs are.
  init(
    inputs: Int, _ properties: KeyValuePairs<String, String> = [:], outputCaps: String? = nil,
    isLive: Bool = false, isForcedLive: Bool = false
  ) throws {
    element = try #require(
      isForcedLive ? Mixer.makeLive() : GStreamer.makeElement(compositor), "no \(compositor)")
    element.set(properties)
    clock = try #require(gst_test_clock_new())
    bus = try #require(gst_bus_new())
    source = try #require(gst_element_get_static_pad(element, "src"))
    let caps = Caps(outputCaps ?? "ANY")
    let template = gst_pad_template_new("drain", GST_PAD_SINK, GST_PAD_ALWAYS, caps.pointer)
    withExtendedLifetime(caps) {}
    drain = try #require(gst_pad_new_from_template(template, "drain"))
    self.isLive = isLive
    gst_object_ref_sink(drain)
    gst_element_set_clock(element, clock)
    gst_element_set_bus(element, bus)
    g_object_set_data_full(
      cast(drain), "received", Unmanaged.passRetained(received).toOpaque(),
      { data in if let data { Unmanaged<Received>.fromOpaque(data).release() } })
    gst_pad_set_chain_function_full(drain, { Mixer.chain($0, $1, $2) }, nil, nil)
    gst_pad_set_event_function_full(drain, { Mixer.receive($0, $1, $2) }, nil, nil)
    gst_pad_set_query_function_full(drain, { Mixer.answer($0, $1, $2) }, nil, nil)
    gst_pad_set_active(drain, 1)
    try #require(gst_pad_link(source, drain) == GST_PAD_LINK_OK)
    for _ in 0..<inputs { try addFeed() }
    try #require(gst_element_set_state(element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
  }

  deinit {
    gst_pad_set_active(drain, 0)
    gst_element_set_state(element, GST_STATE_NULL)
    feeds = []
    gst_pad_unlink(source, drain)
    gst_element_set_bus(element, nil)
    for object in [cast(drain), cast(source), cast(clock), cast(bus), cast(element)]
      as [GObjectPointer]
    {
      g_object_unref(object)
    }
  }

  private static func makeLive() -> UnsafeMutablePointer<GstElement>? {
    GStreamer.start()
    guard let element = raster_test_make_live(compositor) else { return nil }
    gst_object_ref_sink(element)
    return element
  }

  private typealias GObjectPointer = UnsafeMutablePointer<GObject>

  private static func received(_ pad: UnsafeMutablePointer<GstPad>?) -> Received? {
    guard let pad, let data = g_object_get_data(cast(pad), "received") else { return nil }
    return Unmanaged<Received>.fromOpaque(data).takeUnretainedValue()
  }

  private static func chain(
    _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
    _ buffer: UnsafeMutablePointer<GstBuffer>?
  ) -> GstFlowReturn {
    guard let buffer else { return GST_FLOW_ERROR }
    let frame = Buffer(owning: buffer)
    received(pad)?.output.withLock { $0.frames.append(frame) }
    return GST_FLOW_OK
  }

  private static func receive(
    _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
    _ event: UnsafeMutablePointer<GstEvent>?
  ) -> gboolean {
    guard let event else { return 0 }
    let caps = event.pointee.type == GST_EVENT_CAPS ? event.caps : nil
    received(pad)?.output.withLock { output in
      output.events.append(event.pointee.type)
      if let caps { output.caps = caps }
      if event.pointee.type == GST_EVENT_FLUSH_STOP { output.frames = [] }
    }
    return gst_pad_event_default(pad, parent, event)
  }

  private static func answer(
    _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
    _ query: UnsafeMutablePointer<GstQuery>?
  ) -> gboolean {
    guard let query, query.pointee.type == GST_QUERY_ALLOCATION else {
      return gst_pad_query_default(pad, parent, query)
    }
    gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
    return 1
  }

  /// Requests another pad and feeds it.
  @discardableResult
  func addFeed(_ name: String = "sink_%u") throws -> Feed {
    let feed = try #require(Feed(to: element, name, isLive: isLive), "no pad \(name)")
    feeds.append(feed)
    return feed
  }

  /// Releases the pad of a feed.
  func removeFeed(_ index: Int) { feeds.remove(at: index) }

  /// The oldest frame that has come out and was not taken; waits for one.
  ///
  /// - Returns: nil where none came within `seconds`.
  func take(seconds: Double = 10) -> Buffer? {
    _ = waits(seconds) { frameCount > 0 }
    return received.output.withLock { $0.frames.isEmpty ? nil : $0.frames.removeFirst() }
  }

  /// The picture in the oldest frame that was not taken.
  func takePicture(_ layout: VideoLayout) throws -> Picture {
    let frame = try #require(take(), "no frame")
    return try #require(frame.picture(layout))
  }

  /// Frames that were not taken.
  var frameCount: Int { received.output.withLock { $0.frames.count } }

  /// Whether an end of stream has come out since the last flush.
  var hasEnded: Bool { received.output.withLock { $0.events.last == GST_EVENT_EOS } }

  /// Events that have come out since the last call.
  func takeEvents() -> [GstEventType] {
    received.output.withLock { output in
      defer { output.events = [] }
      return output.events
    }
  }

  /// The caps of the frames that come out.
  var outputCaps: String? { received.output.withLock { $0.caps } }

  /// Sends an event upstream, which is handed over.
  @discardableResult
  func sendUpstream(_ event: UnsafeMutablePointer<GstEvent>?) -> Bool {
    gst_pad_push_event(drain, event) != 0
  }

  /// Messages of a type that the element has posted since the last call.
  func takeMessageCount(_ type: GstMessageType) -> Int {
    var count = 0
    while let message = gst_bus_pop_filtered(bus, type) {
      count += 1
      gst_message_unref(message)
    }
    return count
  }

  /// Moves the clock to what the element waits for, as soon as it waits. What comes of it has to be awaited before
  /// anything is pushed, which would end the wait as if it were still on.
  func passTime() throws {
    let clock = cast(clock, to: GstTestClock.self)
    try #require(waits { gst_test_clock_peek_id_count(clock) > 0 }, "nothing waits for the clock")
    gst_test_clock_crank(clock)
  }

  /// The oldest frame that was not taken; moves the clock where the element waits for it instead of giving one.
  func takeInTime() throws -> Buffer? {
    let clock = cast(clock, to: GstTestClock.self)
    func isWaiting() -> Bool { frameCount == 0 && gst_test_clock_peek_id_count(clock) > 0 }
    for _ in 0..<3 {
      _ = waits(10) { frameCount > 0 || isWaiting() }
      guard isWaiting() else { return take() }
      // It may be about to see what it was just given.
      pause(milliseconds: 5)
      if isWaiting() { try passTime() }
    }
    return take()
  }

  /// The time that the clock shows.
  var time: GstClockTime { gst_clock_get_time(clock) }
}

extension UnsafeMutablePointer<GstEvent> {
  /// The caps of a CAPS event as text.
  var caps: String? {
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(self, &caps)
    guard let text = gst_caps_to_string(caps) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }
}

/// Nanoseconds of a second.
let second = 1_000_000_000

extension Buffer {
  /// The picture, laid out as the buffer says.
  func picture(_ layout: VideoLayout) -> Picture? { Picture(reading: self, as: layout) }

  /// Sets when the frame is shown, in frames per second.
  func at(_ number: Int, rate: Int = 25) -> Buffer {
    let (start, end) = (number * second / rate, (number + 1) * second / rate)
    pointer.pointee.pts = GstClockTime(start)
    pointer.pointee.duration = GstClockTime(end - start)
    return self
  }
}

extension Picture {
  /// A picture of one color in a format whose pixels are bytes in a row.
  init(_ layout: VideoLayout, color: [UInt8]) {
    self.init(layout)
    planes[0] = Array(repeatElement(color, count: layout.width * layout.height).joined())
  }

  /// A picture of one value for each plane; those that are too many are left out.
  init(_ layout: VideoLayout, planeValues: [UInt8]) {
    self.init(layout)
    for (index, value) in planeValues.prefix(planes.count).enumerated() {
      planes[index] = Array(repeating: value, count: planes[index].count)
    }
  }

  /// The bytes of a pixel in the first plane.
  subscript(x: Int, y: Int) -> [UInt8] {
    get { Array(planes[0][range(x, y)]) }
    set { planes[0].replaceSubrange(range(x, y), with: newValue) }
  }

  private func range(_ x: Int, _ y: Int) -> Range<Int> {
    let (stride, row) = (layout.planes[0].pixelStride, layout.planes[0].rowBytes)
    let start = y * row + x * stride
    return start..<start + stride
  }
}
