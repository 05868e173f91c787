import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// What users have reported of compositors, by the numbers of the project's list of public reports.
  ///
  /// Where a test says "stock fails", GStreamer 1.22's `compositor` still has the fault.
  @Suite(.keptDevice) struct Reports {}
}

extension CompositorElementTests.Reports {
  /// Formats that meet in one picture, and what is agreed on with both sides.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct Formats {
    private let layout = VideoLayout("RGBA", 32, 16)

    /// Red on the left, nothing on the right.
    private var half: Picture {
      var picture = Picture(layout, color: [255, 0, 0, 255])
      for y in 0..<16 { for x in 16..<32 { picture[x, y] = [255, 0, 0, 0] } }
      return picture
    }

    // Stock fails: it refuses pads with alpha where the output has none.
    @Test("report 1: alpha counts where the output has none", arguments: ["NV12", "I420", "RGB"])
    func alphaIntoOpaque(_ format: String) throws {
      let output = VideoLayout(format, 32, 16)
      let mixer = try Mixer(inputs: 2, outputCaps: output.caps())
      let (base, top) = (mixer.feeds[0], mixer.feeds[1])
      #expect(accepts(top.sink, "video/x-raw, format=RGBA"))
      let gray = Picture(output, filledWith: 128)
      base.start(output.caps())
      #expect(top.start(layout.caps()))
      base.push(gray.packed().at(0))
      #expect(top.push(half.packed().at(0)) == GST_FLOW_OK)
      let picture = try mixer.takePicture(output)
      // Red's luma is 81 (BT.601).
      let (red, below): ([UInt8], [UInt8]) =
        format == "RGB" ? ([255, 0, 0], [128, 128, 128]) : ([81], [128])
      expectClose(picture[2, 8], red)
      expectClose(picture[29, 8], below)
    }

    // Stock fails in one of the two orders: it takes the first of the rates that downstream offers.
    @Test("report 2: the order of a tee's branches does not decide the frame rate")
    func branchOrder() throws {
      for rates in [[60, 30], [30, 60]] {
        let branches = rates.map {
          "t. ! queue ! videorate ! video/x-raw, framerate=\($0)/1 ! fakesink sync=false "
        }
        let test = try TestPipeline(
          "\(compositor) force-live=true ! identity name=i ! tee name=t " + branches.joined())
        gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
        #expect(waits { (try? test.caps(["framerate"], atSinkOf: "i")) != [] })
        #expect(try test.caps(["framerate"], atSinkOf: "i") == [60, 1], "\(rates)")
      }
    }

    @Test(
      "report 3: a peer for other memory alone is refused, and the choice is within the template")
    func otherMemory() throws {
      let outcome = try? TestPipeline(
        "videotestsrc ! \(compositor) ! video/x-raw(memory:DMABuf), format=DMA_DRM ! fakesink"
      ).run(seconds: 10)
      if case .failed? = outcome {} else { #expect(outcome == nil) }
      let both = "video/x-raw(memory:DMABuf), format=NV12; video/x-raw, format=NV12"
      let mixer = try Mixer(inputs: 1, outputCaps: both)
      let input = VideoLayout("RGB", 32, 16)
      mixer.feeds[0].start(input.caps())
      mixer.feeds[0].push(Picture(input).packed().at(0))
      #expect(mixer.take() != nil)
      let template = gst_element_get_pad_template(mixer.element, "src")
      let all = Caps(owning: gst_pad_template_get_caps(template))
      let chosen = try #require(mixer.outputCaps)
      #expect(Caps(chosen).isSubset(of: all), "\(chosen)")
      #expect(Caps(chosen).intersects(both), "\(chosen)")
      _ = Diagnostics.take()
    }

    // Stock fails, as in report 1.
    @Test(
      "report 4: an only pad with alpha goes to an output without",
      arguments: [("NV12", [235]), ("I420", [235]), ("RGB", [255, 255, 255]), ("GRAY8", [255])])
    func onlyAlpha(_ format: String, _ white: [UInt8]) throws {
      let output = VideoLayout(format, 32, 16)
      let mixer = try Mixer(inputs: 1, ["background": "black"], outputCaps: output.caps())
      let feed = mixer.feeds[0]
      #expect(accepts(feed.sink, "video/x-raw, format=RGBA"))
      #expect(feed.start(layout.caps()))
      #expect(feed.push(Picture(layout, filledWith: 255).packed().at(0)) == GST_FLOW_OK)
      expectClose(try mixer.takePicture(output)[20, 8], white)
    }

    @Test("report 5: a pad's crop and its alpha count though nothing else has to be converted")
    func crop() throws {
      let mixer = try Mixer(inputs: 1, ["background": "black"], outputCaps: layout.caps())
      let feed = mixer.feeds[0]
      let fields = ["src-x=16", "src-y=0", "src-width=16", "src-height=16"]
      let crop = fields.map { "GstVideoConverter." + $0.replacing("=", with: "=(int)") }
      feed.set(["converter-config": "GstVideoConverter, " + crop.joined(separator: ", ")])
      var picture = Picture(layout, color: [255, 0, 0, 255])
      for y in 0..<16 { for x in 16..<32 { picture[x, y] = [0, 0, 200, 255] } }
      feed.start(layout.caps())
      feed.push(picture.packed().at(0))
      let cropped = try mixer.takePicture(layout)
      for x in [2, 8, 16, 30] { expectClose(cropped[x, 8], [0, 0, 200, 255]) }
      feed.set(["alpha": "0.5"])
      feed.push(picture.packed().at(1))
      expectClose(try mixer.takePicture(layout)[16, 8], [0, 0, 100, 255])
    }

    @Test("report 6: strict caps on both sides are linked and known before there is a device")
    func strictCaps() throws {
      let size = "width=64, height=48"
      let test = try TestPipeline(
        "videotestsrc num-buffers=3 ! video/x-raw, format=RGB, \(size), framerate=10/1 "
          + "! \(compositor) name=c ! video/x-raw, format=I420, \(size), framerate=10/1 ! fakesink")
      let pad = try test.sinkPad("c", "sink_0")
      let early = acceptedCaps(pad)
      #expect(early.intersects("video/x-raw, format=RGB, \(size)"))
      #expect(gst_element_set_state(test.pipeline, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
      #expect(acceptedCaps(pad).isEqual(to: early))
      #expect(test.run(seconds: 20) == .endOfStream)
    }

    @Test("report 8: two compositors behind a tee go on when the size of their input changes")
    func sharedChange() throws {
      let test = try TestPipeline(
        "videotestsrc ! capsfilter name=f ! tee name=t "
          + "t. ! queue ! \(compositor) ! fakesink name=a sync=false "
          + "t. ! queue ! \(compositor) ! fakesink name=b sync=false")
      let sizes = [(128, 72), (192, 108)]
      func caps(_ number: Int) -> String {
        "video/x-raw, format=I420, width=\(sizes[number % 2].0), height=\(sizes[number % 2].1)"
      }
      try test.element("f").set("caps", to: caps(0))
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      for number in 0..<10 {
        try test.element("f").set("caps", to: caps(number))
        for sink in ["a", "b"] {
          let wanted = [sizes[number % 2].0, sizes[number % 2].1]
          let isReached = waits(10) {
            (try? test.caps(["width", "height"], atSinkOf: sink)) == wanted
          }
          #expect(isReached, "\(sink), change \(number)")
        }
      }
      #expect(test.takeErrors().isEmpty)
    }

    @Test("report 18: a buffer that is too small harms no other frame")
    func shortBuffer() throws {
      let mixer = try Mixer(inputs: 2, outputCaps: layout.caps())
      let (base, top) = (mixer.feeds[0], mixer.feeds[1])
      for feed in mixer.feeds { feed.start(layout.caps()) }
      let gray = Picture(layout, color: [90, 90, 90, 255])
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]
      var seen: [[UInt8]] = []
      for (number, color) in colors.enumerated() {
        let frame = Picture(layout, color: color).packed().at(number)
        if number == 1 { gst_buffer_resize(frame.pointer, 0, gssize(layout.planes[0].size / 2)) }
        base.push(gray.packed().at(number))
        #expect(top.push(frame) == GST_FLOW_OK)
        seen.append(try mixer.takePicture(layout)[16, 12])
      }
      // In its place is what was there before, or what is below.
      #expect(seen[0] == colors[0] && seen[2] == colors[2], "\(seen)")
      #expect(seen[1] == colors[0] || seen[1] == [90, 90, 90, 255], "\(seen)")
      #expect(mixer.takeMessageCount(GST_MESSAGE_ERROR) == 0)
      _ = Diagnostics.take()
    }
  }
}

/// Checks that samples are right, but for rounding.
func expectClose(
  _ actual: [UInt8], _ expected: [UInt8], within bound: Int = 1,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let isClose =
    actual.count == expected.count
    && zip(actual, expected).allSatisfy { abs(Int($0) - Int($1)) <= bound }
  #expect(isClose, "\(actual) instead of \(expected)", sourceLocation: sourceLocation)
}
