package import CGstCheck
internal import Glibc
internal import Synchronization

/// A pipeline made from its gst-launch description.
package final class TestPipeline {
  /// How a run ended.
  package enum Outcome: Hashable, Sendable {
    case endOfStream
    case failed(ElementMessage)
    case timedOut
  }

  package struct ParseError: Error, CustomStringConvertible {
    package let description: String
  }

  package let pipeline: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>

  package init(_ description: String) throws {
    GStreamer.start()
    var error: UnsafeMutablePointer<GError>?
    let made = gst_parse_launch_full(description, nil, GST_PARSE_FLAG_FATAL_ERRORS, &error)
    guard let made else {
      let text = error.map { String(cString: $0.pointee.message) } ?? "no reason"
      g_clear_error(&error)
      throw ParseError(description: "\(description): \(text)")
    }
    gst_object_ref_sink(made)
    guard let bus = gst_element_get_bus(made) else {
      gst_object_unref(made)
      throw ParseError(description: "\(description) is not a pipeline")
    }
    pipeline = made
    self.bus = bus
  }

  deinit {
    gst_element_set_state(pipeline, GST_STATE_NULL)
    gst_object_unref(bus)
    gst_object_unref(pipeline)
  }

  /// An element by its name; valid as long as the pipeline.
  package func element(_ name: String) throws -> UnsafeMutablePointer<GstElement> {
    guard let element = gst_bin_get_by_name(cast(pipeline), name) else {
      throw ParseError(description: "there is no element \(name)")
    }
    gst_object_unref(element)
    return element
  }

  /// Changes the state and waits until it is reached.
  package func setState(_ state: GstState, seconds: UInt64 = 30) -> GstStateChangeReturn {
    let result = gst_element_set_state(pipeline, state)
    guard result == GST_STATE_CHANGE_ASYNC else { return result }
    return gst_element_get_state(pipeline, nil, nil, GstClockTime(seconds * 1_000_000_000))
  }

  /// Plays until the stream ends or an element fails.
  package func run(seconds: UInt64 = 60) -> Outcome {
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    return wait(seconds: seconds)
  }

  /// Waits until the stream ends or an element fails.
  package func wait(seconds: UInt64 = 60) -> Outcome {
    let wanted = GstMessageType(GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    let message = gst_bus_timed_pop_filtered(bus, GstClockTime(seconds * 1_000_000_000), wanted)
    guard let message else { return .timedOut }
    defer { gst_message_unref(message) }
    return message.pointee.type == GST_MESSAGE_ERROR
      ? .failed(ElementMessage(message)) : .endOfStream
  }

  /// Numbers of the caps that the sink pad of an element has agreed on: fields that are integers, and
  /// both parts of fractions.
  package func caps(_ fields: [String], atSinkOf name: String) throws -> [Int] {
    guard let pad = gst_element_get_static_pad(try element(name), "sink") else { return [] }
    defer { gst_object_unref(pad) }
    guard let caps = gst_pad_get_current_caps(pad) else { return [] }
    defer { gst_caps_unref(caps) }
    guard let structure = gst_caps_get_structure(caps, 0) else { return [] }
    return fields.flatMap { field -> [Int] in
      var (first, second): (gint, gint) = (0, 0)
      if gst_structure_get_int(structure, field, &first) != 0 { return [Int(first)] }
      guard gst_structure_get_fraction(structure, field, &first, &second) != 0 else { return [] }
      return [Int(first), Int(second)]
    }
  }

  /// The errors that were posted and not yet taken.
  package func takeErrors() -> [ElementMessage] { ElementMessage.takeErrors(from: bus) }

  /// The warnings that were posted and not yet taken.
  package func takeWarnings() -> [ElementMessage] {
    ElementMessage.take(GST_MESSAGE_WARNING, from: bus)
  }

  /// Jumps to a time and drops all that is under way.
  package func seek(to seconds: Double) -> Bool {
    gst_element_seek_simple(
      pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, gint64(seconds * 1e9)) != 0
  }
}

/// Sees every buffer that passes a pad of an element.
package final class BufferProbe {
  package enum Action: Sendable {
    case pass
    case drop
  }

  private final class Handler {
    let body: @Sendable (Buffer) -> Action
    init(_ body: @escaping @Sendable (Buffer) -> Action) { self.body = body }
  }

  private let pad: UnsafeMutablePointer<GstPad>
  private let id: gulong

  /// - Parameter body: called on the streaming thread.
  package init(
    _ element: UnsafeMutablePointer<GstElement>, _ padName: String,
    _ body: @escaping @Sendable (Buffer) -> Action
  ) throws {
    guard let pad = gst_element_get_static_pad(element, padName) else {
      throw TestPipeline.ParseError(description: "there is no pad \(padName)")
    }
    self.pad = pad
    let handler = Unmanaged.passRetained(Handler(body)).toOpaque()
    id = gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, data in
        guard let data, let buffer = info?.pointee.data else { return GST_PAD_PROBE_OK }
        let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        let seen = Buffer(buffer.assumingMemoryBound(to: GstBuffer.self))
        return handler.body(seen) == .pass ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
      }, handler, { data in if let data { Unmanaged<Handler>.fromOpaque(data).release() } })
  }

  deinit {
    gst_pad_remove_probe(pad, id)
    gst_object_unref(pad)
  }
}

/// The buffers that a probe has kept.
package final class BufferList: Sendable {
  private let kept = Mutex<[Buffer]>([])

  package init() {}

  package func append(_ buffer: Buffer) { kept.withLock { $0.append(buffer) } }

  package var all: [Buffer] { kept.withLock { $0 } }

  package var count: Int { kept.withLock { $0.count } }

  package func removeAll() { removeFirst(count) }

  /// Lets go of the oldest ones.
  package func removeFirst(_ count: Int) {
    // They are let go of without the lock: that may wake a thread that appends.
    let gone = kept.withLock { kept in
      defer { kept.removeFirst(min(count, kept.count)) }
      return Array(kept.prefix(count))
    }
    withExtendedLifetime(gone) {}
  }
}

/// Keeps every frame that passes a pad.
package final class FrameKeeper {
  package let kept = BufferList()
  private let probe: BufferProbe

  /// - Parameter copies: whether copies are kept, so that the pool gets its frames back.
  package init(
    _ element: UnsafeMutablePointer<GstElement>, _ padName: String = "sink", copies: Bool = false
  ) throws {
    let kept = kept
    probe = try BufferProbe(element, padName) { buffer in
      if let own = copies ? buffer.deepCopy : buffer { kept.append(own) }
      return .pass
    }
  }
}

/// The addresses that a probe has seen.
package final class AddressSet: Sendable {
  private let addresses = Mutex<Set<UInt>>([])

  package init() {}

  package func insert(_ address: UInt) { _ = addresses.withLock { $0.insert(address) } }

  package var count: Int { addresses.withLock { $0.count } }
}
