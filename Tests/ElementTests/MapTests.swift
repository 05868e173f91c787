import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Frames that the device still works on when somebody looks at them.
  @Suite struct Maps {
    private static let large = VideoLayout("NV12", 1920, 1080)
    private static let small = VideoLayout("NV12", 640, 360)

    /// Checks the bytes of a frame; a failure does not list them all.
    private func check(
      _ frame: Buffer, _ bytes: [UInt8], _ what: String,
      _ location: SourceLocation = #_sourceLocation
    ) {
      if frame.bytes != bytes {
        Issue.record("wrong pixels: \(what)", sourceLocation: location)
      }
    }

    /// An element whose device is busy for milliseconds with each frame.
    private final class Stream {
      let harness: Harness
      let inputs: [Buffer]

      init(_ layout: VideoLayout, pictures: Int) throws {
        harness = try #require(Harness("rasterfilter"))
        raster_test_set_string(harness.element, "filters", "gaussian-blur, sigma=3")
        harness.start(layout.caps())
        inputs = (0..<pictures).map { Picture.noise(layout, seed: UInt64($0 + 1)).packed() }
      }

      /// The frame made of an input, as it leaves the element.
      func frame(_ number: Int) throws -> Buffer {
        #expect(harness.push(inputs[number % inputs.count]) == GST_FLOW_OK)
        return try #require(harness.pull())
      }

      /// Whether the device is not yet done with all that has left.
      var isLate: Bool { harness.count("rendered") != harness.count("frames") }

      /// The frames made of all inputs, looked at when the device is known to be done.
      func expected() throws -> [[UInt8]] {
        try inputs.indices.map { number in
          let frame = try frame(number)
          #expect(waits { !isLate })
          return frame.bytes
        }
      }
    }

    @Test("a frame of 1080p that is mapped right after it left has its final pixels")
    func read() throws {
      let stream = try Stream(Maps.large, pictures: 5)
      let expected = try stream.expected()
      var late = 0
      for number in 0..<200 {
        let frame = try stream.frame(number)
        if stream.isLate { late += 1 }
        check(frame, expected[number % 5], "frame \(number)")
      }
      #expect(late >= 20, "\(late) frames were not done when they left")
    }

    @Test("several frames under way are right in any order")
    func readBackwards() throws {
      let stream = try Stream(Maps.small, pictures: 3)
      let expected = try stream.expected()
      for _ in 0..<5 {
        let frames = try (0..<6).map { try stream.frame($0) }
        for number in frames.indices.reversed() {
          check(frames[number], expected[number % 3], "frame \(number)")
        }
      }
    }

    @Test("deep copies, parts and other threads wait for the device, too")
    func otherReaders() throws {
      let stream = try Stream(Maps.small, pictures: 3)
      let expected = try stream.expected()
      for number in 0..<10 {
        let wanted = expected[number % 3]
        let copied = Buffer(owning: gst_buffer_copy_deep(try stream.frame(number).pointer))
        check(copied, wanted, "copy \(number)")

        let frame = try stream.frame(number)
        let (start, count) = (1001, 3 * 640)
        let part = Buffer(owning: gst_buffer_new())
        gst_buffer_append_memory(
          part.pointer, gst_memory_share(frame.memories.first, start, count))
        check(part, Array(wanted[start..<start + count]), "part \(number)")
        check(frame, wanted, "whole \(number)")

        let shared = try stream.frame(number)
        let wrong = Counter()
        let readers = (0..<4).map { _ in
          TestThread { if shared.bytes != wanted { wrong.increment() } }
        }
        for reader in readers { reader.join() }
        #expect(wrong.count == 0, "threads \(number)")
      }
    }

    @Test("what the CPU writes to a frame right after it left is not overwritten by the device")
    func write() throws {
      let stream = try Stream(Maps.small, pictures: 1)
      let value = [UInt8](repeating: 0x5a, count: try stream.frame(0).bytes.count)
      for number in 0..<10 {
        let frame = try stream.frame(number)
        frame.fill(0, value)
        #expect(waits { !stream.isLate })
        check(frame, value, "frame \(number)")
      }
    }

    @Test("frames are right after NULL, and when their element is gone", arguments: [false, true])
    func kept(_ dropsElement: Bool) throws {
      let device = try OpenDevice()
      defer { withExtendedLifetime(device) {} }
      var stream: Stream? = try Stream(Maps.small, pictures: 3)
      let expected = try #require(try stream?.expected())
      for _ in 0..<2 {
        if stream == nil { stream = try Stream(Maps.small, pictures: 3) }
        let frames = try (0..<4).compactMap { try stream?.frame($0) }
        #expect(frames.count == 4)
        if dropsElement {
          stream = nil
        } else if let harness = stream?.harness {
          gst_element_set_state(harness.element, GST_STATE_NULL)
        }
        for (number, frame) in frames.enumerated() {
          check(frame, expected[number % 3], "frame \(number)")
        }
        if !dropsElement { stream = nil }
      }
    }
  }
}
