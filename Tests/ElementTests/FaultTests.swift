import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Calls of Vulkan that fail. No test may leave a device open: the next would share it.
  @Suite struct Faults {
    private let layout = VideoLayout("NV12", 64, 48)

    /// A pipeline with elements r0, r1, … that share a device.
    private func pipeline(_ filters: Int = 1, device: String? = nil) throws -> TestPipeline {
      let words = try device ?? OpenDevice.ownWords()
      let chain = (0..<filters).map {
        "rasterfilter name=r\($0) brightness=0.2 device=\"\(words)\" ! "
      }
      return try TestPipeline(
        "videotestsrc num-buffers=20 ! \(layout.caps()) ! \(chain.joined()) fakesink sync=false")
    }

    private func expectHelpful(_ error: ElementMessage, _ words: String) {
      #expect(error.text.contains(words))
      #expect(error.debug.contains("cause: ") && error.debug.contains("remedy: "))
    }

    @Test(
      "a call that fails while frames pass ends in one error, and NULL mends it",
      arguments: [
        ("submit:1", "was lost"), ("submit:5", "was lost"), ("wait:1", "was lost"),
        ("wait:5", "was lost"), ("timeout:3", "did not finish"), ("allocate:1", "no memory"),
        ("allocate:3", "no memory"), ("allocate:3+", "no memory"), ("pipeline:1", "no memory"),
        ("map:1", "vkMapMemory"), ("map:2", "vkMapMemory"),
      ])
    func failureWhileStreaming(_ fault: String, _ words: String) throws {
      let test = try pipeline()
      for _ in 0..<2 {
        let outcome = try FaultLayer.with(fault) { test.run() }
        guard case .failed(let error) = outcome else {
          Issue.record("\(fault): \(outcome)")
          return
        }
        #expect(error.source == "r0")
        expectHelpful(error, words)
        #expect(!test.takeErrors().contains { $0.source == "r0" }, "a second error")
        let seconds = secondsTaken { _ = test.setState(GST_STATE_NULL) }
        #expect(seconds < 2)
        #expect(test.run() == .endOfStream)
        #expect(try test.element("r0").statistic("frames") == 20)
        #expect(test.setState(GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
        _ = test.takeErrors()
      }
    }

    @Test(
      "a device that cannot be opened fails the state change with one error",
      arguments: [
        ("oldversion", "Vulkan 1.1"), ("nocompute", "no compute queue"),
        ("device:1", "vkCreateDevice"), ("nodevices", "No Vulkan device"),
      ])
    func failureToOpen(_ fault: String, _ words: String) throws {
      let test = try pipeline()
      for _ in 0..<2 {
        // Mesa's layer that sorts devices (22.3) crashes where there are none.
        let result = try ProcessEnvironment.with("NODEVICE_SELECT", "1") {
          try FaultLayer.with(fault) { test.setState(GST_STATE_READY) }
        }
        #expect(result == GST_STATE_CHANGE_FAILURE)
        let errors = test.takeErrors()
        #expect(errors.map(\.source) == ["r0"])
        for error in errors { expectHelpful(error, words) }
        #expect(test.setState(GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
        #expect(test.run() == .endOfStream)
        #expect(test.setState(GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
      }
    }

    @Test("elements that share a lost device post one error each, and all work again")
    func sharedLoss() throws {
      let test = try pipeline(3)
      let outcome = try FaultLayer.with("submit:10") { test.run() }
      guard case .failed(let error) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      let sources = ([error] + test.takeErrors()).map(\.source).filter { $0.hasPrefix("r") }
      #expect(Set(sources).count == sources.count)
      _ = test.setState(GST_STATE_NULL)
      #expect(test.run() == .endOfStream)
    }

    @Test("an element takes a new device while another still holds the lost one")
    func newDeviceBesideLostOne() throws {
      let device = try OpenDevice.ownWords()
      let lost = try pipeline(device: device)
      let outcome = try FaultLayer.with("submit:3") { lost.run() }
      if case .failed = outcome {} else { Issue.record("\(outcome)") }
      // Not taken to NULL yet: it holds the lost device.
      #expect(try pipeline(device: device).run() == .endOfStream)
      _ = lost.setState(GST_STATE_NULL)
      #expect(lost.run() == .endOfStream)
    }

    @Test(
      "memory that cannot be used in place is copied, counted, and gives the same pixels",
      arguments: [
        "noimport", "import:1+",
      ])
    func copies(_ fault: String) throws {
      for (format, planes) in [("NV12", 2), ("I420", 3), ("RGBA", 1), ("RGB", 1)] {
        let picture = Picture.noise(VideoLayout(format, 37, 11))
        let expected = try Processor("rasterfilter", picture.layout).process(
          picture, Memory.settings)
        let device = try OpenDevice.ownWords()
        let harness = try FaultLayer.with(fault) {
          try #require(Harness("rasterfilter", ["device": device]))
        }
        Memory.settings.apply(to: harness.element)
        harness.start(picture.layout.caps())
        for _ in 0..<5 {
          let input = Placement(picture.layout, padding: 3, lead: 5).buffer(of: picture)
          let output = try #require(harness.process(input))
          let result = try #require(Picture(reading: output, as: picture.layout))
          #expect(Difference(result, expected).maximum == 0, "\(Difference(result, expected))")
        }
        #expect(harness.count("copies") == UInt64(planes * 5), "\(format)")
        #expect(harness.count("imports") == 0)
      }
    }

    @Test("one memory that is refused is copied, the next is used in place")
    func oneRefusal() throws {
      let picture = Picture.noise(layout)
      let device = try OpenDevice.ownWords()
      let harness = try FaultLayer.with("import:1") {
        try #require(Harness("rasterfilter", ["device": device, "brightness": "0.1"]))
      }
      harness.start(layout.caps())
      let refused = picture.packed()
      let first = try #require(
        harness.process(refused).flatMap { Picture(reading: $0, as: layout) })
      let second = try #require(harness.process(picture))
      let third = try #require(
        harness.process(refused).flatMap { Picture(reading: $0, as: layout) })
      #expect(first == second && second == third)
      #expect(harness.count("imports") == 1)
      #expect(harness.count("copies") == 4)
    }

    @Test(
      "a device without 64-bit integers gives the same pixels", arguments: ["NV12", "RGBA", "I420"])
    func narrowWords(_ format: String) throws {
      for (width, height) in [(64, 48), (37, 11)] {
        let picture = Picture.noise(VideoLayout(format, width, height))
        let expected = try Processor("rasterfilter", picture.layout).process(
          picture, Memory.settings)
        let device = try OpenDevice.ownWords()
        let harness = try FaultLayer.with("noint64") {
          try #require(Harness("rasterfilter", ["device": device]))
        }
        Memory.settings.apply(to: harness.element)
        harness.start(picture.layout.caps())
        let result = try #require(harness.process(picture))
        #expect(Difference(result, expected).maximum <= 1, "\(Difference(result, expected))")
      }
    }

    @Test("a new format for which there is no memory ends in one error")
    func failureInNegotiation() throws {
      let device = try OpenDevice.ownWords()
      // A frame of the first pool and one import come before.
      let harness = try FaultLayer.with("allocate:3") {
        try #require(Harness("rasterfilter", ["device": device, "brightness": "0.1"]))
      }
      harness.start(layout.caps())
      let kept = try #require(harness.process(Picture(layout).packed()))
      harness.start(VideoLayout("RGBA", 64, 48).caps())
      #expect(harness.push(Picture(VideoLayout("RGBA", 64, 48)).packed()) != GST_FLOW_OK)
      let errors = harness.takeErrors()
      #expect(errors.count == 1)
      for error in errors { expectHelpful(error, "no memory") }
      withExtendedLifetime(kept) {}
      gst_element_set_state(harness.element, GST_STATE_NULL)
    }
  }
}
