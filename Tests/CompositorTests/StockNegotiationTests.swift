import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// The output that pads ask for where downstream takes any, as GStreamer's compositor has it.
  @Suite(.guarded) struct StockNegotiation {
    struct Choice: Sendable, CustomTestStringConvertible {
      var name: String
      /// The caps of each pad after the media type, and properties of it.
      var pads: [(caps: String, properties: String)]
      /// What downstream wants; any for nil.
      var downstream: String?
      /// Format, size, frame rate, shape of pixels, colorimetry and interlacing.
      var output: String

      var testDescription: String { name }

      init(
        _ name: String, _ pads: [(caps: String, properties: String)], downstream: String? = nil,
        _ output: String
      ) {
        (self.name, self.pads, self.downstream, self.output) = (name, pads, downstream, output)
      }
    }

    private static func pad(
      _ format: String, _ width: Int, _ height: Int, rate: String = "25/1", _ more: String = "",
      _ properties: String = ""
    ) -> (caps: String, properties: String) {
      (
        "format=\(format),width=\(width),height=\(height),framerate=\(rate)"
          + (more.isEmpty ? "" : ",\(more)"), properties
      )
    }

    static let choices = [
      Choice(
        "one pad", [pad("I420", 320, 240, rate: "30/1")], "I420 320×240 30/1 1:1 bt601 progressive"),
      Choice(
        "the widest and the highest", [pad("I420", 320, 100), pad("I420", 100, 240)],
        "I420 320×240 25/1 1:1 bt601 progressive"),
      Choice(
        "as far as pads reach",
        [pad("I420", 64, 48, "", "xpos=30 ypos=10"), pad("I420", 32, 32, "", "ypos=100")],
        "I420 94×132 25/1 1:1 bt601 progressive"),
      Choice(
        "what lies beyond the left and the top counts whole",
        [pad("I420", 64, 48, "", "xpos=-30 ypos=-40")], "I420 64×48 25/1 1:1 bt601 progressive"),
      Choice(
        "sizes of pads", [pad("I420", 64, 48, "", "width=200 height=100 xpos=8")],
        "I420 208×100 25/1 1:1 bt601 progressive"),
      Choice(
        "one side of a pad", [pad("I420", 64, 48, "", "width=200")],
        "I420 200×48 25/1 1:1 bt601 progressive"),
      Choice(
        "the whole room of a pad that keeps its shape",
        [pad("I420", 64, 32, "", "width=100 height=100 sizing-policy=keep-aspect-ratio")],
        "I420 100×100 25/1 1:1 bt601 progressive"),
      Choice(
        "pads that nobody sees, too",
        [pad("I420", 64, 48), pad("I420", 100, 80, "", "alpha=0")],
        "I420 100×80 25/1 1:1 bt601 progressive"),
      Choice(
        "the fastest", [pad("I420", 64, 48, rate: "24/1"), pad("I420", 32, 32, rate: "60/1")],
        "I420 64×48 60/1 1:1 bt601 progressive"),
      Choice(
        "a rate in fractions",
        [pad("I420", 64, 48, rate: "30000/1001"), pad("I420", 32, 32, rate: "29/1")],
        "I420 64×48 30000/1001 1:1 bt601 progressive"),
      Choice(
        "wide pixels", [pad("I420", 64, 48, "pixel-aspect-ratio=2/1")],
        "I420 128×48 25/1 1:1 bt601 progressive"),
      Choice(
        "high pixels", [pad("I420", 64, 48, "pixel-aspect-ratio=1/2")],
        "I420 32×48 25/1 1:1 bt601 progressive"),
      Choice(
        "wide pixels by downstream's wish", [pad("I420", 64, 48)],
        downstream: "pixel-aspect-ratio=2/1", "I420 32×48 25/1 2:1 bt601 progressive"),
      Choice(
        "a width by downstream's wish", [pad("I420", 64, 48)], downstream: "width=500",
        "I420 500×48 25/1 1:1 bt601 progressive"),
      Choice(
        "a range of rates downstream", [pad("I420", 64, 48, rate: "60/1")],
        downstream: "framerate=[1/1,30/1]", "I420 64×48 30/1 1:1 bt601 progressive"),
      Choice(
        "the format of the largest", [pad("NV12", 64, 48), pad("Y444", 96, 48)],
        "Y444 96×48 25/1 1:1 bt601 progressive"),
      Choice(
        "the format that most pixels have",
        [pad("Y444", 64, 48), pad("NV12", 48, 48), pad("NV12", 48, 48)],
        "NV12 64×48 25/1 1:1 bt601 progressive"),
      Choice(
        "the first of two formats", [pad("RGBx", 64, 48), pad("I420", 64, 48)],
        "RGBx 64×48 25/1 1:1 sRGB progressive"),
      Choice(
        "a format with alpha before larger ones", [pad("I420", 640, 480), pad("RGBA", 16, 16)],
        "RGBA 640×480 25/1 1:1 sRGB progressive"),
      Choice(
        "the largest of those with alpha",
        [pad("AYUV", 16, 16), pad("RGBA", 32, 16), pad("I420", 64, 64)],
        "RGBA 64×64 25/1 1:1 sRGB progressive"),
      Choice(
        "alpha to add", [pad("I420", 64, 48, "", "operator=add")],
        "ARGB 64×48 25/1 1:1 sRGB progressive"),
      Choice(
        "alpha to add, and a pad that has it",
        [pad("I420", 64, 48, "", "operator=add"), pad("AYUV", 16, 16)],
        "AYUV 64×48 25/1 1:1 bt601 progressive"),
      Choice(
        "more bits", [pad("I420_10LE", 64, 48), pad("I420", 32, 32)],
        "I420_10LE 64×48 25/1 1:1 bt601 progressive"),
      Choice(
        "fewer bits of more pixels", [pad("P010_10LE", 32, 32), pad("I420", 64, 48)],
        "I420 64×48 25/1 1:1 bt601 progressive"),
      Choice(
        "colorimetry of the pad whose format is taken",
        [pad("NV12", 64, 48, "colorimetry=bt601"), pad("I420", 96, 48, "colorimetry=bt709")],
        "I420 96×48 25/1 1:1 bt709 progressive"),
      Choice(
        "colorimetry of the larger of one format",
        [pad("I420", 64, 48, "colorimetry=bt601"), pad("I420", 96, 48, "colorimetry=bt709")],
        "I420 96×48 25/1 1:1 bt709 progressive"),
      Choice(
        "the full range", [pad("NV12", 64, 48, "colorimetry=(string)1:4:0:0")],
        "NV12 64×48 25/1 1:1 1:4:0:0 progressive"),
      Choice("gray", [pad("GRAY8", 64, 48)], "GRAY8 64×48 25/1 1:1 1:4:0:0 progressive"),
      Choice(
        "interlaced pads",
        [
          pad("I420", 64, 48, "interlace-mode=interleaved"),
          pad("I420", 32, 32, "interlace-mode=interleaved"),
        ], downstream: "interlace-mode=interleaved", "I420 64×48 25/1 1:1 bt601 interleaved"),
      Choice(
        "a format by downstream's wish", [pad("I420", 64, 48)],
        downstream: "format=(string){RGBA,NV12}", "RGBA 64×48 25/1 1:1 sRGB progressive"),
      Choice(
        "a format by downstream's wish that has alpha", [pad("RGBA", 64, 48)],
        downstream: "format=(string){NV12,BGRA}", "BGRA 64×48 25/1 1:1 sRGB progressive"),
    ]

    @Test("the output is what pads and downstream ask for", arguments: choices)
    func output(_ choice: Choice) throws {
      let properties = choice.pads.enumerated().flatMap { index, pad in
        pad.properties.split(separator: " ").map { "sink_\(index)::\($0)" }
      }
      var description = "\(compositor) name=c \(properties.joined(separator: " "))"
      if let downstream = choice.downstream { description += " ! video/x-raw,\(downstream)" }
      description += " ! fakesink name=s"
      for (index, pad) in choice.pads.enumerated() {
        description += " videotestsrc num-buffers=2 ! video/x-raw,\(pad.caps) ! c.sink_\(index)"
      }
      let test = try TestPipeline(description)
      #expect(test.run() == .endOfStream)
      let info = try videoInfo(try test.element("s"), "sink")
      #expect(summary(info) == choice.output)
    }

    private func summary(_ info: GstVideoInfo) -> String {
      var copy = info
      let format = info.finfo.map { String(cString: $0.pointee.name) } ?? "?"
      let colors = gst_video_colorimetry_to_string(&copy.colorimetry)
      defer { g_free(colors) }
      let interlacing = String(cString: gst_video_interlace_mode_to_string(info.interlace_mode))
      return "\(format) \(info.width)×\(info.height) \(info.fps_n)/\(info.fps_d) "
        + "\(info.par_n):\(info.par_d) \(colors.map { String(cString: $0) } ?? "?") \(interlacing)"
    }
  }
}
