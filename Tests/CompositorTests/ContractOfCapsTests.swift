import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests.Contract {
  /// Caps that sink pads accept, before and while the element runs.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct ContractOfCaps {
    /// Formats of a list of all, by whether they have alpha.
    private func formats(of caps: Caps, hasAlpha: Bool? = nil) -> Set<String> {
      var count: guint = 0
      guard let all = gst_video_formats_raw(&count) else { return [] }
      let names = (0..<Int(count)).compactMap { index -> String? in
        guard let info = gst_video_format_get_info(all[index]), let name = info.pointee.name else {
          return nil
        }
        let isAlpha = info.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
        guard hasAlpha.map({ $0 == isAlpha }) ?? true else { return nil }
        return String(cString: name)
      }
      return Set(names.filter { caps.intersects("video/x-raw, format=\($0)") })
    }

    private func template(_ pad: UnsafeMutablePointer<GstPad>) -> Caps {
      Caps(owning: gst_pad_get_pad_template_caps(pad))
    }

    @Test("downstream knows the caps before the first frame")
    func capsBeforeFrames() throws {
      let test = try TestPipeline("videotestsrc name=v ! \(compositor) ! fakesink name=s")
      let checker = try StreamChecker(try test.element("s"), "sink")
      #expect(test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
      #expect(checker.frameCount == 1)
      #expect(checker.faults == [])
      #expect(try test.caps(["width", "height", "framerate"], atSinkOf: "s") == [320, 240, 30, 1])
    }

    // Theirs refuses formats with alpha where the output has none. Taking them, too, is no breach: report 1.
    @Test("a pad accepts every format, whatever format downstream wants")
    func query() throws {
      let test = try TestPipeline("\(compositor) name=c ! capsfilter name=f ! fakesink")
      let (element, filter) = (try test.element("c"), try test.element("f"))
      let pad = try #require(gst_element_request_pad_simple(element, "sink_%u"))
      defer { gst_object_unref(pad) }
      #expect(gst_element_set_state(test.pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
      let all = template(pad)
      let opaque = formats(of: all, hasAlpha: false)
      #expect(opaque.count >= 10)
      #expect(acceptedCaps(pad).isEqual(to: all))
      filter.set("caps", to: "video/x-raw, format=RGBA")
      #expect(acceptedCaps(pad).isEqual(to: all))
      filter.set("caps", to: "video/x-raw, format=I420")
      #expect(formats(of: acceptedCaps(pad)).isSuperset(of: opaque))
      gst_element_set_state(test.pipeline, GST_STATE_NULL)
      gst_element_release_request_pad(element, pad)
    }

    /// What a pad makes of caps: it does not offer to take them, or it does and a frame comes out, or none does.
    private enum Answer { case refused, taken, lost }

    /// Asks a pad, and feeds it where it says yes: theirs crashes where it has said no.
    ///
    /// - Parameter other: a pad that waits for a frame, too.
    private func answer(
      _ mixer: Mixer, _ feed: Feed, _ caps: String, beside other: Feed? = nil,
      at number: Int = 0
    ) -> Answer {
      guard accepts(feed.sink, caps) else { return .refused }
      let picture = Picture(VideoLayout("RGB", 100, 100))
      guard feed.start(caps), feed.push(picture.packed().at(number)) == GST_FLOW_OK else {
        return .lost
      }
      other?.push(picture.packed().at(number))
      return mixer.take(seconds: 5) == nil ? .lost : .taken
    }

    private static let interlaced = VideoLayout("RGB", 100, 100).caps() + ", interlace-mode="

    // Theirs expects refusals. What counts is that a pad refuses before it is fed and not after.
    @Test("what a pad says of interlacing is true", arguments: ["progressive", "interleaved"])
    func interlacedOutput(_ mode: String) throws {
      let mixer = try Mixer(inputs: 1, outputCaps: "video/x-raw, interlace-mode=interleaved")
      let answer = answer(mixer, mixer.feeds[0], Self.interlaced + mode)
      #expect(answer == .taken || (answer == .refused && mode == "progressive"))
    }

    @Test(
      "a second pad keeps to the first one's interlacing, or else it takes any that it offers",
      arguments: ["progressive", "interleaved", "mixed"])
    func interlacedQuery(_ mode: String) throws {
      let mixer = try Mixer(inputs: 1)
      let first = mixer.feeds[0]
      #expect(accepts(first.sink, Self.interlaced + mode))
      first.start(Self.interlaced + "progressive")
      first.drain()
      let answer = answer(mixer, try mixer.addFeed(), Self.interlaced + mode, beside: first)
      #expect(answer == .taken || (answer == .refused && mode != "progressive"))
    }

    @Test(
      "a pad that comes late may have any format that downstream's caps allow",
      arguments: [nil, "RGB"])
    func lateQuery(_ outputFormat: String?) throws {
      let output = outputFormat.map { "video/x-raw, format=\($0)" }
      let mixer = try Mixer(inputs: 1, outputCaps: output)
      let (first, layout) = (mixer.feeds[0], VideoLayout("RGB", 100, 100))
      first.start(layout.caps())
      for number in 0..<2 {
        #expect(first.push(Picture(layout).packed().at(number)) == GST_FLOW_OK)
      }
      let second = try mixer.addFeed()
      second.send(gst_event_new_stream_start("late"))
      let caps = acceptedCaps(second.sink)
      let all = template(second.sink)
      #expect(caps.intersects("video/x-raw, interlace-mode=progressive"))
      let wanted = formats(of: all, hasAlpha: outputFormat == nil ? nil : false)
      #expect(wanted.count >= 10)
      #expect(formats(of: caps).isSuperset(of: wanted))
      #expect(caps.isSubset(of: all))
    }

    @Test("a pad that comes late may be interlaced where it says so")
    func lateInterlacedCaps() throws {
      let mixer = try Mixer(inputs: 1)
      let first = mixer.feeds[0]
      #expect(answer(mixer, first, Self.interlaced + "progressive") == .taken)
      let late = try mixer.addFeed()
      #expect(accepts(late.sink, Self.interlaced + "progressive"))
      #expect(answer(mixer, late, Self.interlaced + "interleaved", beside: first, at: 1) != .lost)
    }
  }
}
