import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests.Reports {
  /// Pictures of different ranges of brightness in one output.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct Brightness {
    private static let layout = VideoLayout("RGBA", 16, 16)
    /// BT.709 primaries, full range, R'G'B', with the curve of sRGB.
    private static let standardColors = "sRGB"
    /// BT.2100 PQ: full range, R'G'B', SMPTE ST 2084, BT.2020.
    private static let highColors = "1:1:14:7"
    private static let standard = layout.caps(colorimetry: standardColors)
    private static let high = layout.caps(colorimetry: highColors)
    /// White of 203 cd/m² in PQ, of 255 (BT.2408).
    private static let white: UInt8 = 148

    /// What grays of such codes come out as, beside each other in one output.
    private func grays(_ inputs: [(value: UInt8, caps: String)], to colorimetry: String) throws
      -> [Int]
    {
      let output = VideoLayout("RGBA", 16 * inputs.count, 16)
      let mixer = try Mixer(
        inputs: inputs.count, outputCaps: output.caps(colorimetry: colorimetry))
      for (index, (feed, input)) in zip(mixer.feeds, inputs).enumerated() {
        feed.set(["xpos": "\(16 * index)"])
        feed.start(input.caps)
      }
      for (feed, input) in zip(mixer.feeds, inputs) {
        let picture = Picture(Self.layout, color: [input.value, input.value, input.value, 255])
        #expect(feed.push(picture.packed().at(0)) == GST_FLOW_OK)
      }
      let picture = try mixer.takePicture(output)
      return inputs.indices.map { Int(picture[16 * $0 + 8, 8][0]) }
    }

    // Stock fails: it only warns that it mixes the two.
    @Test("report 22: the whites of both kinds meet, in an output of either kind")
    func mixedWhites() throws {
      let inputs = [(UInt8(255), Self.standard), (Self.white, Self.high)]
      for (output, white) in [(Self.standardColors, 255), (Self.highColors, Int(Self.white))] {
        let seen = try grays(inputs, to: output)
        #expect(abs(seen[0] - white) <= 3, "\(seen) instead of \(white)")
        // A curve that leaves room for highlights may take a tenth of the range.
        #expect((white - 26...white + 3).contains(seen[1]), "\(seen) instead of \(white)")
      }
      _ = Diagnostics.take()
    }

    // Stock fails, as in report 22: white becomes 10,000 cd/m².
    @Test("report 26: a standard clip in an output of high range has its white at 203 cd/m²")
    func expansion() throws {
      let inputs: [(UInt8, String)] = [(255, Self.standard), (0, Self.standard)]
      let seen = try grays(inputs, to: Self.highColors)
      #expect(abs(seen[0] - Int(Self.white)) <= 1 && seen[1] <= 1, "\(seen)")
      _ = Diagnostics.take()
    }
  }
}
