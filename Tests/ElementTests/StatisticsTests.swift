import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// The `stats` property.
  @Suite struct Statistics {
    @Test("frames of 1080p cost one pass and no copy, and imports do not grow with frames")
    func fullHD() throws {
      func imports(frames: UInt64) throws -> UInt64 {
        let test = try TestPipeline(
          "videotestsrc num-buffers=\(frames) pattern=black "
            + "! video/x-raw,format=NV12,width=1920,height=1080 "
            + "! rasterfilter name=r brightness=0.1 gamma=1.2 ! fakesink sync=false")
        raster_test_set_string(try test.element("r"), "device", try OpenDevice.ownWords())
        #expect(test.run() == .endOfStream)
        let element = try test.element("r")
        #expect(element.statistic("frames") == frames)
        #expect(element.statistic("passes-per-frame") == 1)
        #expect(element.statistic("copies") == 0)
        #expect(element.statistic("pipelines") == 1)
        #expect(element.statistic("gpu-time") ?? 0 > 0)
        let perFrame = (element.statistic("gpu-time") ?? 0) / frames
        #expect(element.statistic("gpu-time-per-frame") == perFrame)
        return try #require(element.statistic("imports"))
      }
      let few = try imports(frames: 30)
      #expect(few <= 8)
      #expect(try imports(frames: 90) <= few + 2)
    }

    @Test("changed values, and values that come back, compile nothing")
    func pipelines() throws {
      let picture = Picture.noise(VideoLayout("NV12", 64, 48))
      let device = try OpenDevice.ownWords()
      let harness = try #require(
        Harness("rasterfilter", ["brightness": "0.1", "device": device]))
      harness.start(picture.layout.caps())
      let input = picture.packed()
      for step in 1...40 {
        raster_test_set_double(harness.element, "brightness", Double(step) / 80)
        raster_test_set_double(harness.element, "contrast", 1 + Double(step % 5) / 10)
        raster_test_set_double(harness.element, "saturation", Double(step % 3))
        #expect(harness.process(input) != nil)
      }
      #expect(harness.count("pipelines") == 1)
      #expect(harness.count("imports") == 1)
      raster_test_set_double(harness.element, "gamma", 2)
      #expect(harness.process(input) != nil)
      #expect(harness.count("pipelines") == 2)
      raster_test_set_double(harness.element, "gamma", 1)
      #expect(harness.process(input) != nil)
      #expect(harness.count("pipelines") == 2)
    }

    @Test("counting starts anew with each stream")
    func reset() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=5 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter name=r brightness=0.2 ! fakesink")
      for _ in 0..<3 {
        #expect(test.run() == .endOfStream)
        #expect(try test.element("r").statistic("frames") == 5)
        #expect(test.setState(GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
      }
    }

    @Test("the device's name is there once it is open")
    func device() throws {
      let harness = try #require(Harness())
      let structure = try #require(raster_test_get_structure(harness.element, "stats"))
      defer { gst_structure_free(structure) }
      let name = gst_structure_get_string(structure, "device").map { String(cString: $0) }
      #expect(name?.isEmpty == false)
    }

    @Test("statistics can be read from other threads while frames pass")
    func concurrentReads() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=300 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter name=r brightness=0.2 ! fakesink")
      let element = Shared(try test.element("r"))
      let readers = (0..<2).map { _ in
        TestThread {
          var last: UInt64 = 0
          while last < 300 {
            let frames = element.value.statistic("frames") ?? 0
            #expect(frames >= last)
            last = frames
          }
        }
      }
      #expect(test.run() == .endOfStream)
      for reader in readers { reader.join() }
    }
  }
}
