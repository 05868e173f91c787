import CGstCheck
import CShim
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Neutral settings, and the way between them and others.
  @Suite struct Passthrough {
    @Test(
      "neutral settings hand on the very buffers that came in",
      arguments: [
        "NV12", "RGBA", "I420", "GRAY8", "P010_10LE", "v210", "Y444_16LE", "ARGB64", "YUY2",
        "NV12_4L4",
        "RGB8P", "GRAY16_LE",
      ])
    func identity(_ format: String) throws {
      let harness = try #require(Harness())
      harness.start(VideoLayout(format, 96, 64).caps())
      let size = try #require(defaultSize(format, 96, 64))
      for value in 0..<3 {
        let memory = try #require(gst_buffer_new_allocate(nil, gsize(size), nil))
        let buffer = Buffer(owning: memory)
        gst_buffer_memset(buffer.pointer, 0, UInt8(value), gsize(size))
        let output = try #require(harness.process(buffer))
        #expect(output.pointer == buffer.pointer)
      }
      #expect(harness.count("frames") == 0)
    }

    @Test(
      "media that is no raw video in system memory passes too",
      arguments: [
        "video/x-raw(memory:DMABuf), format=NV12, width=16, height=16, framerate=25/1",
        "video/x-raw(memory:VulkanImage), format=RGBA, width=16, height=16, framerate=25/1",
      ])
    func memoryFeatures(_ caps: String) throws {
      let harness = try #require(Harness())
      harness.start(caps)
      let memory = try #require(gst_buffer_new_allocate(nil, 1024, nil))
      let buffer = Buffer(owning: memory)
      #expect(harness.process(buffer)?.pointer == buffer.pointer)
    }

    @Test("a format that is not processed is refused while settings are not neutral")
    func exoticFormatWithSettings() throws {
      let layout = VideoLayout("YUY2", 64, 48)
      #expect(throws: TestPipeline.ParseError.self) {
        try TestPipeline("videotestsrc ! \(layout.caps()) ! rasterfilter brightness=0.2 ! fakesink")
      }
      let harness = try #require(Harness("rasterfilter", ["brightness": "0.2"]))
      harness.start(layout.caps())
      #expect(harness.push(Picture(layout).packed()) == GST_FLOW_NOT_NEGOTIATED)
      harness.element.set("brightness", to: "0")
      harness.start(layout.caps())
      let buffer = Picture(layout).packed()
      #expect(harness.process(buffer)?.pointer == buffer.pointer)
    }

    @Test("settings that stop being neutral in a format that is not processed end in an error")
    func exoticFormatChanges() throws {
      let test = try TestPipeline(
        "videotestsrc ! \(VideoLayout("YUY2", 64, 48).caps()) ! rasterfilter name=r "
          + "! fakesink sync=true")
      #expect(test.setState(GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
      try test.element("r").set("brightness", to: "0.2")
      guard case .failed = test.wait() else {
        Issue.record("the stream goes on")
        return
      }
    }

    @Test("settings that are changed and changed back are neutral again")
    func changedBack() throws {
      let harness = try #require(Harness())
      let picture = Picture.noise(VideoLayout("NV12", 64, 48))
      harness.start(picture.layout.caps())
      let input = picture.packed()
      for _ in 0..<20 {
        harness.element.set("brightness", to: "0.25")
        let changed = try #require(harness.process(input))
        #expect(changed.pointer != input.pointer)
        let result = try #require(Picture(reading: changed, as: picture.layout))
        #expect(result != picture)
        harness.element.set("brightness", to: "0")
        #expect(harness.process(input)?.pointer == input.pointer)
      }
      #expect(harness.count("frames") == 20)
    }

    @Test("settings whose effects cancel out in the mathematics still give the same picture")
    func almostNeutral() throws {
      let harness = try #require(Harness("rasterfilter", ["hue": "0.000000001"]))
      for format in ["RGBA", "NV12"] {
        let picture = Picture.noise(VideoLayout(format, 64, 48))
        harness.start(picture.layout.caps())
        let result = try #require(harness.process(picture))
        // Noise in RGBA holds colors that Y'CbCr codes cannot hold; those are cut.
        if format == "NV12" { #expect(result == picture) }
      }
    }

    private func defaultSize(_ format: String, _ width: UInt32, _ height: UInt32) -> Int? {
      var info = GstVideoInfo()
      guard
        gst_video_info_set_format(&info, raster_video_format_from_string(format), width, height)
          != 0
      else { return nil }
      return Int(info.size)
    }
  }
}
