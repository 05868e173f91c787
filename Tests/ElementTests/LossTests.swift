import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// A device that is lost while frames are under way.
  @Suite struct Losses {
    private let layout = VideoLayout("NV12", 64, 48)

    /// What the element makes of a white frame.
    private func expected() throws -> Picture {
      let harness = try #require(Harness("rasterfilter", ["brightness": "-0.2"]))
      harness.start(layout.caps())
      return try #require(harness.process(try testPicture(layout, "white")))
    }

    /// Checks that frames can be mapped only where they are right, and that the log says why others cannot.
    ///
    /// - Returns: how many cannot be mapped.
    private func checkPixels(of frames: [Buffer], _ expected: Picture) -> UInt64 {
      var hidden: UInt64 = 0
      let lines = Diagnostics.expecting {
        for buffer in frames {
          if buffer.canBeRead {
            #expect(Picture(reading: buffer, as: layout) == expected)
          } else {
            hidden += 1
          }
        }
      }
      #expect(UInt64(lines.count) >= hidden)
      #expect(lines.allSatisfy { $0.contains("a frame cannot be read") }, "\(lines)")
      return hidden
    }

    @Test(
      "a loss ends every request once, posts one error, and hides the frames that are not rendered",
      arguments: ["wait:1", "wait:3", "wait:9", "submit:1", "submit:3", "submit:9"])
    func loss(_ fault: String) throws {
      let expected = try expected()
      let test = try TestPipeline(
        "videotestsrc num-buffers=20 pattern=white ! \(layout.caps()) "
          + "! rasterfilter name=r brightness=-0.2 device=\"\(try OpenDevice.ownWords())\" "
          + "! fakesink name=s sync=false async=false")
      let element = try test.element("r")
      let keeper = try FrameKeeper(element, "src")
      defer { withExtendedLifetime(keeper) {} }
      let kept = keeper.kept
      let outcome = try FaultLayer.with(fault) { test.run() }
      guard case .failed(let error) = outcome else {
        Issue.record("\(fault): \(outcome)")
        return
      }
      #expect(error.source == "r")
      #expect(gst_element_set_state(test.pipeline, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
      #expect(!test.takeErrors().contains { $0.source == "r" }, "a second error")
      let ends = ["rendered", "failed", "cancelled"].map { element.statistic($0) ?? 0 }
      let frames = element.statistic("frames") ?? 0
      #expect(ends.reduce(0, +) == frames, "\(ends) of \(frames)")
      #expect(ends[1] >= 1, "\(ends)")
      let hidden = checkPixels(of: kept.all, expected)
      // One may have failed before it left.
      #expect(hidden + 1 >= ends[1], "\(hidden) are hidden, \(ends)")
      if fault.hasPrefix("wait") { #expect(hidden >= 1, "\(ends)") }
      #expect(gst_element_set_state(test.pipeline, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
      kept.removeAll()
      #expect(test.run() == .endOfStream)
    }

    @Test("a flush while the device is lost leaves no request behind")
    func flushAndLoss() throws {
      for number in 1...6 {
        let test = try TestPipeline(
          "videotestsrc ! \(layout.caps()) "
            + "! rasterfilter name=r brightness=-0.2 device=\"\(try OpenDevice.ownWords())\" "
            + "! fakesink sync=false")
        let element = try test.element("r")
        try FaultLayer.with("wait:\(number * 7)") {
          gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
          for _ in 0..<10 { _ = test.seek(to: 1) }
        }
        gst_element_set_state(test.pipeline, GST_STATE_READY)
        let ends = ["rendered", "failed", "cancelled"].map { element.statistic($0) ?? 0 }
        #expect(ends.reduce(0, +) == element.statistic("frames"), "\(ends)")
        #expect(test.takeErrors().filter { $0.source == "r" }.count <= 1)
        gst_element_set_state(test.pipeline, GST_STATE_NULL)
      }
    }
  }
}
