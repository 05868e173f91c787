import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Flow returns, quality of service, seeks and the end of streams.
  @Suite struct Flow {
    private let layout = VideoLayout("NV12", 64, 48)

    private func frame(_ number: UInt64) -> Buffer {
      let buffer = Picture(layout).packed()
      buffer.pointer.pointee.pts = GstClockTime(number) * 40_000_000
      buffer.pointer.pointee.duration = 40_000_000
      return buffer
    }

    @Test(
      "what downstream answers reaches upstream",
      arguments: [
        GST_FLOW_EOS, GST_FLOW_FLUSHING, GST_FLOW_NOT_LINKED, GST_FLOW_ERROR, GST_FLOW_CUSTOM_ERROR,
      ])
    func downstreamFlow(_ flow: GstFlowReturn) throws {
      for brightness in ["0", "0.2"] {
        let harness = try #require(Harness("rasterfilter", ["brightness": brightness]))
        harness.start(layout.caps())
        #expect(harness.push(frame(0)) == GST_FLOW_OK)
        let answer = FlowAnswer(flow, at: harness.harness.pointee.sinkpad)
        #expect(harness.push(frame(1)) == flow)
        answer.remove()
        #expect(harness.push(frame(2)) == GST_FLOW_OK)
        #expect(harness.takeErrors().isEmpty)
      }
    }

    @Test("frames that are too late are dropped, and the application is told")
    func qualityOfService() throws {
      let harness = try #require(Harness("rasterfilter", ["brightness": "0.2"]))
      harness.start(layout.caps())
      #expect(harness.process(frame(0)) != nil)
      // The frame of 1 s came 0.5 s too late.
      let event = gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1.5, 500_000_000, 1_000_000_000)
      gst_harness_push_upstream_event(harness.harness, event)
      #expect(gst_harness_upstream_events_received(harness.harness) >= 1)
      // Each frame that comes out is taken at once, or the pool would run empty.
      func arrivals(_ numbers: Range<UInt64>) -> Int {
        numbers.filter { number in
          #expect(harness.push(frame(number)) == GST_FLOW_OK)
          return harness.pull() != nil
        }.count
      }
      let received = arrivals(26..<51)
      #expect((1...15).contains(received), "\(received) of 25 frames arrived")
      #expect(harness.count("frames") == UInt64(received + 1))
      // What follows is in time again.
      #expect(arrivals(60..<70) == 10)
      #expect(harness.takeQualityMessages() >= 10)
    }

    @Test("a hundred random flushing seeks")
    func seeks() throws {
      let test = try TestPipeline(
        "videotestsrc ! video/x-raw,format=NV12,width=160,height=120 "
          + "! rasterfilter brightness=0.2 ! fakesink name=s")
      #expect(test.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
      var random = RandomBytes(seed: 3)
      for number in 0..<100 {
        if number % 10 == 5 { #expect(test.setState(GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE) }
        if number % 10 == 7 {
          #expect(test.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        }
        #expect(test.seek(to: random.next(in: 0...100)), "seek \(number)")
        if random.next() < 128 { pause(milliseconds: UInt32(random.next() % 8)) }
      }
      #expect(test.takeErrors().isEmpty)
    }

    @Test(
      "an end of stream in the middle of frames arrives behind them", arguments: [1, 2, 33, 100])
    func endOfStream(_ count: Int) throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=\(count) ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter brightness=0.2 ! queue ! fakesink name=s sync=false")
      let counter = Counter()
      let probe = try BufferProbe(try test.element("s"), "sink") { _ in
        counter.increment()
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.run() == .endOfStream)
      #expect(counter.count == count)
    }

    @Test("a flush between frames drops nothing that comes after it")
    func flush() throws {
      let harness = try #require(Harness("rasterfilter", ["brightness": "0.2"]))
      harness.start(layout.caps())
      for round in 0..<10 {
        #expect(harness.process(frame(UInt64(round))) != nil)
        gst_harness_push_event(harness.harness, gst_event_new_flush_start())
        #expect(harness.push(frame(0)) == GST_FLOW_FLUSHING)
        gst_harness_push_event(harness.harness, gst_event_new_flush_stop(1))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        gst_harness_push_event(harness.harness, gst_event_new_segment(&segment))
      }
      #expect(harness.process(frame(0)) != nil)
    }

    @Test("seeks, state changes and settings that toggle the pool get along")
    func seeksWhileToggling() throws {
      let test = try TestPipeline(
        "videotestsrc ! video/x-raw,format=NV12,width=160,height=120 "
          + "! rasterfilter name=r ! queue max-size-buffers=2 ! fakesink name=s")
      let element = Shared(try test.element("r"))
      let isDone = Counter()
      let writer = TestThread {
        while isDone.count == 0 {
          raster_test_set_double(element.value, "contrast", 0.5)
          pause(milliseconds: 1)
          raster_test_set_double(element.value, "contrast", 1)
          pause(milliseconds: 1)
        }
      }
      defer {
        isDone.increment()
        writer.join()
      }
      #expect(test.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
      var random = RandomBytes(seed: 11)
      for number in 0..<150 {
        if number % 15 == 14 {
          gst_element_set_state(test.pipeline, number % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL)
          #expect(test.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        }
        #expect(test.seek(to: random.next(in: 0...100)), "seek \(number)")
        pause(milliseconds: UInt32(random.next() % 6))
      }
      #expect(test.takeErrors().isEmpty)
    }

    @Test("four elements in four threads share the device")
    func parallel() throws {
      let branch =
        "videotestsrc num-buffers=100 ! video/x-raw,format=NV12,width=160,height=120 "
        + "! rasterfilter brightness=0.1 ! queue ! rasterfilter gamma=1.5 ! fakesink "
      let test = try TestPipeline(branch + branch)
      #expect(test.run() == .endOfStream)
    }

    @Test("a tee feeds two elements with the same frames")
    func sharedInput() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=50 ! video/x-raw,format=I420,width=160,height=120 ! tee name=t "
          + "t. ! queue ! rasterfilter brightness=0.1 ! fakesink "
          + "t. ! queue ! rasterfilter brightness=0.3 ! fakesink")
      #expect(test.run() == .endOfStream)
    }

    @Test("an encoder that looks far ahead runs")
    func encoder() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=150 ! video/x-raw,format=I420,width=64,height=64 "
          + "! rasterfilter brightness=0.1 ! x264enc ! fakesink")
      #expect(test.run() == .endOfStream)
    }
  }
}

/// Answers all buffers at a pad with a flow.
private final class FlowAnswer {
  private let pad: UnsafeMutablePointer<GstPad>
  private let id: gulong

  init(_ flow: GstFlowReturn, at pad: UnsafeMutablePointer<GstPad>) {
    self.pad = pad
    id = gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, flow in
        raster_test_answer_probe(info, GstFlowReturn(rawValue: Int32(Int(bitPattern: flow))))
      }, UnsafeMutableRawPointer(bitPattern: Int(flow.rawValue)), nil)
  }

  func remove() { gst_pad_remove_probe(pad, id) }
}
