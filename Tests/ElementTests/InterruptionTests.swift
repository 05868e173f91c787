import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Seeks, stops and changes of caps at any moment, again and again.
  @Suite struct Interruptions {
    private typealias Size = (format: String, width: Int, height: Int)

    private static let sizes: [Size] = [
      ("NV12", 64, 48), ("RGBA", 160, 120), ("I420", 320, 240), ("NV12", 34, 22), ("RGB", 98, 66),
    ]

    private func caps(_ number: Int) -> String {
      let (format, width, height) = Interruptions.sizes[number % Interruptions.sizes.count]
      return VideoLayout(format, width, height).caps()
    }

    @Test("with two frames, both kept, flushing seeks and NULL return at once")
    func keptFrames() throws {
      let device = try OpenDevice()
      defer { withExtendedLifetime(device) {} }
      let test = try TestPipeline(
        "videotestsrc ! \(caps(0)) ! rasterfilter name=r brightness=0.2 max-buffers=2 "
          + "! fakesink name=s sync=false")
      let keeper = try FrameKeeper(try test.element("s"))
      defer { withExtendedLifetime(keeper) {} }
      let kept = keeper.kept
      let element = try test.element("r")
      var random = RandomBytes(seed: 21)
      var (seeks, stops, waits) = (CallTimes(), CallTimes(), UInt64(0))
      for round in 0..<12 {
        #expect(gst_element_set_state(test.pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        try #require(RasterTestSupport.waits { element.statistic("pool-in-use") == 2 })
        for _ in 0..<3 {
          pause(milliseconds: UInt32(random.next() % 6))
          let time = random.next(in: 0...9)
          seeks.measure { #expect(test.seek(to: time), "round \(round)") }
        }
        #expect(kept.count == 2)
        waits += element.statistic("pool-waits") ?? 0
        pause(milliseconds: UInt32(random.next() % 6))
        stops.measure { gst_element_set_state(test.pipeline, GST_STATE_NULL) }
        #expect(kept.all.allSatisfy { $0.canBeRead })
        kept.removeAll()
      }
      // Most seeks did end a wait.
      #expect(waits >= 12, "\(waits) waits")
      for times in [seeks, stops] {
        #expect(times.median < CallTimes.limit && times.longest < 1, "\(times)")
      }
      #expect(test.takeErrors().isEmpty)
    }

    /// What a stream of tests leaves behind, measured while nothing plays.
    private struct Remains {
      private(set) var measured: [ProcessResources] = []

      /// Measures, once the pipeline's messages are let go of.
      mutating func measure(_ test: TestPipeline) {
        #expect(test.takeErrors().isEmpty)
        measured.append(.current)
      }

      /// Checks that nothing grows from the first measure on.
      ///
      /// Memory is looked at only where the process runs nothing else (`scripts/test leaks`). What leaks grows in
      /// every interval, and a frame that was kept would be more than the allowance.
      func check(_ what: String) {
        guard ProcessEnvironment.value("RASTER_TEST_ALONE") == "1", let first = measured.first,
          let last = measured.last
        else { return }
        #expect(last.descriptors <= first.descriptors, "\(what): \(measured)")
        let growth = zip(measured.dropFirst(), measured).map { $0.residentBytes - $1.residentBytes }
        #expect(growth.contains { $0 < 96 << 10 }, "\(what): \(measured)")
      }
    }

    @Test("a thousand random flushing seeks leave nothing behind, and end every request once")
    func seeks() throws {
      let test = try TestPipeline(
        "videotestsrc ! \(caps(1)) ! rasterfilter name=r brightness=0.2 ! queue "
          + "! fakesink sync=false")
      let element = try test.element("r")
      var random = RandomBytes(seed: 22)
      var remains = Remains()
      for block in 0..<5 {
        #expect(test.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        for number in 0..<200 {
          #expect(test.seek(to: random.next(in: 0...100)), "seek \(block), \(number)")
          pause(milliseconds: UInt32(random.next() % 6))
        }
        #expect(gst_element_set_state(test.pipeline, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
        let ends = ["rendered", "failed", "cancelled"].map { element.statistic($0) ?? 0 }
        #expect(ends.reduce(0, +) == element.statistic("frames"), "\(ends)")
        #expect(ends[0] > 0 && ends[1] == 0, "\(ends)")
        remains.measure(test)
      }
      remains.check("seeks")
      #expect(test.takeErrors().isEmpty)
    }

    @Test("two hundred starts and stops with changes of caps leave nothing behind")
    func startsWithOtherCaps() throws {
      let test = try TestPipeline(
        "videotestsrc ! capsfilter name=c ! rasterfilter name=r brightness=0.2 ! queue "
          + "! fakesink sync=false")
      let (element, filter) = (try test.element("r"), try test.element("c"))
      var random = RandomBytes(seed: 23)
      var remains = Remains()
      for number in 0..<200 {
        filter.set("caps", to: caps(number))
        gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
        if number % 2 == 0 {
          #expect(waits { (element.statistic("frames") ?? 0) > 1 }, "start \(number)")
          filter.set("caps", to: caps(number + 1 + number % 3))
        }
        pause(milliseconds: UInt32(random.next() % 6))
        #expect(gst_element_set_state(test.pipeline, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
        // All formats have come by then.
        if number % 40 == 39 { remains.measure(test) }
      }
      remains.check("starts")
      #expect(test.takeErrors().isEmpty)
    }
  }
}
