import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

extension CompositorElementTests.Reports {
  /// Flushes, ends, pads that come and go, and what is done with the memory of frames.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct Life {
    private static let layout = VideoLayout("RGBA", 16, 16)
    private static let small = "video/x-raw, width=32, height=24, framerate=25/1"

    private func frame(_ number: Int) -> Buffer {
      Picture(Self.layout, filledWith: 200).packed().at(number)
    }

    // Stock ends the process: it asserts that times can be converted.
    @Test("report 7: a source whose segment is in bytes gets an error", .enabled(if: !isStock))
    func byteSegment() throws {
      let test = try TestPipeline(
        "\(compositor) name=c ! fakesink videotestsrc num-buffers=50 ! \(Self.small) ! c. "
          + "fakesrc name=f num-buffers=50 format=bytes sizetype=fixed sizemax=3072 do-timestamp=true "
          + "! video/x-raw, format=RGBA, width=32, height=24, framerate=25/1 ! c.")
      let outcome = test.run(seconds: 20)
      if case .failed(let message) = outcome {
        #expect(!message.text.isEmpty)
      } else {
        Issue.record("\(outcome) instead of an error")
      }
      let seconds = secondsTaken { gst_element_set_state(test.pipeline, GST_STATE_NULL) }
      #expect(seconds < 1)
      _ = Diagnostics.take()
    }

    @Test("report 40: a frame is mapped at most once for each of its planes")
    func maps() throws {
      for format in ["RGBA", "I420"] {
        let layout = VideoLayout(format, 64, 48)
        let mixer = try Mixer(inputs: 2, outputCaps: layout.caps())
        mixer.feeds[1].set(["xpos": "32", "alpha": "0.5"])
        for feed in mixer.feeds { feed.start(layout.caps()) }
        var frames: [CountedFrame] = []
        for number in 0..<10 {
          for feed in mixer.feeds {
            let frame = try CountedFrame(Picture(layout, filledWith: 120))
            frames.append(frame)
            #expect(feed.push(frame.buffer.at(number)) == GST_FLOW_OK)
          }
          #expect(try #require(mixer.take()).canBeRead)
        }
        let maps = frames.map(\.maps)
        // A discrete device has what it sees first copied, plane by plane.
        let most = (isStock || mixer.element.isOnProcessor ? 1 : 3) * layout.planes.count
        #expect(maps.allSatisfy { 1...most ~= $0 }, "\(format): \(maps)")
      }
    }

    @Test("report 41: four frames in one picture are read where they are")
    func copies() throws {
      let layout = VideoLayout("RGBA", 64, 48)
      let mixer = try Mixer(inputs: 4, outputCaps: VideoLayout("RGBA", 128, 96).caps())
      let colors: [[UInt8]] = [
        [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [9, 9, 9, 255],
      ]
      for (index, feed) in mixer.feeds.enumerated() {
        feed.set(["xpos": "\(index % 2 * 64)", "ypos": "\(index / 2 * 48)"])
        feed.start(layout.caps())
      }
      for number in 0..<5 {
        for (feed, color) in zip(mixer.feeds, colors) {
          #expect(feed.push(Picture(layout, color: color).packed().at(number)) == GST_FLOW_OK)
        }
        let picture = try mixer.takePicture(VideoLayout("RGBA", 128, 96))
        #expect([picture[20, 20], picture[80, 20], picture[20, 60], picture[80, 60]] == colors)
      }
      // Stock has no such counter.
      if !isStock, mixer.element.isOnProcessor { #expect(mixer.element.statistic("copies") == 0) }
    }

    @Test("report 42: both pads are flushed at once while frames come, again and again")
    func flushes() throws {
      let mixer = try Mixer(inputs: 2)
      let checker = try StreamChecker(mixer.element)
      let feeds = mixer.feeds.map { Shared($0) }
      for feed in mixer.feeds { feed.start(Self.layout.caps()) }
      let frames = (0..<3).map { frame($0) }
      for _ in 0..<250 {
        let number = gst_util_seqnum_next()
        let threads = feeds.map { feed in
          TestThread {
            func send(_ event: UnsafeMutablePointer<GstEvent>?) {
              gst_event_set_seqnum(event, number)
              feed.value.send(event)
            }
            for frame in frames { feed.value.push(frame) }
            send(gst_event_new_flush_start())
            send(gst_event_new_flush_stop(1))
            var segment = GstSegment.ofTime
            send(gst_event_new_segment(&segment))
          }
        }
        for thread in threads { thread.join() }
      }
      #expect(checker.flushCount == 250)
      while mixer.frameCount > 0 { _ = mixer.take() }
      for feed in mixer.feeds { #expect(feed.push(frames[0]) == GST_FLOW_OK) }
      #expect(mixer.take() != nil)
      #expect(checker.faults == [])
    }

    @Test("report 43: a flushing seek after the end plays again")
    func seekAfterEnd() throws {
      let source = "videotestsrc ! \(Self.small) ! c. "
      let test = try TestPipeline("\(compositor) name=c ! fakesink name=s " + source + source)
      let checker = try StreamChecker(try test.element("c"))
      #expect(test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
      for round in 0..<5 {
        #expect(test.seek([GST_SEEK_FLAG_FLUSH], from: 1, to: 1.4))
        #expect(test.run(seconds: 20) == .endOfStream, "round \(round)")
        #expect(checker.frameCount == 10, "round \(round)")
      }
      #expect(checker.faults == [])
    }

    @Test("report 43: the end of a flush that never began does no harm")
    func flushStopAlone() throws {
      let mixer = try Mixer(inputs: 2)
      for feed in mixer.feeds { feed.start(Self.layout.caps()) }
      for number in 0..<10 {
        mixer.feeds[number % 2].send(gst_event_new_flush_stop(0))
        mixer.feeds[number % 2].send(GstSegment.ofTime)
        for feed in mixer.feeds { #expect(feed.push(frame(number)) == GST_FLOW_OK) }
        #expect(mixer.take() != nil, "frame \(number)")
      }
    }

    // GstAggregator's thread is gone after the end before 1.29.2, whatever its subclass does: then this is known.
    @Test(
      "report 44: a new pad after the end begins the output again",
      .enabled(if: GStreamer.isNewerThan(1, 29)))
    func newPadAfterEnd() throws {
      let mixer = try Mixer(inputs: 1)
      mixer.feeds[0].start(Self.layout.caps())
      mixer.feeds[0].push(frame(0))
      #expect(mixer.take() != nil)
      mixer.feeds[0].send(gst_event_new_eos())
      #expect(waits { mixer.hasEnded })
      let late = try mixer.addFeed()
      late.start(Self.layout.caps())
      #expect(late.push(frame(1)) == GST_FLOW_OK)
      #expect(mixer.take(seconds: 2) != nil)
    }

    // As above.
    @Test(
      "report 44: a new stream on an old pad after the end does, too",
      .enabled(if: GStreamer.isNewerThan(1, 29)))
    func newStreamAfterEnd() throws {
      let mixer = try Mixer(inputs: 2)
      for feed in mixer.feeds { feed.start(Self.layout.caps()) }
      for feed in mixer.feeds { feed.push(frame(0)) }
      #expect(mixer.take() != nil)
      for feed in mixer.feeds { feed.send(gst_event_new_eos()) }
      #expect(waits { mixer.hasEnded })
      mixer.feeds[0].start(Self.layout.caps())
      #expect(mixer.feeds[0].push(frame(1)) == GST_FLOW_OK)
      #expect(mixer.take(seconds: 2) != nil)
    }

    @Test("report 45: seeks while all of three frames are in a queue")
    func queuedFrames() throws {
      let source = "videotestsrc ! \(Self.small), format=RGBA ! c. "
      let test = try TestPipeline(
        "\(compositor) name=c ! queue name=q max-size-buffers=200 ! fakesink name=s sync=true "
          + source + source)
      let offer = try Offer(at: try test.element("q"), size: 32 * 24 * 4, least: 2, most: 3)
      defer { withExtendedLifetime(offer) {} }
      var random = RandomBytes(seed: 45)
      var seeks = CallTimes()
      let counter = Counter()
      let probe = try BufferProbe(try test.element("s"), "sink") { _ in
        counter.increment()
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      for number in 0..<50 {
        let state = number % 10 < 5 ? GST_STATE_PLAYING : GST_STATE_PAUSED
        #expect(gst_element_set_state(test.pipeline, state) != GST_STATE_CHANGE_FAILURE)
        pause(milliseconds: UInt32(random.next() % 8))
        let time = random.next(in: 0...50)
        seeks.measure { #expect(test.seek(to: time), "seek \(number)") }
      }
      #expect(seeks.longest < 1, "\(seeks)")
      let count = counter.count
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      #expect(waits { counter.count > count + 5 })
      #expect(test.takeErrors().isEmpty)
    }
  }
}
