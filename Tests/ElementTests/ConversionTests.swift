import CGstCheck
import RasterTestSupport
import RasterVideo
import Testing

extension FilterElementTests {
  /// Caps that differ at both sides: formats, sizes, shapes of pixels.
  @Suite struct Conversion {
    /// The last frame of a pipeline `source ! caps ! middle ! caps ! fakesink`.
    private func lastFrame(
      _ from: String, _ middle: String, _ to: String, pattern: String = "smpte"
    ) throws -> (frame: Buffer, test: TestPipeline) {
      let test = try TestPipeline(
        "videotestsrc num-buffers=2 pattern=\(pattern) ! \(from) ! \(middle) ! \(to) "
          + "! fakesink name=s")
      let list = BufferList()
      let probe = try BufferProbe(try test.element("s"), "sink") { buffer in
        list.append(Buffer(owning: gst_buffer_copy_deep(buffer.pointer)))
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.run() == .endOfStream)
      return (try #require(list.all.last), test)
    }

    private func caps(_ format: String, _ width: Int, _ height: Int) -> String {
      "video/x-raw,format=\(format),width=\(width),height=\(height)"
    }

    /// Pairs whose samples videoconvert computes exactly: it rounds Y'CbCr to R'G'B' coarsely, takes
    /// chroma of one pixel instead of all that share it, and repeats bits to make 10 of 8.
    private static let exact = [
      ("NV12", "I420"), ("I420", "NV21"), ("RGBA", "AYUV"), ("RGBA", "GRAY8"),
      ("GRAY8", "RGB"), ("RGBA", "RGBA64_LE"), ("RGBA64_LE", "BGRA"), ("P010_10LE", "NV12"),
      ("BGRx", "RGB"), ("A420", "I420"),
    ]

    @Test("formats are converted as videoconvert does", arguments: exact)
    func formats(_ from: String, _ to: String) throws {
      let (input, output) = (caps(from, 322, 241), caps(to, 322, 241))
      let (own, test) = try lastFrame(input, "rasterfilter name=r", output)
      let (other, _) = try lastFrame(
        input, "videoconvert dither=none chroma-mode=none", output)
      #expect(try test.element("r").statistic("passes-per-frame") == 1)
      #expect(own.bytes.count >= other.bytes.count)
      let expected = try #require(Picture(reading: other, as: VideoLayout(to, 322, 241)))
      let found = try #require(Picture(reading: own, as: VideoLayout(to, 322, 241)))
      for (mine, theirs) in zip(found.planes, expected.planes) {
        let worst = zip(mine, theirs).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(worst <= 1 || to.hasSuffix("64_LE") && worst <= 255, "\(from) → \(to)")
      }
    }

    @Test("a size that only downstream names is scaled to, in the same pass")
    func downstreamSize() throws {
      let (frame, test) = try lastFrame(
        caps("NV12", 640, 480), "rasterfilter name=r exposure=0.1", caps("I420", 320, 200))
      #expect(frame.bytes.count >= 320 * 200 * 3 / 2)
      #expect(try test.element("r").statistic("passes-per-frame") == 1)
    }

    @Test("filters that change the size do so where downstream takes any")
    func naturalSize() throws {
      for (filters, width, height) in [
        ("rotate, angle=90", 48, 64), ("crop, left=10, top=6", 54, 42),
        ("scale, width=20, height=10", 20, 10), ("scale, width=32", 32, 24),
        ("rotate, angle=90; scale, width=100", 100, 133),
      ] {
        let test = try TestPipeline(
          "videotestsrc num-buffers=1 ! \(caps("RGBA", 64, 48)) "
            + "! rasterfilter filters=\"\(filters)\" ! fakesink name=s")
        #expect(test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
        #expect(
          try test.caps(["width", "height"], atSinkOf: "s") == [width, height], "\(filters)")
      }
    }

    @Test("what is shown keeps its shape: pixels change theirs where the size does")
    func pixelAspect() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=1 ! \(caps("I420", 320, 240)) ! rasterfilter "
          + "! video/x-raw,width=640,height=240 ! fakesink name=s")
      #expect(test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
      #expect(try test.caps(["pixel-aspect-ratio"], atSinkOf: "s") == [1, 2])
    }

    @Test("a list that changes the size while playing takes effect at the next frame")
    func changedSize() throws {
      let device = try OpenDevice.ownWords()
      let harness = try #require(Harness("rasterfilter", ["device": device]))
      let layout = VideoLayout("RGBA", 64, 48)
      harness.start(layout.caps())
      #expect(harness.process(Picture(layout, filledWith: 9)) != nil)
      for (filters, size) in [
        ("rotate, angle=90; exposure, ev=0.1", 64 * 48), ("scale, width=32", 32 * 24),
        ("exposure, ev=0.1", 64 * 48),
      ] {
        raster_test_set_string(harness.element, "filters", filters)
        let output = try #require(harness.process(Picture(layout, filledWith: 9).packed()))
        #expect(output.bytes.count >= size * 4 && output.bytes.count < size * 4 + 64 * 64 * 4)
      }
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("neutral settings and equal caps pass frames on; other caps do not")
    func passthrough() throws {
      let (_, same) = try lastFrame(
        caps("NV12", 64, 48), "rasterfilter name=r", caps("NV12", 64, 48))
      #expect(try same.element("r").statistic("frames") == 0)
      let (_, other) = try lastFrame(
        caps("NV12", 64, 48), "rasterfilter name=r", caps("I420", 64, 48))
      #expect(try other.element("r").statistic("frames") == 2)
    }
  }
}
