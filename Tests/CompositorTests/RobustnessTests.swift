import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

extension CompositorElementTests {
  /// What must not stop a compositor, or only for a moment.
  @Suite(.keptDevice, .guarded, .timeLimit(.minutes(1))) struct Robustness {
    private static let small = "video/x-raw, width=32, height=24, framerate=25/1"
    private static let layout = VideoLayout("RGBA", 16, 16)

    @Test("five hundred flushing seeks at random times")
    func seeks() throws {
      let source = "videotestsrc ! \(Self.small) ! c. "
      let test = try TestPipeline(
        "\(compositor) name=c ! queue ! fakesink name=s " + source + source)
      let checker = try StreamChecker(try test.element("c"))
      var (random, seeks) = (RandomBytes(seed: 500), CallTimes())
      let total = secondsTaken {
        for number in 0..<500 {
          if number % 50 == 0 {
            let state = number % 100 == 0 ? GST_STATE_PLAYING : GST_STATE_PAUSED
            #expect(gst_element_set_state(test.pipeline, state) != GST_STATE_CHANGE_FAILURE)
          }
          let time = random.next(in: 0...100)
          seeks.measure { #expect(test.seek(to: time), "seek \(number)") }
          pause(milliseconds: UInt32(random.next() % 6))
        }
      }
      #expect(total < 30 && seeks.longest < 2, "\(total) s, \(seeks)")
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      let count = checker.frameCount
      #expect(waits { checker.frameCount > count + 5 })
      #expect(checker.faults == [])
      #expect(test.takeErrors().isEmpty)
    }

    /// Counts pads that are gone for good.
    private func watchEnd(_ pad: UnsafeMutablePointer<GstPad>, _ ended: Counter) {
      g_object_weak_ref(
        cast(pad),
        { data, _ in
          if let data { Unmanaged<Counter>.fromOpaque(data).takeRetainedValue().increment() }
        }, Unmanaged.passRetained(ended).toOpaque())
    }

    @Test("report 47: ten thousand pads come and go, half of them linked, while frames pass")
    func pads() throws {
      let test = try TestPipeline(
        "videotestsrc ! \(Self.small) ! \(compositor) name=c ! fakesink name=s sync=false")
      let element = try test.element("c")
      let watch = try FrameWatch(try test.element("s"))
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      #expect(waits { watch.seen.count > 2 })
      let (ended, references) = (Counter(), element.referenceCount)
      let total = try secondsTaken {
        for number in 0..<5_000 {
          let pad = try #require(gst_element_request_pad_simple(element, "sink_%u"))
          watchEnd(pad, ended)
          gst_element_release_request_pad(element, pad)
          gst_object_unref(pad)
          let feed = try #require(Feed(to: element, "sink_%u", isLive: false))
          watchEnd(feed.sink, ended)
          feed.start(Self.layout.caps())
          if number % 10 == 0 { feed.push(Picture(Self.layout).packed().at(number)) }
        }
      }
      #expect(total < 40, "\(total) s")
      #expect(waits { ended.count == 10_000 }, "\(ended.count)")
      #expect(element.pointee.numsinkpads == 1)
      #expect(waits { element.referenceCount <= references + 1 }, "\(element.referenceCount)")
      let count = watch.seen.count
      #expect(waits { watch.seen.count > count + 5 })
      #expect(test.takeErrors().isEmpty)
    }

    @Test("a live source that falls silent does not hold the others up")
    func silentLiveSource() throws {
      let caps = Self.small
      let test = try TestPipeline(
        "\(compositor) name=c latency=40000000 sink_1::xpos=32 ! fakesink name=s sync=true "
          + "videotestsrc is-live=true ! \(caps) ! c.sink_0 "
          + "videotestsrc name=v is-live=true ! \(caps) ! c.sink_1")
      let (watch, arrived) = (try FrameWatch(try test.element("s")), Counter())
      let probe = try BufferProbe(try test.element("v"), "src") { _ in
        arrived.increment()
        return arrived.count > 5 ? .drop : .pass
      }
      defer { withExtendedLifetime(probe) {} }
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      #expect(waits { arrived.count > 8 })
      watch.forget()
      pause(milliseconds: 1_000)
      // Of 25, on a machine that may be busy.
      let seen = watch.seen
      #expect(seen.count >= 15, "\(seen.count) frames in a second")
      #expect(zip(seen.dropFirst(), seen).allSatisfy { $0.start > $1.start })
    }

    @Test("each frame of the output shows frames of its own time, whatever rates they come at")
    func mixedRates() throws {
      let rates = [25, 30, 10, 60]
      let cell = VideoLayout("RGBA", 8, 8)
      let output = "video/x-raw, format=RGBA, width=32, height=8, framerate=30/1"
      let mixer = try Mixer(inputs: rates.count, outputCaps: output)
      for (index, feed) in mixer.feeds.enumerated() { feed.set(["xpos": "\(8 * index)"]) }
      let threads = zip(mixer.feeds, rates).map { feed, rate in
        let feed = Shared(feed)
        return TestThread {
          feed.value.start(
            "video/x-raw, format=RGBA, width=8, height=8, framerate=\(rate)/1")
          for number in 0..<2 * rate {
            let picture = Picture(cell, color: [UInt8(number), 0, 0, 255])
            feed.value.push(picture.packed().at(number, rate: rate))
          }
          feed.value.send(gst_event_new_eos())
        }
      }
      defer { for thread in threads { thread.join() } }
      for number in 0..<60 {
        let picture = try mixer.takePicture(VideoLayout("RGBA", 32, 8))
        for (index, rate) in rates.enumerated() {
          let shown = Int(picture[8 * index + 4, 4][0])
          let isInTime = shown * 30 <= (number + 1) * rate && (shown + 1) * 30 >= number * rate
          #expect(isInTime, "frame \(number) shows \(shown) of \(rate) per second")
        }
      }
      #expect(waits { mixer.hasEnded } && mixer.frameCount == 0)
    }

    @Test("new caps on one of four pads change nothing but its own part")
    func changedPad() throws {
      let output = VideoLayout("RGBA", 32, 32)
      let mixer = try Mixer(inputs: 4, outputCaps: output.caps())
      for (index, feed) in mixer.feeds.enumerated() {
        feed.set([
          "xpos": "\(index % 2 * 16)", "ypos": "\(index / 2 * 16)", "width": "16", "height": "16",
        ])
        feed.start(Self.layout.caps())
      }
      let layouts = [Self.layout, VideoLayout("RGB", 24, 8), VideoLayout("I420", 8, 8)]
      func gray(_ index: Int, _ number: Int) -> UInt8 { UInt8(40 * index + number) }
      let pictures = (0..<4).map { index in
        (0..<30).map { number in
          let gray = gray(index, number)
          return index == 2
            ? Picture(layouts[number / 3 % 3], planeValues: [255, 128, 128])
            : Picture(Self.layout, color: [gray, gray, gray, 255])
        }
      }
      let threads = zip(mixer.feeds, pictures).map { feed, pictures in
        let feed = Shared(feed)
        return TestThread {
          for (number, picture) in pictures.enumerated() {
            if number % 3 == 0 { feed.value.setCaps(picture.layout.caps()) }
            feed.value.push(picture.packed().at(number))
          }
          feed.value.send(gst_event_new_eos())
        }
      }
      defer { for thread in threads { thread.join() } }
      for number in 0..<30 {
        let picture = try mixer.takePicture(output)
        for index in [0, 1, 3] {
          let gray = gray(index, number)
          expectClose(picture[index % 2 * 16 + 8, index / 2 * 16 + 8], [gray, gray, gray, 255])
        }
        expectClose(picture[8, 24], [255, 255, 255, 255], within: 2)
      }
    }

    // Stock ends the process.
    @Test("a segment in bytes is refused or an error, and holds nothing up", .enabled(if: !isStock))
    func byteSegment() throws {
      let mixer = try Mixer(inputs: 2)
      for feed in mixer.feeds { feed.start(Self.layout.caps()) }
      var segment = GstSegment()
      gst_segment_init(&segment, GST_FORMAT_BYTES)
      let (frame, done, refusals) = (Picture(Self.layout).packed().at(0), Counter(), Counter())
      let feeds = mixer.feeds.map { Shared($0) }
      let bytes = Shared(segment)
      let thread = TestThread {
        if !feeds[1].value.send(bytes.value) { refusals.increment() }
        for feed in feeds where feed.value.push(frame) != GST_FLOW_OK { refusals.increment() }
        done.increment()
      }
      #expect(waits(5) { done.count == 1 }, "a push hangs")
      #expect(
        waits(2) { refusals.count + mixer.takeMessageCount(GST_MESSAGE_ERROR) > 0 },
        "nobody has said no")
      let seconds = secondsTaken { gst_element_set_state(mixer.element, GST_STATE_NULL) }
      #expect(seconds < 1)
      thread.join()
      _ = Diagnostics.take()
    }
  }
}
