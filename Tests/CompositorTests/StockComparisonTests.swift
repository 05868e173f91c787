import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// The same compositions by GStreamer's compositor, by the element under test and in double precision.
  @Suite(.guarded) struct StockComparison {
    @Test(
      "frames are those of GStreamer's compositor, or the table says what differs",
      arguments: StockRows.all)
    func frames(_ row: StockRow) throws {
      let stock = try RenderedRow(row, by: "compositor")
      let own = try RenderedRow(row, by: compositor)
      #expect(stock.outputs.count == row.frames)
      #expect(own.inputs == stock.inputs, "the sources gave other pictures")

      // Both are right by their rules …
      let (exact, byRule) = (stock.expected(row, .exact), stock.expected(row, .stock))
      let stockError = try distance(stock.outputs, byRule)
      #expect(stockError.maximum <= row.stockBound, "GStreamer's: \(stockError)")
      let error = try distance(own.outputs, isStockUnderTest ? byRule : exact)
      #expect(
        error.maximum <= (isStockUnderTest ? row.stockBound : 1), "the element under test: \(error)"
      )

      // … and the rules agree, unless the row says that they do not.
      let apart = try distance(own.outputs, stock.outputs.map(\.numbers))
      switch row.difference {
      case nil: #expect(apart.maximum <= 2, "apart: \(apart)")
      case .rounding(_, let bound): #expect(apart.maximum <= bound, "apart: \(apart)")
      case .rule:
        let rules = try distance(stock.outputs, exact)
        #expect(rules.maximum > 2, "there is no difference: \(rules)")
      }
      print(tableRow(row, [apart, error, stockError]))
    }

    /// | name | from GStreamer's | from double precision | GStreamer's from its own rule | what differs |
    private func tableRow(_ row: StockRow, _ distances: [SampleDistance]) -> String {
      let numbers = distances.map { "\(($0.maximum * 100).rounded() / 100)" }
      let difference = row.difference?.description ?? ""
      return "| \(row.name) | \(numbers.joined(separator: " | ")) | \(difference) |"
    }

    /// In luma, or in each channel of RGB: the dark and the light squares, black and white.
    private static let backgrounds: [(format: String, codes: [Int])] = [
      ("I420", [80, 160, 16, 235]), ("NV12", [80, 160, 16, 235]), ("AYUV", [80, 160, 16, 235]),
      ("Y444", [80, 160, 16, 235]), ("RGBA", [80, 160, 0, 255]), ("RGB", [80, 160, 0, 255]),
      ("GRAY8", [80, 160, 0, 255]), ("I420_10LE", [320, 640, 64, 940]),
      ("P010_10LE", [320, 640, 64, 940]),
      ("I420,colorimetry=(string)1:4:0:0", [80, 160, 0, 255]),
    ]

    @Test("backgrounds have the same codes in every format", arguments: backgrounds)
    func background(_ format: String, _ codes: [Int]) throws {
      for (kind, dark, light) in [
        (CompositionBackground.checker, codes[0], codes[1]), (.black, codes[2], codes[2]),
        (.white, codes[3], codes[3]),
      ] {
        let row = StockRow(
          name: "", output: "format=\(format),width=48,height=32", background: kind,
          pads: [PadRow("ball", "format=I420,width=16,height=16", PadSettings(x: 48))])
        let frame = try #require(try RenderedRow(row, by: compositor).outputs.first)
        let luma = frame.components[0]
        for (place, sample) in luma.samples.enumerated() {
          let isDark = (place % luma.columns / 8 + place / luma.columns / 8) % 2 == 0
          #expect(sample == (isDark ? dark : light), "\(kind) at \(place)")
        }
        // Gray has no color, and everything is opaque.
        let isRGB = format.hasPrefix("RGB")
        for color in frame.components.dropFirst().prefix(2) {
          #expect(
            isRGB ? color == luma : color.samples.allSatisfy { $0 == (color.largest + 1) / 2 })
        }
        if frame.hasAlpha { #expect(frame.components[3].samples.allSatisfy { $0 == 255 }) }
      }
    }

    /// GStreamer's compositor blends in the format of its output, and refuses pads that have more.
    @Test(
      "pads with alpha are blended where the output has none", arguments: ["NV12", "I420", "RGBx"])
    func alphaOverOpaque(_ format: String) throws {
      let row = StockRow(
        name: "alpha in \(format)", output: "format=\(format),width=96,height=64",
        pads: [
          PadRow("smpte75", "format=I420,width=96,height=64"),
          PadRow(
            "gradient background-color=0x00ff2010 foreground-color=0xffe0a020",
            "format=RGBA,width=48,height=32", PadSettings(x: 20, y: 10, alpha: 0.8)),
        ])
      #expect(throws: (any Error).self) { try RenderedRow(row, by: "compositor") }
      if isStockUnderTest { return }
      let own = try RenderedRow(row, by: compositor)
      let error = try distance(own.outputs, own.expected(row, .exact))
      #expect(error.maximum <= 1, "\(error)")
    }
  }
}
