import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// The bounded pool of output frames, and a downstream that keeps them all.
  @Suite struct Pool {
    /// How an application ends a wait.
    enum Interruption: CaseIterable {
      case flushingSeek
      case null
      case ready
      case seekWhilePaused
      case seekTwice
    }

    /// A pipeline whose last element keeps every frame.
    private final class Hoarder {
      let test: TestPipeline
      var kept: BufferList { keeper.kept }
      private let keeper: FrameKeeper
      private let offer: PoolOffer?

      init(_ filter: String, heldBuffers: UInt32? = nil) throws {
        test = try TestPipeline(
          "videotestsrc ! video/x-raw,format=NV12,width=64,height=48 ! \(filter) "
            + "! fakesink name=s sync=false")
        let sink = try test.element("s")
        keeper = try FrameKeeper(sink)
        offer = try heldBuffers.map { try PoolOffer($0, at: sink) }
      }

      /// Plays until no more frames arrive.
      func exhaust() {
        #expect(test.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        waitForStandstill()
      }

      func waitForStandstill() {
        var last = -1
        while kept.count != last {
          last = kept.count
          pause(milliseconds: 250)
        }
      }

      var distinctMemories: Int {
        Set(kept.all.flatMap(\.memories)).count
      }
    }

    @Test("a thread that waits for a frame is woken", arguments: Interruption.allCases)
    func wakeUp(_ interruption: Interruption) throws {
      let hoarder = try Hoarder("rasterfilter brightness=0.2")
      hoarder.exhaust()
      #expect(hoarder.kept.count == 32)
      if interruption == .seekWhilePaused {
        #expect(
          gst_element_set_state(hoarder.test.pipeline, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE
        )
      }
      let seconds = secondsTaken {
        switch interruption {
        case .flushingSeek, .seekWhilePaused: #expect(hoarder.test.seek(to: 5))
        case .seekTwice:
          #expect(hoarder.test.seek(to: 5))
          #expect(hoarder.test.seek(to: 6))
        case .ready: gst_element_set_state(hoarder.test.pipeline, GST_STATE_READY)
        case .null: gst_element_set_state(hoarder.test.pipeline, GST_STATE_NULL)
        }
      }
      #expect(seconds < 0.5, "took \(seconds) s")
      // What was kept is whole, and the stream goes on with what is given back.
      #expect(hoarder.kept.all.allSatisfy { $0.bytes.count >= 64 * 48 * 3 / 2 })
      hoarder.kept.removeAll()
      if interruption == .ready || interruption == .null {
        #expect(hoarder.test.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
      }
      if interruption == .seekWhilePaused {
        gst_element_set_state(hoarder.test.pipeline, GST_STATE_PLAYING)
      }
      #expect(waits { hoarder.kept.count >= 10 })
      let secondsToNull = secondsTaken {
        gst_element_set_state(hoarder.test.pipeline, GST_STATE_NULL)
      }
      #expect(secondsToNull < 0.5, "took \(secondsToNull) s")
      #expect(hoarder.test.takeErrors().isEmpty)
    }

    @Test("frames outlive their element")
    func framesOutliveElement() throws {
      let kept: [Buffer]
      do {
        let hoarder = try Hoarder("rasterfilter brightness=0.2")
        hoarder.exhaust()
        gst_element_set_state(hoarder.test.pipeline, GST_STATE_NULL)
        kept = hoarder.kept.all
        hoarder.kept.removeAll()
      }
      #expect(kept.count == 32)
      #expect(Set(kept.map(\.bytes.count)).count == 1)
    }

    @Test(
      "as many frames exist as downstream announces and a few more, at least 32",
      arguments: [
        (nil, 32), (2, 32), (24, 32), (28, 36), (40, 48), (60, 68),
      ])
    func bound(_ heldBuffers: UInt32?, _ expected: Int) throws {
      let hoarder = try Hoarder("rasterfilter brightness=0.2", heldBuffers: heldBuffers)
      hoarder.exhaust()
      #expect(hoarder.kept.count == expected)
      #expect(hoarder.distinctMemories == expected)
      gst_element_set_state(hoarder.test.pipeline, GST_STATE_NULL)
    }

    @Test("a long stream uses few frames again and again")
    func recycling() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=300 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter brightness=0.2 ! queue max-size-buffers=3 ! fakesink name=s sync=false")
      let seen = AddressSet()
      let probe = try BufferProbe(try test.element("s"), "sink") { buffer in
        for memory in buffer.memories { seen.insert(UInt(bitPattern: memory)) }
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.run() == .endOfStream)
      #expect((1...8).contains(seen.count), "\(seen.count) memories")
    }

    @Test("a frame given back wakes a waiting thread")
    func backPressure() throws {
      let hoarder = try Hoarder("rasterfilter brightness=0.2")
      hoarder.exhaust()
      for _ in 0..<5 {
        let before = hoarder.kept.count
        hoarder.kept.removeFirst(3)
        #expect(waits(5) { hoarder.kept.count == before })
        pause(milliseconds: 50)
        #expect(hoarder.kept.count == before)
      }
      gst_element_set_state(hoarder.test.pipeline, GST_STATE_NULL)
    }

    @Test("two elements in a row, both out of frames, are woken")
    func twoInARow() throws {
      let hoarder = try Hoarder(
        "rasterfilter brightness=0.2 ! queue ! rasterfilter contrast=1.5")
      hoarder.exhaust()
      #expect(hoarder.test.seek(to: 1))
      hoarder.waitForStandstill()
      let seconds = secondsTaken {
        gst_element_set_state(hoarder.test.pipeline, GST_STATE_NULL)
      }
      #expect(seconds < 0.5, "took \(seconds) s")
    }

    @Test("frames that are kept do not stop a change of caps")
    func capsChange() throws {
      let harness = try #require(Harness("rasterfilter", ["brightness": "0.2"]))
      var kept: [Buffer] = []
      for round in 0..<6 {
        let layout = VideoLayout(round % 2 == 0 ? "NV12" : "RGBA", 32 + round, 16)
        harness.start(layout.caps())
        for _ in 0..<32 { kept.append(try #require(harness.process(Picture(layout).packed()))) }
      }
      #expect(Set(kept.flatMap(\.memories)).count == 6 * 32)
    }

    @Test("two hundred fast starts and stops, with frames under way")
    func startsAndStops() throws {
      let device = try OpenDevice()
      defer { withExtendedLifetime(device) {} }
      let test = try TestPipeline(
        "videotestsrc ! video/x-raw,format=NV12,width=64,height=48 ! rasterfilter brightness=0.2 "
          + "! queue max-size-buffers=2 ! fakesink sync=false")
      var random = RandomBytes(seed: 9)
      for _ in 0..<200 {
        gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
        pause(milliseconds: UInt32(random.next() % 6))
        gst_element_set_state(test.pipeline, random.next() < 128 ? GST_STATE_READY : GST_STATE_NULL)
      }
      #expect(test.takeErrors().isEmpty)
    }
  }
}

/// Answers the ALLOCATION query at a pad as an element does that keeps many frames.
private final class PoolOffer {
  private let pad: UnsafeMutablePointer<GstPad>
  private let id: gulong

  init(_ heldBuffers: UInt32, at element: UnsafeMutablePointer<GstElement>) throws {
    pad = try #require(gst_element_get_static_pad(element, "sink"))
    id = gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      { _, info, count in
        let query = info?.pointee.data?.assumingMemoryBound(to: GstQuery.self)
        guard let query, query.pointee.type == GST_QUERY_ALLOCATION else { return GST_PAD_PROBE_OK }
        gst_query_add_allocation_pool(
          query, nil, 64 * 48 * 3 / 2, UInt32(UInt(bitPattern: count)), 0)
        gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
        return GST_PAD_PROBE_HANDLED
      }, UnsafeMutableRawPointer(bitPattern: UInt(heldBuffers)), nil)
  }

  deinit {
    gst_pad_remove_probe(pad, id)
    gst_object_unref(pad)
  }
}
