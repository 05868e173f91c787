import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Properties that change while frames pass.
  @Suite struct Properties {
    @Test("thousands of random changes from two threads disturb no stream")
    func randomChanges() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=400 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter name=r brightness=0.2 ! fakesink name=s")
      let element = Shared(try test.element("r"))
      let (isDone, changes) = (Counter(), Counter())
      let writers = (1...2).map { seed in
        TestThread {
          var random = RandomBytes(seed: UInt64(seed))
          while isDone.count == 0 {
            set(element.value, &random)
            changes.increment()
          }
        }
      }
      #expect(test.run() == .endOfStream)
      isDone.increment()
      for writer in writers { writer.join() }
      #expect(changes.count > 1000)
      #expect(test.takeErrors().isEmpty)
    }

    @Test("toggling between neutral and not, from another thread, loses no frame")
    func toggling() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=600 ! video/x-raw,format=I420,width=32,height=32 "
          + "! rasterfilter name=r ! fakesink name=s")
      let seen = Counter()
      let probe = try BufferProbe(try test.element("s"), "sink") { _ in
        seen.increment()
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      let element = Shared(try test.element("r"))
      let isDone = Counter()
      let writer = TestThread {
        while isDone.count == 0 {
          raster_test_set_double(element.value, "saturation", 0.5)
          pause(milliseconds: 1)
          raster_test_set_double(element.value, "saturation", 1)
          pause(milliseconds: 1)
        }
      }
      #expect(test.run() == .endOfStream)
      isDone.increment()
      writer.join()
      #expect(seen.count == 600)
      #expect(test.takeErrors().isEmpty)
    }

    @Test("a change is in the next frame")
    func nextFrame() throws {
      let layout = VideoLayout("I420", 16, 16)
      let harness = try #require(Harness())
      harness.start(layout.caps())
      let picture = Picture(layout, filledWith: 100)
      for step in -20...20 {
        raster_test_set_double(harness.element, "brightness", Double(step) / 51)
        let result = try #require(harness.process(picture))
        #expect(result.planes[0].allSatisfy { Int($0) == 100 + 5 * step }, "step \(step)")
      }
    }

    @Test("settings and statistics are usable in every state")
    func everyState() throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(element) }
      var random = RandomBytes(seed: 5)
      for state in [GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_NULL] {
        gst_element_set_state(element, state)
        for _ in 0..<50 { set(element, &random) }
        #expect(element.statistic("frames") == 0)
      }
    }

    @Test(
      "extreme values give a picture in every format", arguments: ["NV12", "RGBA", "GRAY8", "RGB"])
    func extremes(_ format: String) throws {
      let picture = Picture.noise(VideoLayout(format, 33, 9))
      let harness = try #require(Harness())
      harness.start(picture.layout.caps())
      for (property, values) in [
        ("brightness", [-1.0, 1]), ("contrast", [0, 2]), ("hue", [-1, 1]), ("saturation", [0, 2]),
        ("gamma", [0.01, 10]), ("exposure", [-10, 10]),
      ] {
        for value in values {
          let old = raster_test_get_double(harness.element, property)
          raster_test_set_double(harness.element, property, value)
          #expect(harness.process(picture) != nil, "\(property) \(value)")
          raster_test_set_double(harness.element, property, old)
        }
      }
      let all = ["brightness": 1.0, "contrast": 2, "saturation": 2, "gamma": 10, "exposure": 10]
      for (property, value) in all { raster_test_set_double(harness.element, property, value) }
      let white = try #require(harness.process(picture))
      #expect(white != picture)
    }
  }
}

/// Sets one property to some value, often to the neutral one.
private func set(_ element: UnsafeMutablePointer<GstElement>, _ random: inout RandomBytes) {
  let properties: [(String, ClosedRange<Double>, Double)] = [
    ("brightness", -1...1, 0), ("contrast", 0...2, 1), ("hue", -1...1, 0), ("saturation", 0...2, 1),
    ("gamma", 0.01...10, 1), ("exposure", -10...10, 0),
  ]
  let (name, range, neutral) = properties[Int(random.next()) % properties.count]
  let isNeutral = random.next() < 128
  raster_test_set_double(element, name, isNeutral ? neutral : random.next(in: range))
}
