import CGstCheck
import RasterTestSupport
import RasterVideo
import Testing

extension FilterElementTests {
  /// The same frames through the stock elements.
  @Suite struct Stock {
    static let balances = [
      Settings(brightness: 0.3), Settings(brightness: -0.45), Settings(contrast: 0.4),
      Settings(contrast: 1.8), Settings(saturation: 0), Settings(saturation: 1.7),
      Settings(hue: 0.35), Settings(hue: -1),
      Settings(brightness: 0.1, contrast: 1.3, hue: -0.2, saturation: 1.4),
    ]
    static let gammas = [0.3, 0.8, 2.2, 5].map { Settings(gamma: $0) }
    static let ycbcrFormats = ["I420", "NV12", "NV21"]
    static let colorFormats = [
      "RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR", "RGB", "BGR", "I420", "NV12",
      "NV21",
    ]

    /// The stock elements do R'G'B' in steps that are rounded to 8 bits each.
    private func bound(_ format: String) -> Int { Stock.ycbcrFormats.contains(format) ? 1 : 4 }

    private func expectSame(
      _ pictures: [Picture], as peer: String, _ all: [Settings], within bound: Int
    ) throws {
      let layout = try #require(pictures.first?.layout)
      let ours = try Processor("rasterfilter", layout)
      let stock = try Processor(peer, layout)
      for (index, picture) in pictures.enumerated() {
        for settings in all {
          let difference = Difference(
            try ours.process(picture, settings), try stock.process(picture, settings))
          #expect(
            difference.maximum <= bound, "\(peer) \(settings), picture \(index): \(difference)")
        }
      }
    }

    @Test("colors are those of videobalance", arguments: colorFormats)
    func videobalance(_ format: String) throws {
      let layout = VideoLayout(format, 64, 48)
      let pictures = try ["smpte", "zone-plate", "gradient"].map { try testPicture(layout, $0) }
      try expectSame(pictures, as: "videobalance", Stock.balances, within: bound(format))
    }

    @Test("luma is that of gamma", arguments: colorFormats)
    func gamma(_ format: String) throws {
      let layout = VideoLayout(format, 64, 48)
      let pictures = try ["smpte", "gradient"].map { try testPicture(layout, $0) }
      try expectSame(pictures, as: "gamma", Stock.gammas, within: bound(format))
    }

    @Test("every code value of Y'CbCr is treated as by the stock elements", arguments: ycbcrFormats)
    func noise(_ format: String) throws {
      let pictures = [Picture.noise(VideoLayout(format, 128, 128))]
      try expectSame(pictures, as: "videobalance", Stock.balances, within: 1)
      try expectSame(pictures, as: "gamma", Stock.gammas, within: 1)
    }

    // videobalance 1.22 turns the hue of YV12 the wrong way: it takes V for U.
    @Test("YV12 gives the samples of I420 in its own order of planes")
    func swappedPlanes() throws {
      let picture = Picture.noise(VideoLayout("I420", 66, 50))
      var swapped = Picture(VideoLayout("YV12", 66, 50))
      swapped.planes = [picture.planes[0], picture.planes[2], picture.planes[1]]
      let reference = try Processor("rasterfilter", picture.layout)
      let processor = try Processor("rasterfilter", swapped.layout)
      for settings in Stock.balances {
        let expected = try reference.process(picture, settings).planes
        let actual = try processor.process(swapped, settings).planes
        #expect(actual == [expected[0], expected[2], expected[1]], "\(settings)")
      }
    }

    @Test("gray is the luma of I420 where the range is the same")
    func gray() throws {
      let color = Picture.noise(VideoLayout("I420", 66, 50))
      var gray = Picture(VideoLayout("GRAY8", 66, 50))
      gray.planes = [color.planes[0]]
      let reference = try Processor("rasterfilter", color.layout, colorimetry: "bt601")
      let processor = try Processor("rasterfilter", gray.layout, colorimetry: "2:4:0:0")
      for settings in Stock.balances + Stock.gammas {
        var expected = Picture(gray.layout)
        expected.planes = [try reference.process(color, settings).planes[0]]
        let difference = Difference(try processor.process(gray, settings), expected)
        #expect(difference.maximum <= 1, "\(settings): \(difference)")
      }
    }

    @Test("an orange square has the same luma in NV12, NV21 and I420", arguments: balances.indices)
    func formatsAgree(_ index: Int) throws {
      let lumas = try Stock.ycbcrFormats.map { format in
        let layout = VideoLayout(format, 64, 48)
        let picture = try testPicture(layout, "smpte")
        return try Processor("rasterfilter", layout).process(picture, Stock.balances[index]).planes[
          0]
      }
      #expect(Set(lumas).count == 1)
    }
  }
}

/// The settings that a stock element has too.
struct Settings: Hashable, Sendable {
  var brightness = 0.0
  var contrast = 1.0
  var hue = 0.0
  var saturation = 1.0
  var gamma = 1.0

  /// Sets those properties that the element has.
  func apply(to element: UnsafeMutablePointer<GstElement>) {
    let all = [
      ("brightness", brightness), ("contrast", contrast), ("hue", hue), ("saturation", saturation),
      ("gamma", gamma),
    ]
    for (name, value) in all where raster_test_find_property(element, name) != nil {
      raster_test_set_double(element, name, value)
    }
  }
}

/// An element that processes pictures of one layout.
final class Processor {
  let harness: Harness

  init(_ factory: String, _ layout: VideoLayout, colorimetry: String? = nil) throws {
    harness = try #require(Harness(factory, readsVideoMeta: factory == "rasterfilter"))
    harness.start(layout.caps(colorimetry: colorimetry))
  }

  func process(_ picture: Picture, _ settings: Settings) throws -> Picture {
    settings.apply(to: harness.element)
    return try #require(harness.process(picture))
  }
}

/// A picture of GStreamer's test source.
func testPicture(_ layout: VideoLayout, _ pattern: String) throws -> Picture {
  let test = try TestPipeline(
    "videotestsrc num-buffers=1 pattern=\(pattern) ! \(layout.caps()) ! fakesink name=s")
  let list = BufferList()
  let probe = try BufferProbe(try test.element("s"), "sink") { buffer in
    list.append(buffer)
    return .pass
  }
  defer { withExtendedLifetime(probe) {} }
  #expect(test.run() == .endOfStream)
  return try #require(list.all.first.flatMap { Picture(reading: $0, as: layout) })
}
