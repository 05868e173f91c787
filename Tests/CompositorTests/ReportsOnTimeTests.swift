import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

extension CompositorElementTests.Reports {
  /// Live inputs, clocks, rates and lateness.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct Time {
    private static let layout = VideoLayout("RGBA", 16, 16)
    private static let duration = second / 25

    private func frame(_ number: Int, _ color: [UInt8] = [255, 255, 255, 255]) -> Buffer {
      Picture(Self.layout, color: color).packed().at(number)
    }

    @Test("report 33: a live input goes on after a pause, beside one that is not live")
    func pausedLiveInput() throws {
      let test = try TestPipeline(
        "\(compositor) name=c sink_1::xpos=32 ! video/x-raw, format=RGBA ! fakesink name=s sync=true "
          + "videotestsrc ! video/x-raw, width=32, height=32, framerate=30/1 ! c.sink_0 "
          + "videotestsrc is-live=true pattern=snow "
          + "! video/x-raw, width=32, height=32, framerate=30/1 ! c.sink_1")
      // Each frame of the live input differs from all others.
      let contents = Mutex<Set<[UInt8]>>([])
      let probe = try BufferProbe(try test.element("s"), "sink") { buffer in
        let row = Array(buffer.bytes[128..<256])
        contents.withLock { _ = $0.insert(row) }
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      for round in 0..<3 {
        gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
        contents.withLock { $0 = [] }
        // What was queued is shown at once.
        #expect(waits(5) { contents.withLock { $0.count } >= 6 }, "round \(round)")
        gst_element_set_state(test.pipeline, GST_STATE_PAUSED)
        pause(milliseconds: 150)
      }
    }

    @Test("report 34: a slow input and one that stands still hold nothing up")
    func slowInput() throws {
      let mixer = try Mixer(
        inputs: 2, ["latency": "\(Self.duration)"], outputCaps: Self.layout.caps(), isLive: true)
      let (fast, slow) = (mixer.feeds[0], mixer.feeds[1])
      for feed in mixer.feeds { feed.start(Self.layout.caps()) }
      slow.set(["xpos": "8"])
      var times: [Int] = []
      var colors: [[UInt8]?] = []
      for number in 0..<50 {
        #expect(fast.push(frame(number, [UInt8(number), 0, 0, 255])) == GST_FLOW_OK)
        // One frame of the slow input each second, for the first of two seconds.
        if number == 0 { #expect(slow.push(frame(0)) == GST_FLOW_OK) }
        if mixer.frameCount == 0, number > 0 { try mixer.passTime() }
        let buffer = try #require(mixer.take(), "frame \(number)")
        times.append(Int(buffer.fields.pts))
        colors.append(buffer.picture(Self.layout).map { [$0[2, 8][0], $0[12, 8][0]] })
      }
      #expect(times == (0..<50).map { $0 * Self.duration })
      // The fast one is never late, the other stays where it was.
      #expect(colors == (0..<50).map { [UInt8($0), 255] })
    }

    @Test("report 35: an element that is forced to be live gives frames without any input")
    func forcedLive() throws {
      let mixer = try Mixer(
        inputs: 0, ["background": "black"], outputCaps: Self.layout.caps(), isForcedLive: true)
      for number in 0..<5 {
        try mixer.passTime()
        let buffer = try #require(mixer.take())
        #expect(Int(buffer.fields.pts) == number * Self.duration)
        #expect(buffer.picture(Self.layout)?[8, 8] == [0, 0, 0, 255])
      }
    }

    @Test("report 36: what does not change the latency posts no message about it")
    func latencyMessages() throws {
      let mixer = try Mixer(inputs: 1, isLive: true)
      let feed = mixer.feeds[0]
      feed.start(Self.layout.caps())
      for number in 0..<40 {
        let layout = VideoLayout("RGBA", 16 + number % 4 * 2, 16)
        feed.setCaps(layout.caps())
        #expect(feed.push(Picture(layout).packed().at(number)) == GST_FLOW_OK)
        #expect(try mixer.takeInTime() != nil, "frame \(number)")
      }
      let count = mixer.takeMessageCount(GST_MESSAGE_LATENCY)
      #expect((1...2).contains(count), "\(count) messages")
    }

    @Test("report 37: a sink that is half as fast as needed gets every other frame")
    func throttle() throws {
      let mixer = try Mixer(inputs: 1, outputCaps: Self.layout.caps())
      let feed = mixer.feeds[0]
      feed.start(Self.layout.caps())
      var (clock, shown) = (0, 0)
      for number in 0..<200 {
        let (sent, dropped) = (frame(number), mixer.takeMessageCount(GST_MESSAGE_QOS))
        #expect(dropped == 0)
        #expect(feed.push(sent) == GST_FLOW_OK)
        var isDropped = false
        #expect(
          waits {
            isDropped = isDropped || mixer.takeMessageCount(GST_MESSAGE_QOS) > 0
            return isDropped || mixer.frameCount > 0
          })
        guard !isDropped, let buffer = mixer.take() else { continue }
        // It shows a frame when it is due or when it is done with the one before.
        let due = Int(buffer.fields.pts)
        let lateness = max(0, clock - due)
        clock = max(clock, due) + 2 * Self.duration
        shown += 1
        mixer.sendUpstream(
          gst_event_new_qos(
            GST_QOS_TYPE_UNDERFLOW, 2, GstClockTimeDiff(lateness), buffer.fields.pts))
      }
      #expect((90...110).contains(shown), "\(shown) of 200 frames were shown")
    }

    @Test("report 38: how long a frame is repeated does not depend on where its segment begins")
    func lastBufferRepeat() throws {
      for start in [0, 10] {
        let mixer = try Mixer(
          inputs: 1, ["background": "black"], outputCaps: Self.layout.caps(), isLive: true)
        let feed = mixer.feeds[0]
        feed.set(["max-last-buffer-repeat": "\(5 * Self.duration)"])
        var segment = GstSegment.ofTime
        segment.start = GstClockTime(start * second)
        feed.start(Self.layout.caps(), segment: segment)
        #expect(feed.push(frame(start * 25)) == GST_FLOW_OK)
        var isShown: [Bool] = []
        for number in 0..<12 {
          if number > 0 { try mixer.passTime() }
          isShown.append(try mixer.takePicture(Self.layout)[8, 8] == [255, 255, 255, 255])
        }
        // Its own frame and five more; the one at the very limit may go either way.
        #expect(isShown.prefix(6).allSatisfy { $0 }, "\(isShown)")
        #expect(!isShown.suffix(5).contains(true), "\(isShown)")
      }
    }

    @Test("report 39: the times of the output are those of its rate, however long it runs")
    func drift() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=600 ! video/x-raw, width=16, height=16, framerate=30000/1001 "
          + "! \(compositor) ! fakesink name=s sync=false")
      let watch = try FrameWatch(try test.element("s"))
      #expect(test.run(seconds: 40) == .endOfStream)
      let wanted = (0...600).map { $0 * 1_001_000_000_000 / 30_000 }
      #expect(watch.seen.map(\.start) == wanted.dropLast())
      #expect(watch.seen.map(\.end) == Array(wanted.dropFirst()))
    }
  }
}
