import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Properties that a GstController drives.
  @Suite struct Animation {
    private let layout = VideoLayout("I420", 16, 16)

    /// Lets a property run along straight lines through points of time (seconds) and value.
    private func animate(
      _ element: UnsafeMutablePointer<GstElement>, _ property: String, _ points: [(Double, Double)]
    ) throws {
      let source = try #require(gst_interpolation_control_source_new())
      defer { gst_object_unref(source) }
      raster_test_set_int(source, "mode", Int32(GST_INTERPOLATION_MODE_LINEAR.rawValue))
      for (seconds, value) in points {
        gst_timed_value_control_source_set(cast(source), GstClockTime(seconds * 1e9), value)
      }
      let binding = gst_direct_control_binding_new_absolute(cast(element), property, source)
      #expect(gst_object_add_control_binding(cast(element), binding) != 0)
    }

    private func frame(_ seconds: Double) -> Buffer {
      let buffer = Picture(layout, filledWith: 100).packed()
      buffer.pointer.pointee.pts = GstClockTime((seconds * 1e9).rounded())
      return buffer
    }

    private func luma(_ harness: Harness, _ seconds: Double) throws -> Int {
      let output = try #require(harness.process(frame(seconds)))
      return Int(try #require(Picture(reading: output, as: layout)).planes[0][0])
    }

    @Test("a ramp has the value of each frame's time")
    func ramp() throws {
      let harness = try #require(Harness())
      try animate(harness.element, "brightness", [(0, -0.25), (2, 0.25)])
      harness.start(layout.caps())
      for step in 0...40 {
        let time = Double(step) / 20
        let expected = 100 + 255 * (-0.25 + time / 4)
        #expect(abs(Double(try luma(harness, time)) - expected) <= 0.51, "at \(time) s")
      }
      // Only the neutral frame in the middle may pass untouched.
      #expect(try #require(harness.count("frames")) >= 40)
    }

    @Test("values follow stream time, not the time stamps, after a segment")
    func streamTime() throws {
      let harness = try #require(Harness())
      try animate(harness.element, "brightness", [(0, 0), (10, 0.5)])
      harness.start(layout.caps())
      #expect(try luma(harness, 2) == Int((100 + 255 * 0.1).rounded()))
      var segment = GstSegment()
      gst_segment_init(&segment, GST_FORMAT_TIME)
      (segment.start, segment.time, segment.base) = (2_000_000_000, 6_000_000_000, 4_000_000_000)
      gst_harness_push_event(harness.harness, gst_event_new_segment(&segment))
      #expect(try luma(harness, 4) == Int((100 + 255 * 0.4).rounded()))
    }

    @Test("two properties are animated at once, beside one that is set")
    func severalProperties() throws {
      let device = try OpenDevice.ownWords()
      let harness = try #require(
        Harness("rasterfilter", ["saturation": "0.5", "device": device]))
      try animate(harness.element, "brightness", [(0, 0), (1, 0.2)])
      try animate(harness.element, "contrast", [(0, 1), (1, 0.5)])
      harness.start(layout.caps())
      for step in 0...10 {
        let time = Double(step) / 10
        let expected = 16 + 84 * (1 - time / 2) + 255 * time / 5
        #expect(abs(Double(try luma(harness, time)) - expected) <= 0.51, "at \(time) s")
      }
      #expect(harness.count("pipelines") == 1)
    }

    @Test("an animation from and to neutral values switches without a lost or a wrong frame")
    func throughNeutral() throws {
      let harness = try #require(Harness())
      try animate(
        harness.element, "brightness", [(0, 0), (1, 0), (2, 0.2), (3, 0), (4, 0), (5, 0.2)])
      harness.start(layout.caps())
      for step in 0..<50 {
        let time = Double(step) / 10
        let value =
          switch time {
          case 1..<2: 0.2 * (time - 1)
          case 2..<3: 0.2 * (3 - time)
          case 4...: 0.2 * (time - 4)
          default: 0.0
          }
        #expect(abs(Double(try luma(harness, time)) - (100 + 255 * value)) <= 0.51, "at \(time) s")
      }
    }

    @Test("a frame without a time keeps the last value")
    func noTime() throws {
      let harness = try #require(Harness())
      try animate(harness.element, "brightness", [(0, 0), (1, 0.2)])
      harness.start(layout.caps())
      #expect(try luma(harness, 1) == 151)
      let output = try #require(harness.process(Picture(layout, filledWith: 100).packed()))
      #expect(Picture(reading: output, as: layout)?.planes[0][0] == 151)
    }

    @Test("an animated element in a pipeline follows a seek")
    func seek() throws {
      let test = try TestPipeline(
        "videotestsrc pattern=solid-color foreground-color=0xff808080 num-buffers=40 "
          + "! video/x-raw,format=I420,width=16,height=16,framerate=10/1 "
          + "! rasterfilter name=r ! fakesink name=s sync=false")
      try animate(try test.element("r"), "brightness", [(0, 0), (4, 0.4)])
      let list = BufferList()
      let probe = try BufferProbe(try test.element("s"), "sink") { buffer in
        list.append(Buffer(owning: gst_buffer_copy_deep(buffer.pointer)))
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
      let gray = try #require(list.all.first?.bytes.first)
      #expect(test.seek(to: 2))
      #expect(test.run() == .endOfStream)
      let frames = list.all.filter { $0.fields.pts >= 2_000_000_000 }
      #expect(frames.count >= 20)
      for frame in frames {
        let expected = Double(gray) + 25.5 * min(Double(frame.fields.pts) / 1e9, 4)
        #expect(abs(Double(frame.bytes[0]) - expected) <= 0.51)
      }
    }
  }
}
