import CGstCheck
import RasterReference
import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// What GStreamer Editing Services need of a compositor that they choose by its rank.
  @Suite(.guarded) struct Editing {
    /// Y', Cb, Cr and alpha: colors are blended by the numbers that are compared.
    private static let format = "AYUV,colorimetry=bt709"
    /// Makes a clip lie where it would lie anyway; only then can its operator be set without GES waiting for itself.
    private static let placed = "set-posx 0 set-posy 0 set-width 32 set-height 18"
    /// Two clips with 12 frames in common, from the 12th on.
    private static func crossfade(_ first: String, _ second: String) -> String {
      "+test-clip red d=0.8 \(first) +test-clip blue s=0.4 d=0.8 \(second)"
    }

    /// The codes of every pixel: the pictures have one color each.
    private func codes(_ frame: SampleFrame) throws -> [Double] {
      let codes = try frame.components.map { try #require($0.samples.first) }
      for (component, code) in zip(frame.components, codes) {
        #expect(component.samples.allSatisfy { $0 == code }, "not of one color")
      }
      return codes.map { Double($0) }
    }

    /// Expects frames that are colors with weights; what is missing to 1 is black.
    private func expect(
      _ timeline: EditingTimeline, within bound: Double,
      _ mixture: (_ frame: Int) -> [(color: [Double], weight: Double)]
    ) throws {
      #expect(timeline.mixers == [compositor])
      for (number, frame) in timeline.frames.enumerated() {
        #expect(
          timeline.times[number] == UInt64(number) * 1_000_000_000 / UInt64(EditingTimeline.rate))
        var expected = [16.0, 128, 128, 255]
        for (color, weight) in mixture(number) {
          for index in 0..<3 { expected[index] += weight * (color[index] - [16, 128, 128][index]) }
        }
        let found = try codes(frame)
        let apart = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
        #expect(apart <= bound, "frame \(number): \(found) instead of \(expected)")
      }
    }

    /// How far into the crossfade a frame is, from 0 to 1.
    private func progress(_ frame: Int) -> Double { min(max(Double(frame - 12) / 12, 0), 1) }

    /// The colors of the two clips.
    private func ends(_ timeline: EditingTimeline) throws -> (first: [Double], second: [Double]) {
      (
        try codes(try #require(timeline.frames.first)),
        try codes(try #require(timeline.frames.last))
      )
    }

    @Test("a crossfade by source and add goes straight from one clip to the other")
    func crossfadeByAdding() throws {
      let placed = Editing.placed
      let timeline = try EditingTimeline(
        Editing.crossfade("\(placed) set-operator source", "\(placed) set-operator add"),
        Editing.format, mixer: compositor)
      #expect(timeline.frames.count == 36)
      let (first, second) = try ends(timeline)
      try expect(timeline, within: 2) { frame in
        let t = progress(frame)
        // GStreamer's takes the mixture of "over", in which the lower clip has lost twice.
        let lower = isStockUnderTest ? (1 - t) * (1 - t) : 1 - t
        return [(first, lower / (lower + t)), (second, t / (lower + t))]
      }
    }

    /// GES 1.22 gives the pads of a crossfade "source" and "add" once, and at every frame the operators of the clips,
    /// which are "over".
    @Test("a crossfade with the operators of GES is over on nothing, on black")
    func crossfade() throws {
      let timeline = try EditingTimeline(
        Editing.crossfade("", ""), Editing.format, mixer: compositor)
      #expect(timeline.frames.count == 36)
      let (first, second) = try ends(timeline)
      try expect(timeline, within: 2) { frame in
        let t = progress(frame)
        return [(first, (1 - t) * (1 - t)), (second, t)]
      }
    }

    @Test("three clips follow each other without a frame between them")
    func threeClips() throws {
      let timeline = try EditingTimeline(
        "+test-clip red d=0.5 +test-clip green s=0.5 d=0.5 +test-clip blue s=1.0 d=0.5",
        Editing.format, mixer: compositor)
      #expect(timeline.frames.count == 45)
      // BT.709: red, green and blue.
      let clips = [[62.6, 102.3, 240], [172.7, 41.7, 25.7], [31.8, 240, 117.7]]
      try expect(timeline, within: 2) { [(clips[$0 / 15], 1)] }
    }

    @Test("the alpha of a clip follows its keyframes")
    func keyframes() throws {
      let timeline = try EditingTimeline(
        "+test-clip red d=1.0 +keyframes alpha 0=(double)0 1.0=(double)1 t=direct-absolute",
        Editing.format, mixer: compositor)
      #expect(timeline.frames.count == 30)
      try expect(timeline, within: 2) { [([62.6, 102.3, 240], Double($0) / 30)] }
    }

    @Test("layers lie on each other in their order, where they are put")
    func layers() throws {
      let timeline = try EditingTimeline(
        "+test-clip blue d=0.2 l=1 +test-clip red d=0.2 l=0 set-posx 8 set-posy 4 set-width 16 "
          + "set-height 10 set-alpha 0.5", Editing.format, mixer: compositor)
      #expect(timeline.mixers == [compositor])
      let frame = try #require(timeline.frames.first)
      for (component, codes) in zip(frame.components, [(31.8, 47.2), (240, 171.2), (117.7, 178.8)])
      {
        for (place, sample) in component.samples.enumerated() {
          let isInside = (8..<24).contains(place % 32) && (4..<14).contains(place / 32)
          let code = isInside ? codes.1 : codes.0
          #expect(abs(Double(sample) - code) <= 2, "\(place): \(sample) instead of \(code)")
        }
      }
    }

    /// Clips of one color each: GES makes them smaller in the compositor, and resamplers differ at edges. Of a
    /// crossfade the margin is not compared: there the kernels of GStreamer's do not add up to 1.
    private static let launched: [(clips: String, frames: Int, margin: Int)] = [
      ("+test-clip blue d=0.2 l=1 +title Raster s=0 d=0.2 l=0 set-background 0", 6, 0),
      ("+test-clip red d=0.2 +test-clip green s=0.2 d=0.2 +test-clip blue s=0.4 d=0.2", 18, 0),
      ("+test-clip red d=0.4 +test-clip blue s=0.2 d=0.4", 18, 12),
    ]

    /// ges-launch-1.0 loads the plugin that `scripts/build` has made.
    @Test("ges-launch renders with the compositor of the highest rank", arguments: launched)
    func launch(_ clips: String, _ frames: Int, _ margin: Int) throws {
      let (width, height) = (160, 90)
      let caps = "video/x-raw,format=AYUV,colorimetry=bt709,framerate=30/1,width=160,height=90"
      let words = clips.split(separator: " ").map { String($0) }
      let stock = try EditingLaunch(words, caps, mixer: "compositor")
      let own = try EditingLaunch(words, caps, mixer: compositor)
      #expect(own.factories.contains(compositor), "scripts/build makes the plugin")
      #expect(isStockUnderTest || !own.factories.contains("compositor"))
      try #require(own.bytes.count == frames * width * height * 4)
      try #require(own.bytes.count == stock.bytes.count)
      var (worst, luma) = (0, Set<UInt8>())
      for row in 0..<frames * height where (margin..<height - margin).contains(row % height) {
        for byte in (row * width + margin) * 4..<((row + 1) * width - margin) * 4 {
          worst = max(worst, abs(Int(own.bytes[byte]) - Int(stock.bytes[byte])))
          if byte % 4 == 1 { luma.insert(own.bytes[byte]) }
        }
      }
      #expect(worst <= 3)
      #expect(luma.count > 2, "there is nothing to see")
    }

    @Test("the alpha and the place of a pad follow control sources")
    func controlSources() throws {
      let row = StockRow(
        name: "animated", output: "format=RGBA,width=96,height=64",
        pads: [
          PadRow("pinwheel", "format=RGBA,width=96,height=64"),
          PadRow("smpte75", "format=RGBA,width=48,height=32", PadSettings(y: 8)),
        ], frames: 10)
      let own = try RenderedRow(row, by: compositor) { element in
        let pad = try #require(gst_element_get_static_pad(element, "sink_1"))
        defer { gst_object_unref(pad) }
        try animate(pad, "alpha", [(0, 0), (0.4, 1)])
        try animate(pad, "xpos", [(0, -10), (0.4, 30)])
      }
      let rules = isStockUnderTest ? CompositionRules.stock : .exact
      let expected = own.expected(row, rules) { pad, frame, settings in
        guard pad == 1 else { return }
        (settings.alpha, settings.x) = (Double(frame) / 10, 4 * frame - 10)
      }
      let error = try distance(own.outputs, expected)
      #expect(error.maximum <= (isStockUnderTest ? 2 : 1), "\(error)")
    }

    /// Lets a property run along straight lines through points of time (seconds) and value.
    private func animate(
      _ pad: UnsafeMutablePointer<GstPad>, _ property: String, _ points: [(Double, Double)]
    ) throws {
      let source = try #require(gst_interpolation_control_source_new())
      defer { gst_object_unref(source) }
      raster_test_set_int(source, "mode", Int32(GST_INTERPOLATION_MODE_LINEAR.rawValue))
      for (seconds, value) in points {
        gst_timed_value_control_source_set(cast(source), GstClockTime(seconds * 1e9), value)
      }
      let binding = gst_direct_control_binding_new_absolute(cast(pad), property, source)
      #expect(gst_object_add_control_binding(cast(pad), binding) != 0)
    }
  }
}
