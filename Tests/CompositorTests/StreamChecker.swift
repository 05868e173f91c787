import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

/// Watches a source pad, and notes what breaks the order that every stream has to keep: a name, caps and a
/// segment before frames, no end of a flush without a start, no frame after the end, and times that run in the
/// direction of the segment and do not leave it.
final class StreamChecker {
  private struct State {
    var isFlushing = false
    var hasStream = false
    var hasCaps = false
    var hasEnded = false
    var segment: GstSegment?
    var last: GstClockTime?
    var frames = 0
    var flushes = 0
    var faults: [String] = []
  }

  private final class Handler: Sendable {
    let state = Mutex(State())
  }

  private let handler = Handler()
  private let pad: UnsafeMutablePointer<GstPad>
  private let id: gulong

  init(_ element: UnsafeMutablePointer<GstElement>, _ padName: String = "src") throws {
    pad = try #require(gst_element_get_static_pad(element, padName))
    let types = [
      GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      GST_PAD_PROBE_TYPE_EVENT_FLUSH,
    ]
    id = gst_pad_add_probe(
      pad, GstPadProbeType(rawValue: types.reduce(0) { $0 | $1.rawValue }),
      { _, info, data in
        guard let info, let data, let object = info.pointee.data else { return GST_PAD_PROBE_OK }
        let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        let passing = Shared(object)
        let isBuffer = info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
        handler.state.withLock { state in
          if isBuffer {
            StreamChecker.check(
              passing.value.assumingMemoryBound(to: GstBuffer.self).pointee, &state)
          } else {
            StreamChecker.check(passing.value.assumingMemoryBound(to: GstEvent.self), &state)
          }
        }
        return GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(handler).toOpaque(),
      { data in if let data { Unmanaged<Handler>.fromOpaque(data).release() } })
  }

  deinit {
    gst_pad_remove_probe(pad, id)
    gst_object_unref(pad)
  }

  /// What was wrong so far.
  var faults: [String] { handler.state.withLock { $0.faults } }
  /// Frames since the start or the last flush.
  var frameCount: Int { handler.state.withLock { $0.frames } }
  /// Flushes that have ended.
  var flushCount: Int { handler.state.withLock { $0.flushes } }
  /// The segment that frames are in.
  var segment: GstSegment? { handler.state.withLock { $0.segment } }

  /// Forgets what has passed: the element was stopped.
  func reset() {
    handler.state.withLock { state in
      let faults = state.faults
      state = State()
      state.faults = faults
    }
  }

  private static func check(_ event: UnsafeMutablePointer<GstEvent>, _ state: inout State) {
    func require(_ condition: Bool, _ fault: String) {
      if !condition { state.faults.append(fault) }
    }
    switch event.pointee.type {
    case GST_EVENT_FLUSH_START:
      state.isFlushing = true
      return
    case GST_EVENT_FLUSH_STOP:
      require(state.isFlushing, "the end of a flush without a start")
      state.isFlushing = false
      (state.hasEnded, state.segment, state.last) = (false, nil, nil)
      (state.frames, state.flushes) = (0, state.flushes + 1)
      return
    case GST_EVENT_STREAM_START: (state.hasStream, state.hasEnded) = (true, false)
    case GST_EVENT_CAPS:
      require(state.hasStream, "caps before the name of the stream")
      state.hasCaps = true
    case GST_EVENT_SEGMENT:
      require(state.hasCaps, "a segment before caps")
      var segment = GstSegment()
      gst_event_copy_segment(event, &segment)
      (state.segment, state.last) = (segment, nil)
    case GST_EVENT_EOS:
      require(!state.hasEnded, "a second end of the stream")
      state.hasEnded = true
    default: return
    }
  }

  private static func check(_ buffer: GstBuffer, _ state: inout State) {
    func require(_ condition: Bool, _ fault: String) {
      if !condition { state.faults.append("frame \(state.frames), \(buffer.pts): \(fault)") }
    }
    require(!state.hasEnded, "after the end")
    require(state.hasStream && state.hasCaps, "before caps")
    if let segment = state.segment {
      require(buffer.pts >= segment.start && buffer.pts < segment.stop, "outside of the segment")
      if let last = state.last {
        require(segment.rate > 0 ? buffer.pts > last : buffer.pts < last, "out of order")
      }
    } else {
      require(false, "without a segment")
    }
    state.last = buffer.pts
    state.frames += 1
  }
}
