import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests.Reports {
  /// Alpha of pads and pixels, and the background under them.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct Alpha {
    private static let ramp = VideoLayout("RGBA", 256, 2)

    /// One color whose alpha grows from left to right.
    private func ramp(_ color: [UInt8]) -> Picture {
      var picture = Picture(Self.ramp)
      for y in 0..<2 { for x in 0..<256 { picture[x, y] = color + [UInt8(x)] } }
      return picture
    }

    /// What comes out where one frame goes to each pad.
    private func compose(
      _ pictures: [Picture], _ properties: KeyValuePairs<String, String>, output: VideoLayout,
      pads: [KeyValuePairs<String, String>] = []
    ) throws -> Picture {
      let mixer = try Mixer(inputs: pictures.count, properties, outputCaps: output.caps())
      for (feed, settings) in zip(mixer.feeds, pads) { feed.set(settings) }
      for (feed, picture) in zip(mixer.feeds, pictures) { feed.start(picture.layout.caps()) }
      for (feed, picture) in zip(mixer.feeds, pictures) {
        #expect(feed.push(picture.packed().at(0)) == GST_FLOW_OK)
      }
      return try mixer.takePicture(output)
    }

    @Test(
      "report 25: a layer that is fully transparent leaves every value below as it is",
      arguments: ["RGBA", "I420", "NV12"], ["over", "add"])
    func transparentLayer(_ format: String, _ blend: String) throws {
      let layout = VideoLayout(format, 64, 64)
      var base = Picture.noise(layout, seed: 1)
      var top = Picture.noise(layout, seed: 2)
      // The last byte of these formats is alpha.
      let hasAlpha = format.hasSuffix("A")
      func setAlpha(_ picture: inout Picture, _ value: UInt8) {
        for index in picture.planes[0].indices where index % 4 == 3 {
          picture.planes[0][index] = value
        }
      }
      if hasAlpha { setAlpha(&base, 255) }
      let byPad = try compose(
        [base, top], [:], output: layout, pads: [[:], ["alpha": "0", "operator": blend]])
      #expect(byPad == base, "\(Difference(byPad, base))")
      guard hasAlpha else { return }
      setAlpha(&top, 0)
      let byPixel = try compose(
        [base, top], [:], output: layout, pads: [[:], ["operator": blend]])
      #expect(byPixel == base, "\(Difference(byPixel, base))")
    }

    @Test(
      "report 27: in a crossfade two opaque layers of one color stay what they are at every step")
    func crossfade() throws {
      let layout = VideoLayout("RGBA", 4, 4)
      let mixer = try Mixer(
        inputs: 2, ["background": "transparent"], outputCaps: layout.caps())
      let (from, to) = (mixer.feeds[0], mixer.feeds[1])
      from.set(["operator": "source"])
      to.set(["operator": "add"])
      let color: [UInt8] = [255, 128, 1, 255]
      for feed in mixer.feeds { feed.start(layout.caps()) }
      var wrong: [String] = []
      for step in 0...1024 {
        raster_test_set_double(from.sink, "alpha", 1 - Double(step) / 1024)
        raster_test_set_double(to.sink, "alpha", Double(step) / 1024)
        for feed in mixer.feeds { feed.push(Picture(layout, color: color).packed().at(step)) }
        let pixel = try mixer.takePicture(layout)[1, 2]
        let error = zip(pixel, color).map { abs(Int($0) - Int($1)) }.max() ?? 256
        if error > 1 || pixel[3] != 255 { wrong.append("step \(step): \(pixel)") }
      }
      #expect(wrong.isEmpty, "\(wrong.count) steps, as \(wrong.prefix(3))")
    }

    @Test("report 28: a soft edge over white has no dark ring, and over nothing keeps its color")
    func softEdge() throws {
      let red = ramp([255, 0, 0])
      let white = Picture(Self.ramp, filledWith: 255)
      let over = try compose([white, red], [:], output: Self.ramp)
      let alone = try compose([red], ["background": "transparent"], output: Self.ramp)
      for x in 0..<256 {
        let rest = UInt8(255 - x)
        expectClose(over[x, 1], [255, rest, rest, 255])
        // What has no alpha has no color.
        expectClose(x == 0 ? [alone[0, 1][3]] : alone[x, 1], x == 0 ? [0] : [255, 0, 0, UInt8(x)])
      }
    }

    // Stock fails: it scales colors without regard to alpha.
    @Test("report 28: nor has a scaled edge whose transparent side is black")
    func scaledEdge() throws {
      let layout = VideoLayout("RGBA", 16, 4)
      var half = Picture(layout, color: [255, 0, 0, 255])
      for y in 0..<4 { for x in 8..<16 { half[x, y] = [0, 0, 0, 0] } }
      let output = VideoLayout("RGBA", 64, 16)
      let white = Picture(output, filledWith: 255)
      let picture = try compose(
        [white, half], [:], output: output, pads: [[:], ["width": "64", "height": "16"]])
      for x in 0..<64 {
        #expect(picture[x, 8][0] >= 254, "x \(x): \(picture[x, 8])")
      }
      expectClose(picture[2, 8], [255, 0, 0, 255])
      expectClose(picture[61, 8], [255, 255, 255, 255])
    }

    @Test("report 29: a layer that moves over nothing leaves no trail")
    func trail() throws {
      let (layout, box) = (VideoLayout("RGBA", 64, 48), VideoLayout("RGBA", 8, 8))
      let mixer = try Mixer(
        inputs: 1, ["background": "transparent"], outputCaps: layout.caps())
      let feed = mixer.feeds[0]
      feed.start(box.caps())
      for number in 0..<40 {
        let x = number % 20 * 3 - 2
        feed.set(["xpos": "\(x)", "ypos": "\(number)"])
        feed.push(Picture(box, color: [0, 255, 0, 128]).packed().at(number))
        let picture = try mixer.takePicture(layout)
        var wrong = 0
        for row in 0..<48 {
          for column in 0..<64 {
            let isInside = x..<x + 8 ~= column && number..<number + 8 ~= row
            if picture[column, row][3] != (isInside ? 128 : 0) { wrong += 1 }
          }
        }
        #expect(wrong == 0, "frame \(number)")
      }
    }

    @Test("report 30: the alphas of pad and pixel multiply")
    func product() throws {
      for alpha in [0.25, 0.5, 0.9] {
        let pad: KeyValuePairs = ["alpha": "\(alpha)"]
        let white = ramp([255, 255, 255])
        let alone = try compose(
          [white], ["background": "transparent"], output: Self.ramp, pads: [pad])
        let black = try compose([white], ["background": "black"], output: Self.ramp, pads: [pad])
        for x in 0..<256 {
          let wanted = UInt8((Double(x) * alpha).rounded())
          expectClose([alone[x, 0][3]], [wanted])
          expectClose(black[x, 0], [wanted, wanted, wanted, 255])
        }
      }
    }

    @Test(
      "report 31: the background is seen through what is transparent, as it was asked for",
      arguments: [
        ("checker", [80, 80, 80, 255]), ("black", [0, 0, 0, 255]), ("white", [255, 255, 255, 255]),
        ("transparent", [0, 0, 0, 0]),
      ])
    func background(_ name: String, _ wanted: [UInt8]) throws {
      let picture = try compose(
        [ramp([200, 100, 0])], ["background": name], output: Self.ramp)
      expectClose([picture[0, 0][3]], [wanted[3]])
      if wanted[3] > 0 { expectClose(picture[0, 0], wanted) }
      // Squares of eight.
      if name == "checker" { expectClose(picture[8, 0], [161, 156, 155, 255], within: 2) }
      guard wanted[3] > 0, name != "checker" else { return }
      let half = zip([200, 100, 0], wanted).map { (Double($0) * 128 + Double($1) * 127) / 255 }
      expectClose(picture[128, 1], half.map { UInt8($0.rounded()) } + [255])
    }

    @Test("report 32: background is where no pad has a frame, and a pad without one hides nothing")
    func emptyPads() throws {
      let layout = VideoLayout("RGBA", 16, 16)
      let mixer = try Mixer(inputs: 2, ["background": "white"], outputCaps: layout.caps())
      let (base, top) = (mixer.feeds[0], mixer.feeds[1])
      for feed in mixer.feeds { feed.start(layout.caps()) }
      let frame = GstClockTime(second / 25)
      func pixel(_ number: Int, _ colors: [[UInt8]?]) throws -> [UInt8] {
        for (feed, color) in zip(mixer.feeds, colors) {
          if let color {
            #expect(feed.push(Picture(layout, color: color).packed().at(number)) == GST_FLOW_OK)
          } else {
            #expect(feed.sendGap(GstClockTime(number) * frame, frame))
          }
        }
        return try mixer.takePicture(layout)[12, 12]
      }
      let (red, blue): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 0, 255, 255])
      let white: [UInt8] = [255, 255, 255, 255]
      #expect(try pixel(0, [nil, nil]) == white)
      #expect(try pixel(1, [red, nil]) == red)
      #expect(try pixel(2, [red, blue]) == blue)
      #expect(try pixel(3, [nil, blue]) == blue)
      #expect(try pixel(4, [nil, nil]) == white)
      // A pad that shrinks uncovers the background again.
      base.set(["width": "8", "height": "8"])
      top.set(["width": "8", "height": "8"])
      #expect(try pixel(5, [red, blue]) == white)
    }
  }
}
