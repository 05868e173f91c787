import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

extension CompositorElementTests.Contract {
  /// When the output ends, where there is nothing to show, and what applications are told of single frames.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct ContractOfEnds {
    /// Sources of so many frames, and whether their last one is repeated.
    ///
    /// - Returns: the frames that come out, at most six.
    private func frameCount(_ sources: [(frames: Int, isRepeated: Bool)]) throws -> Int {
      let settings = sources.indices.filter { sources[$0].isRepeated }
        .map { "sink_\($0)::repeat-after-eos=true " }
      let chains = sources.enumerated().map {
        "videotestsrc num-buffers=\($1.frames) ! video/x-raw, width=32, height=24 ! c.sink_\($0) "
      }
      // The sink ends a stream that would go on for ever.
      let test = try TestPipeline(
        "\(compositor) name=c " + settings.joined() + "! identity eos-after=7 ! fakesink name=s "
          + chains.joined())
      let counter = Counter()
      let probe = try BufferProbe(try test.element("s"), "sink") { _ in
        counter.increment()
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.run(seconds: 20) == .endOfStream)
      return counter.count
    }

    @Test("the only pad's last frame is repeated for ever")
    func repeatOne() throws {
      #expect(try frameCount([(5, true)]) == 6)
    }

    @Test("the shorter of two is repeated as long as the longer one lasts")
    func repeatFirstOfTwo() throws {
      #expect(try frameCount([(2, true), (5, false)]) == 5)
    }

    @Test("it is repeated where it is the second, too")
    func repeatLastOfTwo() throws {
      #expect(try frameCount([(5, false), (2, true)]) == 5)
    }

    @Test("the shortest of three is repeated as long as the longest lasts")
    func repeatShortestOfThree() throws {
      #expect(try frameCount([(5, false), (2, true), (3, false)]) == 5)
    }

    @Test("the longest of three is not repeated where the others are not")
    func repeatLongestOfThree() throws {
      #expect(try frameCount([(3, false), (2, false), (5, true)]) == 5)
    }

    @Test("all of three are repeated for ever")
    func repeatAllOfThree() throws {
      #expect(try frameCount([(2, true), (5, true), (3, true)]) == 6)
    }

    @Test("none of three is repeated: the longest ends the output")
    func repeatNoneOfThree() throws {
      #expect(try frameCount([(2, false), (5, false), (3, false)]) == 5)
    }

    @Test("a gap shows the background, and the frame after it is shown")
    func gap() throws {
      let (mixer, layout) = (
        try Mixer(inputs: 1, ["background": "black"]), VideoLayout("RGBA", 4, 4)
      )
      let feed = mixer.feeds[0]
      feed.start(layout.caps())
      #expect(feed.sendGap(0, GstClockTime(second / 25)))
      #expect(feed.push(Picture(layout, color: [42, 42, 42, 255]).packed().at(1)) == GST_FLOW_OK)
      #expect(try mixer.takePicture(layout)[0, 0] == [0, 0, 0, 255])
      #expect(try mixer.takePicture(layout)[3, 3] == [42, 42, 42, 255])
    }

    /// What the callbacks of `signals` have seen.
    private final class Seen: Sendable {
      let selected = Mutex<[UInt]>([])
      let consumed = Counter()
    }

    private static func connect(_ mixer: Mixer, _ seen: Seen) {
      let data = Unmanaged.passUnretained(seen).toOpaque()
      raster_test_connect_selected(
        mixer.element,
        { element, _, _, _, _, _, data in
          guard let element, let data, let pad = gst_element_get_static_pad(element, "sink_0")
          else { return }
          defer { gst_object_unref(pad) }
          let seen = Unmanaged<Seen>.fromOpaque(data).takeUnretainedValue()
          let sample = gst_aggregator_peek_next_sample(
            cast(element, to: GstAggregator.self), cast(pad, to: GstAggregatorPad.self))
          guard let sample else { return }
          defer { raster_test_sample_unref(sample) }
          let address = UInt(bitPattern: gst_sample_get_buffer(sample))
          seen.selected.withLock { $0.append(address) }
        }, data)
      raster_test_connect_consumed(
        mixer.feeds[0].sink,
        { _, _, data in
          guard let data else { return }
          Unmanaged<Seen>.fromOpaque(data).takeUnretainedValue().consumed.increment()
        }, data)
    }

    @Test("the application is told which frame is shown, and of each that is used up")
    func signals() throws {
      let layout = VideoLayout("RGBA", 4, 4)
      let slow = "video/x-raw, format=RGBA, width=4, height=4, framerate=1/1"
      let mixer = try Mixer(inputs: 1, ["emit-signals": "true"], outputCaps: slow)
      let (feed, seen) = (mixer.feeds[0], Seen())
      feed.set(["emit-signals": "true"])
      Self.connect(mixer, seen)
      feed.start("video/x-raw, format=RGBA, width=4, height=4, framerate=2/1")
      let frames = (0..<3).map { Picture(layout).packed().at($0, rate: 2) }
      let addresses = frames.map { UInt(bitPattern: $0.pointer) }
      #expect(feed.push(frames[0]) == GST_FLOW_OK)
      #expect(mixer.take() != nil)
      #expect(seen.selected.withLock { $0 } == [addresses[0]])
      #expect(waits { seen.consumed.count == 1 })
      // The second one is over before the next output begins.
      #expect(feed.push(frames[1]) == GST_FLOW_OK)
      #expect(feed.push(frames[2]) == GST_FLOW_OK)
      #expect(mixer.take() != nil)
      #expect(seen.selected.withLock { $0 } == [addresses[0], addresses[2]])
      #expect(waits { seen.consumed.count == 3 })
    }
  }

  /// When the output of live sources starts.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct ContractOfStarts {
    /// The time of the first output of a live compositor.
    ///
    /// - Parameters:
    ///   - lost: frames at the start that never arrive.
    ///   - hasUnlinked: whether there is a pad that nobody feeds.
    private func start(_ selection: String, lost: Int, hasUnlinked: Bool = false) throws -> Int {
      let layout = VideoLayout("I420", 32, 24)
      let mixer = try Mixer(inputs: 1, ["start-time-selection": selection], isLive: true)
      let other = hasUnlinked ? gst_element_request_pad_simple(mixer.element, "sink_%u") : nil
      defer { if let other { gst_object_unref(other) } }
      let feed = mixer.feeds[0]
      feed.setLatency(GstClockTime(second / 25))
      feed.start(layout.caps())
      feed.drain()
      // Where nothing has come, it is the clock that starts the output.
      let isByClock = selection == "zero" && lost > 0
      if isByClock { try mixer.passTime() }
      let early = isByClock ? mixer.take() : nil
      #expect(feed.push(Picture(layout).packed().at(7 + lost)) == GST_FLOW_OK)
      if hasUnlinked, selection == "first" { try mixer.passTime() }
      return Int(try #require(isByClock ? early : mixer.take()).fields.pts)
    }

    @Test("at zero")
    func zero() throws { #expect(try start("zero", lost: 0) == 0) }

    @Test("at zero, though the first frames are lost")
    func zeroLate() throws { #expect(try start("zero", lost: 3) == 0) }

    @Test("at zero, though the first frames are lost and a pad is not linked")
    func zeroLateUnlinked() throws { #expect(try start("zero", lost: 3, hasUnlinked: true) == 0) }

    @Test("with the first frame")
    func first() throws { #expect(try start("first", lost: 0) == 7 * second / 25) }

    @Test("with the first frame that arrives")
    func firstLate() throws { #expect(try start("first", lost: 3) == 10 * second / 25) }

    @Test("with the first frame that arrives, though a pad is not linked")
    func firstLateUnlinked() throws {
      #expect(try start("first", lost: 3, hasUnlinked: true) == 10 * second / 25)
    }
  }
}
