import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// What pads of `rastercompositor` have beyond those of others.
  @Suite(.guarded, .timeLimit(.minutes(1)), .enabled(if: !isStock)) struct Looks {
    private static let output = VideoLayout("RGBA", 32, 32)
    private static let white = Picture(output, color: [255, 255, 255, 255])

    /// What comes out where one frame goes to each pad, over nothing.
    private func compose(
      _ pictures: [Picture], _ pads: [KeyValuePairs<String, String>],
      _ properties: KeyValuePairs<String, String> = ["background": "transparent"],
      output: VideoLayout = output
    ) throws -> Picture {
      let mixer = try Mixer(inputs: pictures.count, properties, outputCaps: output.caps())
      for (feed, settings) in zip(mixer.feeds, pads) { feed.set(settings) }
      for (feed, picture) in zip(mixer.feeds, pictures) { feed.start(picture.layout.caps()) }
      for (feed, picture) in zip(mixer.feeds, pictures) {
        #expect(feed.push(picture.packed().at(0)) == GST_FLOW_OK)
      }
      return try mixer.takePicture(output)
    }

    /// Positions in the four quarters tell each turn from the others.
    private static let quarters: Picture = {
      var picture = Picture(output, color: [255, 0, 0, 255])
      for y in 0..<32 {
        for x in 0..<32 where x >= 16 || y >= 16 {
          picture[x, y] =
            y < 16 ? [0, 255, 0, 255] : x < 16 ? [0, 0, 255, 255] : [9, 90, 200, 255]
        }
      }
      return picture
    }()

    // The golden numbers of MetalPetal's corner mask, in code values of alpha.
    @Test(
      "corners are those of the definition",
      arguments: [
        ("16", "circular", [(4, 4, 0.3175), (5, 4, 0.7962)]),
        ("8", "continuous", [(2, 2, 0.6609)]),
      ])
    func corners(_ radius: String, _ curve: String, _ expected: [(Int, Int, Double)]) throws {
      let result = try compose([Self.white], [["corner-radius": radius, "corner-curve": curve]])
      for (x, y, share) in expected {
        #expect(abs(Double(result[x, y][3]) - share * 255) <= 1.5, "\(x), \(y): \(result[x, y])")
      }
      #expect(result[16, 16] == [255, 255, 255, 255])
      #expect(result[0, 0][3] == 0)
    }

    @Test("a corner of its own is not that of all")
    func oneCorner() throws {
      let result = try compose(
        [Self.white], [["corner-radius": "10", "corner-radius-bottom-left": "0"]])
      #expect([result[0, 0], result[31, 0], result[31, 31]].allSatisfy { $0[3] == 0 })
      #expect(result[0, 31] == [255, 255, 255, 255])
    }

    @Test(
      "a turn by a quarter is the turn of the frame", arguments: [("90", "90r"), ("180", "180")])
    func turns(_ degrees: String, _ direction: String) throws {
      let turned = try compose([Self.quarters], [["rotation": degrees]])
      let directed = try compose([Self.quarters], [["video-direction": direction]])
      #expect(turned == directed, "\(Difference(turned, directed))")
      #expect(turned != Self.quarters)
    }

    @Test("what is cut off is cut off the picture as it is seen")
    func crop() throws {
      let result = try compose([Self.quarters], [["video-direction": "vert", "crop-top": "16"]])
      // Below the middle of the mirrored picture is what was above, in its own size.
      #expect(result[4, 4] == [255, 0, 0, 255] && result[20, 15] == [0, 255, 0, 255])
      #expect(result[4, 20][3] == 0)
    }

    @Test("a cover fills its rectangle, and shows the part that is wanted")
    func cover() throws {
      let wide = VideoLayout("RGBA", 64, 32)
      var picture = Picture(wide, color: [255, 0, 0, 255])
      for y in 0..<32 { for x in 32..<64 { picture[x, y] = [0, 0, 255, 255] } }
      let settings: KeyValuePairs = [
        "width": "32", "height": "32", "sizing-policy": "cover", "xalign": "1",
      ]
      let result = try compose([picture], [settings])
      #expect([result[0, 0], result[31, 31]].allSatisfy { $0 == [0, 0, 255, 255] })
    }

    @Test("a pad masks another, and is not seen itself")
    func maskPad() throws {
      var mask = Picture(VideoLayout("GRAY8", 32, 32))
      for y in 0..<32 { for x in 16..<32 { mask[x, y] = [255] } }
      let result = try compose([Self.white, mask], [["mask-pad": "sink_1"], [:]])
      #expect(result[4, 4][3] == 0 && result[27, 4] == [255, 255, 255, 255])
      let inverted = try compose(
        [Self.white, mask], [["mask-pad": "sink_1", "mask-inverted": "true"], [:]])
      #expect(inverted[27, 4][3] == 0 && inverted[4, 4] == [255, 255, 255, 255])
    }

    @Test("tint, border and shadow have their colors, and their places")
    func colors() throws {
      let tinted = try compose([Self.quarters], [["tint": "\(0x8000_ff00)"]])
      expectClose(tinted[3, 3], [0, 255, 0, 128])
      let bordered = try compose(
        [Self.white], [["border-width": "3", "border-color": "\(0xff00_00ff)"]])
      #expect(bordered[1, 16] == [0, 0, 255, 255] && bordered[4, 16] == [255, 255, 255, 255])
      let small = Picture(VideoLayout("RGBA", 8, 8), color: [255, 255, 255, 255])
      let shadowed = try compose(
        [small],
        [["xpos": "8", "ypos": "8", "shadow-color": "\(0xff00_0000)", "shadow-radius": "1"]])
      #expect(shadowed[11, 11] == [255, 255, 255, 255])
      // A pixel and a half within a shadow of a pixel's softness: 0.933 of it.
      expectClose(shadowed[11, 18], [0, 0, 0, 238], within: 2)
      #expect(shadowed[11, 28][3] == 0 && shadowed[28, 11][3] == 0)
    }

    @Test("blending works on the signal, or on light")
    func light() throws {
      let black = Picture(Self.output, color: [0, 0, 0, 255])
      let half: [KeyValuePairs<String, String>] = [[:], ["alpha": "0.5"]]
      let signal = try compose([black, Self.white], half)
      expectClose(signal[9, 9], [128, 128, 128, 255])
      let light = try compose([black, Self.white], half, ["working-space": "linear"])
      // sRGB (IEC 61966-2-1) of half the light.
      expectClose(light[9, 9], [188, 188, 188, 255])
    }

    @Test("modes are those of W3C's definitions")
    func modes() throws {
      let below = Picture(Self.output, color: [200, 100, 50, 255])
      let above = Picture(Self.output, color: [100, 200, 255, 255])
      let multiplied = try compose([below, above], [[:], ["blend-mode": "multiply"]])
      expectClose(multiplied[9, 9], [78, 78, 50, 255])
      let screened = try compose([below, above], [[:], ["blend-mode": "screen"]])
      expectClose(screened[9, 9], [222, 222, 255, 255])
    }

    @Test("half a pixel is half of each neighbor, at the edges too")
    func subpixel() throws {
      let small = Picture(VideoLayout("RGBA", 8, 8), color: [255, 0, 0, 255])
      let result = try compose([small], [["xpos": "8", "ypos": "8", "translate-x": "0.5"]])
      #expect([result[8, 11][3], result[16, 11][3]].allSatisfy { abs(Int($0) - 128) <= 1 })
      #expect(
        result[11, 11] == [255, 0, 0, 255] && result[7, 11][3] == 0 && result[17, 11][3] == 0)
    }

    @Test("filters of pads and of the whole are children, and can be set by name")
    func filters() throws {
      let mixer = try Mixer(
        inputs: 1, ["filters": "color-invert"], outputCaps: Self.output.caps())
      mixer.feeds[0].set(["filters": "exposure, ev=-1.0"])
      mixer.feeds[0].start(Self.output.caps())
      #expect(mixer.feeds[0].push(Self.white.packed().at(0)) == GST_FLOW_OK)
      expectClose(try mixer.takePicture(Self.output)[9, 9], [127, 127, 127, 255])
      raster_test_set_child(mixer.element, "sink_0::exposure::ev", "-2")
      #expect(mixer.feeds[0].push(Self.white.packed().at(1)) == GST_FLOW_OK)
      expectClose(try mixer.takePicture(Self.output)[9, 9], [191, 191, 191, 255])
      #expect(raster_test_child_count(mixer.element) == 2)
    }

    @Test("the stream's orientation is followed where that is wanted")
    func orientation() throws {
      let mixer = try Mixer(
        inputs: 1, ["background": "transparent"], outputCaps: Self.output.caps())
      let feed = mixer.feeds[0]
      feed.set(["video-direction": "auto"])
      feed.start(Self.output.caps())
      feed.send(raster_test_orientation_event("rotate-90"))
      #expect(feed.push(Self.quarters.packed().at(0)) == GST_FLOW_OK)
      let result = try mixer.takePicture(Self.output)
      let directed = try compose([Self.quarters], [["video-direction": "90r"]])
      #expect(result == directed, "\(Difference(result, directed))")
    }

    @Test("a short frame is told of once, and the others go on")
    func shortFrame() throws {
      let mixer = try Mixer(inputs: 2, outputCaps: Self.output.caps())
      for feed in mixer.feeds { feed.start(Self.output.caps()) }
      for number in 0..<3 {
        let short = Buffer(owning: gst_buffer_new_allocate(nil, 100, nil))
        #expect(mixer.feeds[0].push(Self.white.packed().at(number)) == GST_FLOW_OK)
        #expect(mixer.feeds[1].push(short.at(number)) == GST_FLOW_OK)
        #expect(try mixer.takePicture(Self.output)[9, 9] == [255, 255, 255, 255])
      }
      #expect(mixer.takeMessageCount(GST_MESSAGE_WARNING) == 1)
      #expect(mixer.takeMessageCount(GST_MESSAGE_ERROR) == 0)
    }

    @Test("animated pads make one plan and no kernel anew")
    func animation() throws {
      let mixer = try Mixer(inputs: 3, outputCaps: VideoLayout("I420", 64, 64).caps())
      for feed in mixer.feeds { feed.start(Self.output.caps()) }
      var counts: [[UInt64?]] = []
      for number in 0..<60 {
        for (index, feed) in mixer.feeds.enumerated() {
          feed.set([
            "xpos": "\((number * (index + 3)) % 40)", "ypos": "\((number * 5 + index) % 30)",
            "alpha": "\(Double(number % 9 + 1) / 10)",
          ])
          #expect(feed.push(Self.quarters.packed().at(number)) == GST_FLOW_OK)
        }
        #expect(mixer.take() != nil)
        counts.append(["plans", "pipelines", "allocations"].map { mixer.element.statistic($0) })
      }
      #expect(counts[59] == counts[19], "\(counts[59]) after \(counts[19])")
      #expect(counts[59][0] == 1)
    }
  }
}
