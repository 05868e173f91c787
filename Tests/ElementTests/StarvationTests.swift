import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Pools that stay empty: who is told, and who is not.
  @Suite struct Starvation {
    private let caps = "video/x-raw,format=I420,width=64,height=64"
    /// Seconds within which the message has to come.
    private let soon = 3.0
    /// Longer than the element's patience.
    private let longEnough: UInt32 = 2_400

    /// Waits for a warning of the element `r`.
    private func nextWarning(_ test: TestPipeline) -> ElementMessage? {
      var found: ElementMessage?
      _ = waits(soon) {
        found = test.takeWarnings().first { $0.source == "r" }
        return found != nil
      }
      return found
    }

    private func isStarved(_ element: UnsafeMutablePointer<GstElement>, _ size: UInt64) -> Bool {
      element.statistic("pool-in-use") == size && element.statistic("pool-bound") == size
    }

    @Test("an encoder at its defaults runs where the number of frames is left to the element")
    func encoder() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=120 ! \(caps) ! rasterfilter name=r exposure=0.3 ! x264enc "
          + "! fakesink name=s")
      let encoded = Counter()
      let probe = try BufferProbe(try test.element("s"), "sink") { _ in
        encoded.increment()
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.run() == .endOfStream)
      #expect(encoded.count == 120)
      let element = try test.element("r")
      let (bound, peak) = (element.statistic("pool-bound"), element.statistic("pool-peak"))
      #expect(try #require(peak) <= #require(bound))
      #expect(test.takeWarnings().isEmpty)
    }

    @Test("an encoder that needs more frames than there are gets one message, and stops at once")
    func starvedEncoder() throws {
      let test = try TestPipeline(
        "videotestsrc ! \(caps) ! rasterfilter name=r exposure=0.3 max-buffers=8 "
          + "! x264enc name=encoder ! fakesink")
      let element = try test.element("r")
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      try #require(waits { isStarved(element, 8) })
      let seconds = try secondsTaken {
        let warning = try #require(nextWarning(test))
        #expect(warning.text.contains("all 8 of the output pool"), "\(warning)")
        #expect(warning.text.contains("encoder"), "\(warning)")
        #expect(warning.text.contains("max-buffers"), "\(warning)")
        #expect(warning.debug.contains("cause: ") && warning.debug.contains("remedy: "))
        let details = warning.details
        #expect(details.hasPrefix("raster-pool-starved"), "\(details)")
        for field in ["pool=(string)output", "pool-size=(guint64)8", "downstream=(string)encoder"] {
          #expect(details.contains(field), "\(details)")
        }
      }
      #expect(seconds >= 1.5)
      // The same again says nothing new.
      #expect(test.seek(to: 1))
      try #require(waits { isStarved(element, 8) })
      pause(milliseconds: longEnough)
      #expect(!test.takeWarnings().contains { $0.source == "r" })
      let stop = secondsTaken { gst_element_set_state(test.pipeline, GST_STATE_NULL) }
      #expect(stop < 3 * CallTimes.limit, "\(stop) s")
      #expect(test.takeErrors().isEmpty)
    }

    @Test("frames of ours that upstream keeps are named, too")
    func starvedUpstream() throws {
      let test = try TestPipeline(
        "videotestsrc name=source ! \(caps) ! rasterfilter name=r exposure=0.3 ! fakesink sync=false"
      )
      let keeper = try FrameKeeper(try test.element("source"), "src")
      defer { withExtendedLifetime(keeper) {} }
      let kept = keeper.kept
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      let warning = try #require(nextWarning(test))
      #expect(kept.all.allSatisfy { $0.isOfOwnMemory })
      #expect(warning.details.contains("pool=(string)input"), "\(warning.details)")
      #expect(warning.details.contains("pool-size=(guint64)\(kept.count)"), "\(warning.details)")
      #expect(warning.text.contains("input pool"), "\(warning)")
      var stops = CallTimes()
      stops.measure { gst_element_set_state(test.pipeline, GST_STATE_NULL) }
      #expect(stops.longest < 3 * CallTimes.limit, "\(stops)")
    }

    @Test("a pause is no standstill, but what does not go on after it is")
    func paused() throws {
      let test = try TestPipeline(
        "videotestsrc ! \(caps) ! rasterfilter name=r exposure=0.3 max-buffers=4 "
          + "! queue max-size-buffers=200 ! fakesink name=s sync=false")
      let keeper = try FrameKeeper(try test.element("s"))
      defer { withExtendedLifetime(keeper) {} }
      let kept = keeper.kept
      let element = try test.element("r")
      #expect(test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
      try #require(waits { isStarved(element, 4) })
      pause(milliseconds: longEnough)
      #expect(test.takeWarnings().isEmpty)
      // The sink takes what is in the queue, and the probe keeps it.
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      #expect(waits { kept.count == 4 })
      #expect(nextWarning(test)?.details.contains("pool-size=(guint64)4") == true)
      let stop = secondsTaken { gst_element_set_state(test.pipeline, GST_STATE_NULL) }
      #expect(stop < 3 * CallTimes.limit, "\(stop) s")
    }
  }
}
