import CGstCheck
import RasterTestSupport
import RasterVideo
import Testing

extension FilterElementTests {
  /// Formats and sizes: odd ones, large ones, and those that change in a stream.
  @Suite struct Caps {
    private let settings = Settings(brightness: 0.05, contrast: 1.3, saturation: 0.6, gamma: 1.4)

    @Test("the smallest and oddest sizes pass whole pipelines", arguments: VideoFormats.names)
    func smallSizes(_ format: String) throws {
      let device = try OpenDevice()
      defer { withExtendedLifetime(device) {} }
      for (width, height) in [(1, 1), (2, 1), (3, 3), (5, 7), (1, 64), (321, 1)] {
        let layout = VideoLayout(format, width, height)
        let test = try TestPipeline(
          "videotestsrc num-buffers=2 ! \(layout.caps()) ! rasterfilter name=r brightness=0.2 "
            + "! fakesink")
        #expect(test.run() == .endOfStream, "\(width)×\(height)")
        #expect(try test.element("r").statistic("frames") == 2)
      }
    }

    @Test("every size up to 17 gives the pixels of a large frame", arguments: VideoFormats.names)
    func pixelsOfAllSizes(_ format: String) throws {
      let harness = try #require(Harness())
      settings.apply(to: harness.element)
      for size in [1, 2, 3, 5, 8, 9, 17] {
        let layout = VideoLayout(format, size, (size * 5) % 7 + 1)
        var picture = Picture(layout)
        for (plane, value) in picture.planes.indices.map({ ($0, [90, 110, 150, 200][$0]) }) {
          picture.planes[plane] = picture.planes[plane].map { _ in UInt8(value) }
        }
        harness.start(layout.caps())
        let result = try #require(harness.process(picture), "\(size)")
        for (plane, bytes) in result.planes.enumerated() {
          let group = layout.planes[plane].pixelStride
          let used = layout.planes[plane].usedBytes
          let isUniform = bytes.indices.allSatisfy {
            !used[$0 % group] || bytes[$0] == bytes[$0 % group]
          }
          #expect(isUniform, "\(format) size \(size) plane \(plane)")
        }
      }
    }

    @Test(
      "a frame of 4096×2160 is processed, and so is what follows it", arguments: ["NV12", "RGBA"])
    func large(_ format: String) throws {
      let layout = VideoLayout(format, 4096, 2160)
      let test = try TestPipeline(
        "videotestsrc num-buffers=2 pattern=black ! \(layout.caps()) "
          + "! rasterfilter name=r brightness=0.2 ! fakesink name=s")
      let list = BufferList()
      let probe = try BufferProbe(try test.element("s"), "sink") { buffer in
        list.append(buffer)
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.run() == .endOfStream)
      let result = try #require(list.all.last?.bytes)
      // Black and a fifth of the code range, in RGBA through the limited range of luma.
      let expected = format == "NV12" ? 16 + 51 : 59
      #expect(abs(Int(result[0]) - expected) <= 1)
      #expect(result[0] == result[4096 * (format == "NV12" ? 2159 : 2159 * 4)])
    }

    @Test("caps that change while playing take effect with the next frame")
    func changes() throws {
      let harness = try #require(Harness())
      settings.apply(to: harness.element)
      let layouts = [
        VideoLayout("NV12", 64, 48), VideoLayout("NV12", 32, 18), VideoLayout("RGBA", 32, 18),
        VideoLayout("I420", 33, 19), VideoLayout("GRAY8", 1, 1), VideoLayout("NV12", 64, 48),
      ]
      for round in 0..<5 {
        for layout in layouts {
          let picture = Picture.noise(layout, seed: UInt64(round + 1))
          harness.start(layout.caps())
          let expected = try Processor("rasterfilter", layout).process(picture, settings)
          for _ in 0..<2 {
            let result = try #require(harness.process(picture), "\(layout.caps())")
            #expect(Difference(result, expected).maximum == 0, "\(layout.caps())")
          }
        }
      }
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("caps change between neutral formats and processed ones")
    func changesWithSettings() throws {
      let harness = try #require(Harness())
      for _ in 0..<5 {
        let exotic = VideoLayout("Y444_16LE", 20, 10)
        harness.element.set("contrast", to: "1")
        harness.start(exotic.caps())
        let buffer = Picture(exotic).packed()
        #expect(harness.process(buffer)?.pointer == buffer.pointer)
        let layout = VideoLayout("NV12", 20, 10)
        harness.start(layout.caps())
        harness.element.set("contrast", to: "1.5")
        let other = Picture.noise(layout).packed()
        let output = try #require(harness.process(other))
        #expect(output.pointer != other.pointer)
      }
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("the color matrix of the caps is used", arguments: ["bt601", "bt709", "bt2020"])
    func colorimetry(_ name: String) throws {
      let layout = VideoLayout("NV12", 16, 16)
      var picture = Picture(layout, filledWith: 128)
      picture.planes[1] = (0..<picture.planes[1].count).map { $0 % 2 == 0 ? 90 : 240 }
      let harness = try #require(Harness("rasterfilter", ["exposure": "-1"]))
      harness.start(layout.caps(colorimetry: name))
      let dark = try #require(harness.process(picture))
      // Halving R'G'B' halves luma above black and chroma around gray, whatever the matrix is.
      #expect(dark.planes[0].allSatisfy { $0 == 72 })
      #expect(abs(Int(dark.planes[1][0]) - 109) <= 1 && abs(Int(dark.planes[1][1]) - 184) <= 1)
    }

    @Test(
      "unknown fields, pixel aspect ratio and interlacing of the caps are kept",
      arguments: [
        "0", "0.2",
      ])
    func otherFields(_ brightness: String) throws {
      let harness = try #require(Harness("rasterfilter", ["brightness": brightness]))
      let caps =
        VideoLayout("NV12", 16, 16).caps() + ", pixel-aspect-ratio=(fraction)4/3, "
        + "interlace-mode=(string)mixed, chroma-site=(string)jpeg, colorimetry=(string)bt709, "
        + "x-own-field=(string)kept"
      harness.start(caps)
      #expect(harness.process(Picture(VideoLayout("NV12", 16, 16)).packed()) != nil)
      let output = try #require(gst_pad_get_current_caps(harness.harness.pointee.sinkpad))
      defer { gst_caps_unref(output) }
      let wanted = try #require(gst_caps_from_string(caps))
      defer { gst_caps_unref(wanted) }
      #expect(gst_caps_is_equal(output, wanted) != 0)
    }

    @Test("downstream's choice of format reaches upstream")
    func negotiation() throws {
      for format in ["RGB", "YV12", "GRAY8"] {
        let test = try TestPipeline(
          "videotestsrc num-buffers=2 ! rasterfilter brightness=0.2 "
            + "! \(VideoLayout(format, 40, 30).caps()) ! fakesink")
        #expect(test.run() == .endOfStream)
      }
    }

    @Test("caps that are no video end in an error, not in a crash")
    func nonsense() throws {
      for caps in [
        "video/x-raw, format=NV12", "video/x-raw, format=nonsense, width=1, height=1",
        "audio/x-raw, format=S16LE, rate=8000, channels=1, layout=interleaved",
        "video/x-raw, format=NV12, width=2147483647, height=2147483647, framerate=25/1",
      ] {
        let harness = try #require(Harness("rasterfilter", ["brightness": "0.2"]))
        harness.start(caps)
        let buffer = Picture(VideoLayout("NV12", 4, 4)).packed()
        let flow = harness.push(buffer)
        #expect(flow != GST_FLOW_OK, "\(caps)")
      }
    }
  }
}
