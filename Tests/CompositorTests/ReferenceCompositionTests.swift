import CGstCheck
import RasterReference
import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// The double-precision composition by itself, against numbers worked out by hand.
  @Suite(.guarded) struct ReferenceMaths {
    private static let red = SIMD4(1.0, 0, 0, 1)
    private static let blue = SIMD4(0.0, 0, 1, 1)

    /// A frame of a format whose samples are zero.
    private func frame(_ format: String, _ width: Int, _ height: Int) throws -> SampleFrame {
      var info = GstVideoInfo()
      let caps = try #require(
        gst_caps_from_string(
          "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=25/1"))
      defer { gst_caps_unref(caps) }
      try #require(gst_video_info_from_caps(&info, caps) != 0)
      let buffer = Buffer(owning: gst_buffer_new_allocate(nil, info.size, nil))
      gst_buffer_memset(buffer.pointer, 0, 0, info.size)
      return try SampleFrame(buffer, info)
    }

    /// A picture of one color.
    private func layer(
      _ color: SIMD4<Double>, _ place: (x: Int, y: Int, width: Int, height: Int), alpha: Double = 1,
      _ mode: CompositionOperator = .over
    ) -> CompositionLayer {
      let rectangle = PadRectangle(
        x: place.x, y: place.y, width: place.width, height: place.height)
      let image = ReferenceImage(width: place.width, height: place.height) { _, _ in color }
      return CompositionLayer(image: image, place: rectangle, alpha: alpha, mode: mode)
    }

    /// The samples of the first pixel in RGBA.
    private func firstPixel(
      _ background: CompositionBackground, _ layers: [CompositionLayer]
    ) throws -> [Double] {
      ReferenceComposition(background: background, layers: layers)
        .samples(like: try frame("RGBA", 4, 2)).map { $0[0] }
    }

    private func expectClose(
      _ found: [Double], _ expected: [Double], _ place: SourceLocation = #_sourceLocation
    ) {
      let isClose =
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }
      #expect(isClose, "\(found) instead of \(expected)", sourceLocation: place)
    }

    @Test("operators are those of the definitions, on premultiplied colors")
    func operators() throws {
      let whole = (x: 0, y: 0, width: 4, height: 2)
      let (red, blue) = (ReferenceMaths.red, ReferenceMaths.blue)
      expectClose(
        try firstPixel(.transparent, [layer(blue, whole), layer(red, whole, alpha: 0.5)]),
        [127.5, 0, 127.5, 255])
      expectClose(
        try firstPixel(
          .transparent, [layer(blue, whole, alpha: 0.5), layer(red, whole, alpha: 0.5)]),
        [170, 0, 85, 191.25])
      expectClose(
        try firstPixel(.checker, [layer(blue, whole), layer(red, whole, alpha: 0.25, .source)]),
        [255, 0, 0, 63.75])
      expectClose(
        try firstPixel(
          .transparent,
          [layer(blue, whole, alpha: 0.5, .source), layer(red, whole, alpha: 0.5, .add)]),
        [127.5, 0, 127.5, 255])
      expectClose(
        try firstPixel(
          .black, [layer(blue, whole, alpha: 0.5), layer(red, whole, alpha: 0.5, .add)]),
        [127.5, 0, 63.75, 255])
      expectClose(
        try firstPixel(
          .transparent, [layer(blue, whole, alpha: 0.75), layer(red, whole, alpha: 0.5, .add)]),
        [127.5, 0, 127.5, 255])
      // A picture with alpha of its own and the alpha of its pad.
      expectClose(
        try firstPixel(.white, [layer(SIMD4(1, 0, 0, 0.5), whole, alpha: 0.5)]),
        [255, 191.25, 191.25, 255])
    }

    @Test("pads cover the pixels from their place on, and nothing else")
    func place() throws {
      let composition = ReferenceComposition(
        background: .black, layers: [layer(ReferenceMaths.red, (x: -1, y: 1, width: 3, height: 5))])
      let red = composition.samples(like: try frame("RGBA", 4, 3))[0]
      #expect(red == [0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0])
    }

    @Test("chroma is the mean of the pixels that share it, except by GStreamer's rule")
    func chroma() throws {
      var composition = ReferenceComposition(
        background: .black, layers: [layer(ReferenceMaths.red, (x: 1, y: 0, width: 3, height: 2))])
      let frame = try frame("I420", 4, 2)
      let (luma, red) = (81.481, 240.0)
      let exact = composition.samples(like: frame)
      #expect(
        exact[0].map { ($0 * 1000).rounded() / 1000 } == [
          16, luma, luma, luma, 16, luma, luma, luma,
        ])
      expectClose(exact[2], [(128 + red) / 2, red])
      composition.rules = .stock
      let stock = composition.samples(like: frame)
      #expect(
        stock[0].map { ($0 * 1000).rounded() / 1000 } == [16, 16, luma, luma, 16, 16, luma, luma])
      expectClose(stock[2], [128, red])
    }

    /// ITU-R BT.601-7 table 3 and BT.709-6 item 3.5, for full red.
    @Test("Y'CbCr has the codes of the standards")
    func codes() throws {
      for (format, codes) in [
        ("Y444,colorimetry=bt601", [81.481, 90.203, 240]),
        ("Y444,colorimetry=bt709", [62.5592, 102.3357, 240]),
        ("Y444,colorimetry=(string)1:4:0:0", [76.245, 84.9723, 255.5]),
        ("Y444_10LE,colorimetry=bt709", [250.2368, 409.3429, 960]),
      ] {
        let frame = try frame(format, 1, 1)
        let found = SampleEncoding(frame.info).codes(ReferenceColor(1, 0, 0))
        #expect(zip(found, codes).allSatisfy { abs($0 - $1) < 1e-3 }, "\(format): \(found)")
        let back = SampleEncoding(frame.info).color(found)
        expectClose([back.red, back.green, back.blue], [1, 0, 0])
      }
    }

    @Test("pictures are enlarged and made smaller between the centers of pixels")
    func scaling() {
      let edge = ReferenceImage(width: 2, height: 1) { x, _ in SIMD4(repeating: Double(x)) }
      expectClose(edge.resampled(to: (4, 1), .bilinear).pixels.map(\.x), [0, 0.25, 0.75, 1])
      let ramp = ReferenceImage(width: 16, height: 1) { x, _ in SIMD4(repeating: Double(x)) }
      for kernel in [CompositionRules.Kernel.bilinear, .mitchell] {
        let half = ramp.resampled(to: (8, 1), kernel).pixels.map(\.x)
        // In the middle, where no edge is near, a ramp stays one.
        expectClose([half[3], half[4]], [6.5, 8.5])
      }
    }

    @Test("pixels keep their shape, and pictures theirs where that is wished")
    func shape() throws {
      func place(_ caps: String, _ settings: PadSettings, _ output: String) throws -> PadRectangle {
        PadRectangle(
          settings, showing: try frame(caps, 40, 20).info, in: try frame(output, 4, 2).info)
      }
      let (wide, square) = ("RGBA,pixel-aspect-ratio=2/1", "RGBA")
      #expect(
        try place(wide, PadSettings(x: 3), square)
          == PadRectangle(x: 3, y: 0, width: 80, height: 20))
      #expect(
        try place(square, PadSettings(), wide) == PadRectangle(x: 0, y: 0, width: 20, height: 20))
      let kept = PadSettings(x: 3, y: 4, width: 60, height: 60, keepsAspectRatio: true)
      #expect(try place(square, kept, square) == PadRectangle(x: 3, y: 19, width: 60, height: 30))
      #expect(try place(wide, kept, square) == PadRectangle(x: 3, y: 26, width: 60, height: 15))
      #expect(try place(square, kept, wide) == PadRectangle(x: 3, y: 4, width: 60, height: 60))
    }

    /// A comparison that a pad could be left out of would not see whether it is right.
    @Test("every pad that can be seen counts in every row", arguments: StockRows.all)
    func sensitivity(_ row: StockRow) throws {
      let whole = try RenderedRow(row, by: "compositor")
      let expected = try #require(whole.expected(row, .exact).first)
      for pad in row.pads.indices where !row.unseen.contains(pad) {
        var less = row
        less.pads[pad].settings.x = 10_000
        let without = try #require(whole.expected(less, .exact).first)
        let components = zip(expected, without).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }
        #expect((components.max() ?? 0) > 4, "pad \(pad)")
      }
    }
  }
}
