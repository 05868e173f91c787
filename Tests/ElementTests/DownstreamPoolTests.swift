import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Pools that downstream offers, and what elements tell each other of their memory.
  @Suite struct DownstreamPools {
    private static let layout = VideoLayout("NV12", 64, 48)

    /// A pipeline whose sink offers a pool and whose frames are kept.
    private final class Offering {
      let test: TestPipeline
      let keeper: FrameKeeper
      private let offer: Offer

      init(_ settings: String, frames: Int, hasOwnMemory: Bool, least: UInt32, most: UInt32) throws
      {
        test = try TestPipeline(
          "videotestsrc num-buffers=\(frames) pattern=ball ! \(layout.caps()) "
            + "! rasterfilter name=r brightness=0.2 \(settings) ! fakesink name=s sync=false")
        let sink = try test.element("s")
        keeper = try FrameKeeper(sink)
        offer = try Offer(
          at: sink, size: layout.info.size, hasOwnMemory: hasOwnMemory, least: least, most: most)
      }

      var frames: [Buffer] { keeper.kept.all }
    }

    private func isOfTestMemory(_ buffer: Buffer) -> Bool {
      buffer.memories.allSatisfy { gst_memory_is_type($0, RASTER_TEST_MEMORY) != 0 }
    }

    private func pictures(_ frames: [Buffer]) -> [Picture?] {
      frames.map { Picture(reading: $0, as: Self.layout) }
    }

    @Test("frames are written into memory of downstream's own kind, and are done when they leave")
    func ownKind() throws {
      let ours = try Offering("", frames: 12, hasOwnMemory: false, least: 0, most: 0)
      #expect(ours.test.run() == .endOfStream)
      #expect(ours.frames.count == 12 && ours.frames.allSatisfy { $0.isOfOwnMemory })
      let theirs = try Offering("", frames: 12, hasOwnMemory: true, least: 3, most: 0)
      #expect(theirs.test.run() == .endOfStream)
      #expect(theirs.frames.count == 12 && theirs.frames.allSatisfy { isOfTestMemory($0) })
      #expect(pictures(theirs.frames) == pictures(ours.frames))
      let element = try theirs.test.element("r")
      #expect(element.statistic("pool-bound") == 32)
      #expect(element.statistic("copies") == 0)
      #expect(element.statistic("rendered") == 12)
    }

    @Test("a pool that has to hold more than the user wants is not used")
    func tooLarge() throws {
      let offering = try Offering(
        "max-buffers=3", frames: 3, hasOwnMemory: true, least: 4, most: 0)
      #expect(offering.test.run() == .endOfStream)
      #expect(offering.frames.count == 3 && offering.frames.allSatisfy { $0.isOfOwnMemory })
    }

    @Test("a thread that waits at downstream's pool is woken", arguments: [5, 0])
    func interruption(_ most: Int) throws {
      let offering = try Offering(
        "max-buffers=5", frames: -1, hasOwnMemory: true, least: 2, most: UInt32(most))
      let element = try offering.test.element("r")
      gst_element_set_state(offering.test.pipeline, GST_STATE_PLAYING)
      #expect(waits { offering.frames.count == 5 })
      pause(milliseconds: 50)
      #expect(offering.frames.count == 5)
      for _ in 0..<3 {
        var isDone = false
        let seconds = secondsTaken { isDone = offering.test.seek(to: 3) }
        #expect(isDone && seconds < 1, "\(seconds) s")
      }
      #expect(secondsTaken { gst_element_set_state(offering.test.pipeline, GST_STATE_NULL) } < 1)
      #expect(element.statistic("pool-bound") == 0)
      #expect(offering.frames.allSatisfy { isOfTestMemory($0) })
    }

    @Test(
      "elements of one device recognise each other through queues and tees, and others are not taken for one",
      arguments: [
        ("queue name=q ! rasterfilter brightness=0.1 ! fakesink sync=false", true),
        (
          "tee name=q  q. ! queue ! rasterfilter brightness=0.1 ! fakesink sync=false "
            + " q. ! queue ! rasterfilter contrast=1.1 ! fakesink sync=false", true
        ),
        (
          "tee name=q  q. ! queue ! rasterfilter brightness=0.1 ! fakesink sync=false "
            + " q. ! queue ! videobalance contrast=1.1 ! fakesink sync=false", false
        ),
        ("queue name=q ! rasterfilter ! fakesink sync=false", false),
      ])
    func recognition(_ chain: String, _ isExpected: Bool) throws {
      let caps = Self.layout.caps()
      let test = try TestPipeline("videotestsrc ! \(caps) ! \(chain)")
      // The query waits behind the frames, so these have to flow.
      #expect(test.setState(GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
      let pad = try #require(gst_element_get_static_pad(try test.element("q"), "sink"))
      let own = gst_caps_from_string(caps)
      let query = try #require(gst_query_new_allocation(own, 1))
      defer {
        gst_object_unref(pad)
        gst_caps_unref(own)
        raster_test_query_unref(query)
      }
      _ = gst_pad_query(pad, query)
      let names = (0..<gst_query_get_n_allocation_metas(query)).compactMap { index in
        g_type_name(gst_query_parse_nth_allocation_meta(query, index, nil))
          .map { String(cString: $0) }
      }
      #expect(names.contains { $0.hasPrefix("RasterDeviceMemory") } == isExpected, "\(names)")
    }
  }
}
