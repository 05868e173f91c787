import CGstCheck
import RasterTestSupport
import Synchronization

/// A pad of the test that feeds one pad of a compositor.
final class Feed {
  /// What the pad tells of itself, and what it was sent from the compositor.
  private struct State {
    var isLive = false
    var latency: GstClockTime = 0
    var events: [GstEventType] = []
    var pointer: (x: Double, y: Double)?
  }

  /// The pad of the test.
  let pad: UnsafeMutablePointer<GstPad>
  /// The compositor's pad.
  let sink: UnsafeMutablePointer<GstPad>
  private let element: UnsafeMutablePointer<GstElement>
  private let told = Told()

  /// What threads of the compositor read and write. The pad keeps it, which they hold meanwhile.
  private final class Told: Sendable {
    let state = Mutex(State())
  }

  /// Nil where the compositor refuses the pad or the link.
  init?(to element: UnsafeMutablePointer<GstElement>, _ name: String, isLive: Bool) {
    guard let sink = gst_element_request_pad_simple(element, name) else { return nil }
    guard let pad = gst_pad_new("feed", GST_PAD_SRC) else { return nil }
    gst_object_ref(element)
    self.element = element
    self.sink = sink
    self.pad = pad
    gst_object_ref_sink(pad)
    told.state.withLock { $0.isLive = isLive }
    g_object_set_data_full(
      cast(pad), "feed", Unmanaged.passRetained(told).toOpaque(),
      { data in if let data { Unmanaged<Told>.fromOpaque(data).release() } })
    gst_pad_set_query_function_full(pad, { Feed.answer($0, $1, $2) }, nil, nil)
    gst_pad_set_event_function_full(pad, { Feed.receive($0, $1, $2) }, nil, nil)
    gst_pad_set_active(pad, 1)
    guard gst_pad_link(pad, sink) == GST_PAD_LINK_OK else { return nil }
  }

  deinit {
    gst_pad_set_active(pad, 0)
    gst_pad_unlink(pad, sink)
    gst_element_release_request_pad(element, sink)
    gst_object_unref(sink)
    gst_object_unref(pad)
    gst_object_unref(element)
  }

  private static func told(_ pad: UnsafeMutablePointer<GstPad>?) -> Told? {
    guard let pad, let data = g_object_get_data(cast(pad), "feed") else { return nil }
    return Unmanaged<Told>.fromOpaque(data).takeUnretainedValue()
  }

  private static func answer(
    _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
    _ query: UnsafeMutablePointer<GstQuery>?
  ) -> gboolean {
    guard let told = told(pad), let query, query.pointee.type == GST_QUERY_LATENCY else {
      return gst_pad_query_default(pad, parent, query)
    }
    let (isLive, latency) = told.state.withLock { ($0.isLive, $0.latency) }
    gst_query_set_latency(query, isLive ? 1 : 0, latency, GstClockTime.max)
    return 1
  }

  private static func receive(
    _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
    _ event: UnsafeMutablePointer<GstEvent>?
  ) -> gboolean {
    guard let event else { return 0 }
    defer { raster_test_event_unref(event) }
    guard let told = told(pad) else { return 0 }
    var (x, y) = (0.0, 0.0)
    let isMove =
      event.pointee.type == GST_EVENT_NAVIGATION
      && gst_navigation_event_parse_mouse_move_event(event, &x, &y) != 0
    told.state.withLock { state in
      state.events.append(event.pointee.type)
      if isMove { state.pointer = (x, y) }
    }
    return 1
  }

  /// Events that the compositor has sent since the last call.
  func takeEvents() -> [GstEventType] {
    told.state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Where the pointer was last seen, in the pixels of the frames of this pad.
  var pointer: (x: Double, y: Double)? { told.state.withLock { $0.pointer } }

  /// What the pad answers to a LATENCY query from now on.
  func setLatency(_ latency: GstClockTime) { told.state.withLock { $0.latency = latency } }

  /// Sets a property of the compositor's pad from its text form.
  func set(_ properties: KeyValuePairs<String, String>) { sink.set(properties) }

  /// Sends an event, which is handed over.
  @discardableResult
  func send(_ event: UnsafeMutablePointer<GstEvent>?) -> Bool {
    gst_pad_push_event(pad, event) != 0
  }

  /// Begins a stream of frames: its name, its caps and its segment.
  @discardableResult
  func start(_ caps: String, segment: GstSegment = .ofTime) -> Bool {
    send(gst_event_new_stream_start("stream")) && setCaps(caps) && send(segment)
  }

  /// Changes the caps of the frames that follow.
  @discardableResult
  func setCaps(_ text: String) -> Bool {
    let caps = gst_caps_from_string(text)
    defer { gst_caps_unref(caps) }
    return send(gst_event_new_caps(caps))
  }

  /// Changes the segment of the frames that follow.
  @discardableResult
  func send(_ segment: GstSegment) -> Bool {
    var segment = segment
    return send(gst_event_new_segment(&segment))
  }

  /// Pushes a frame; waits where the compositor has no room for it.
  @discardableResult
  func push(_ buffer: Buffer) -> GstFlowReturn { gst_pad_push(pad, gst_buffer_ref(buffer.pointer)) }

  /// Waits until the compositor has handled what was sent before.
  func drain() {
    let query = gst_query_new_drain()
    gst_pad_peer_query(pad, query)
    raster_test_query_unref(query)
  }

  /// Says that there is no frame for a while.
  @discardableResult
  func sendGap(_ start: GstClockTime, _ duration: GstClockTime) -> Bool {
    send(gst_event_new_gap(start, duration))
  }
}

extension GstSegment {
  /// A segment of time without an end.
  static var ofTime: GstSegment {
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    return segment
  }
}

extension UnsafeMutablePointer<GstPad> {
  /// Sets properties from their text forms, as gst-launch does.
  func set(_ properties: KeyValuePairs<String, String>) {
    for (name, text) in properties { gst_util_set_object_arg(cast(self), name, text) }
  }
}
