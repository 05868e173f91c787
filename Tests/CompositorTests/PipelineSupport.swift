import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

extension TestPipeline {
  /// Waits for a message of one of these types, and drops all others.
  ///
  /// - Returns: its type; nil where none came.
  func waitFor(_ types: [GstMessageType], seconds: Int = 20) -> GstMessageType? {
    guard let bus = gst_element_get_bus(pipeline) else { return nil }
    defer { gst_object_unref(bus) }
    let wanted = GstMessageType(types.reduce(0) { $0 | $1.rawValue })
    let message = gst_bus_timed_pop_filtered(bus, GstClockTime(seconds * second), wanted)
    guard let message else { return nil }
    defer { gst_message_unref(message) }
    return message.pointee.type
  }

  /// Waits until a segment is done, and returns where.
  func segmentEnd(seconds: Int = 20) -> Int? {
    guard let bus = gst_element_get_bus(pipeline) else { return nil }
    defer { gst_object_unref(bus) }
    let types = GST_MESSAGE_SEGMENT_DONE.rawValue | GST_MESSAGE_ERROR.rawValue
    let message = gst_bus_timed_pop_filtered(
      bus, GstClockTime(seconds * second), GstMessageType(types))
    guard let message else { return nil }
    defer { gst_message_unref(message) }
    guard message.pointee.type == GST_MESSAGE_SEGMENT_DONE else { return nil }
    var (format, position) = (GST_FORMAT_UNDEFINED, gint64(-1))
    gst_message_parse_segment_done(message, &format, &position)
    return format == GST_FORMAT_TIME ? position : nil
  }

  /// Seeks to a part of the stream, in seconds.
  func seek(_ flags: [GstSeekFlags], rate: Double = 1, from start: Double, to end: Double) -> Bool {
    gst_element_seek(
      pipeline, rate, GST_FORMAT_TIME, GstSeekFlags(flags.reduce(0) { $0 | $1.rawValue }),
      GST_SEEK_TYPE_SET, gint64(start * 1e9), GST_SEEK_TYPE_SET, gint64(end * 1e9)) != 0
  }

  /// What the pipeline tells of its duration; -1 where it says that it does not know.
  var duration: Int? {
    var duration = gint64(0)
    return gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration) != 0 ? duration : nil
  }

  /// A sink pad of the compositor, by its name; valid as long as the pipeline.
  func sinkPad(_ element: String, _ name: String) throws -> UnsafeMutablePointer<GstPad> {
    let pad = try #require(gst_element_get_static_pad(try self.element(element), name))
    gst_object_unref(pad)
    return pad
  }
}

/// Notes the times of the frames that reach a sink, and something that it reads of each. Keeps no frame.
final class FrameWatch {
  struct Seen: Sendable {
    /// Nanoseconds.
    let start: Int
    let end: Int
    let value: Int
  }

  private final class List: Sendable {
    let seen = Mutex<[Seen]>([])
  }

  private let list = List()
  private let probe: BufferProbe

  init(
    _ element: UnsafeMutablePointer<GstElement>,
    _ read: @escaping @Sendable (Buffer) -> Int = { _ in 0 }
  ) throws {
    let list = list
    probe = try BufferProbe(element, "sink") { buffer in
      let fields = buffer.fields
      let seen = Seen(
        start: Int(clamping: fields.pts), end: Int(clamping: fields.pts &+ fields.duration),
        value: read(buffer))
      list.seen.withLock { $0.append(seen) }
      return .pass
    }
  }

  var seen: [Seen] { list.seen.withLock { $0 } }

  func forget() { list.seen.withLock { $0 = [] } }
}

/// Whether the tests run GStreamer's own element, which some of them would hang or end.
let isStock = compositor == "compositor"

/// The caps that a pad accepts now.
///
/// - Parameter filter: what is asked for; nil for all.
func acceptedCaps(_ pad: UnsafeMutablePointer<GstPad>, _ filter: String? = nil) -> Caps {
  let filter = filter.map { Caps($0) }
  return withExtendedLifetime(filter) { Caps(owning: gst_pad_query_caps(pad, filter?.pointer)) }
}

/// Whether a pad accepts some of the caps now.
func accepts(_ pad: UnsafeMutablePointer<GstPad>, _ caps: String) -> Bool {
  !acceptedCaps(pad, caps).isEmpty
}

/// A reference to a GstCaps.
final class Caps: CustomStringConvertible {
  let pointer: UnsafeMutablePointer<GstCaps>?

  init(owning pointer: UnsafeMutablePointer<GstCaps>?) { self.pointer = pointer }

  convenience init(_ text: String) { self.init(owning: gst_caps_from_string(text)) }

  deinit { if let pointer { gst_caps_unref(pointer) } }

  var isEmpty: Bool { gst_caps_is_empty(pointer) != 0 }

  func intersects(_ text: String) -> Bool { compare(Caps(text), gst_caps_can_intersect) }

  func isSubset(of other: Caps) -> Bool { compare(other, gst_caps_is_subset) }

  func isEqual(to other: Caps) -> Bool { compare(other, gst_caps_is_equal) }

  private typealias Pointer = UnsafePointer<GstCaps>

  private func compare(_ other: Caps, _ function: (Pointer?, Pointer?) -> gboolean) -> Bool {
    withExtendedLifetime((self, other)) { function(Pointer(pointer), Pointer(other.pointer)) != 0 }
  }

  var description: String {
    guard let text = gst_caps_to_string(pointer) else { return "no caps" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
