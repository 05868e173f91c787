import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests.Contract {
  /// Names and order of pads, what is under the pointer, and what nobody can see.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct ContractOfPads {
    @Test("a move of the pointer reaches the pads under it, in the pixels of their frames")
    func navigation() throws {
      let mixer = try Mixer(inputs: 3)
      let sizes = [(800, 400), (400, 200), (200, 50)]
      let places: [KeyValuePairs<String, String>] = [
        ["xpos": "200", "ypos": "100", "width": "400", "height": "300"],
        ["xpos": "20", "ypos": "0", "width": "400", "height": "200"],
        ["xpos": "0", "ypos": "0", "width": "200", "height": "50"],
      ]
      for (feed, (size, place)) in zip(mixer.feeds, zip(sizes, places)) {
        feed.set(place)
        let layout = VideoLayout("I420", size.0, size.1)
        feed.start(layout.caps())
        #expect(feed.push(Picture(layout).packed().at(0)) == GST_FLOW_OK)
      }
      #expect(mixer.take() != nil)
      #expect(
        mixer.sendUpstream(
          gst_navigation_event_new_mouse_move(350, 100, GST_NAVIGATION_MODIFIER_NONE)))
      let pointers = mixer.feeds.map(\.pointer)
      #expect(pointers[0].map { [$0.x, $0.y] } == [300, 0])
      #expect(pointers[1].map { [$0.x, $0.y] } == [330, 100])
      #expect(pointers[2] == nil)
    }

    private func names(_ element: UnsafeMutablePointer<GstElement>) -> [String] {
      var (names, link): ([String], UnsafeMutablePointer<GList>?) = ([], element.pointee.sinkpads)
      while let entry = link {
        if let pad = entry.pointee.data?.assumingMemoryBound(to: GstObject.self) {
          names.append(String(cString: pad.pointee.name))
        }
        link = entry.pointee.next
      }
      return names
    }

    /// Requests pads, which live as long as the element.
    private func request(
      _ element: UnsafeMutablePointer<GstElement>, _ names: [String]
    ) throws -> [UnsafeMutablePointer<GstPad>] {
      try names.map { name in
        let pad = try #require(gst_element_request_pad_simple(element, name), "\(name)")
        gst_object_unref(pad)
        return pad
      }
    }

    @Test("pads are kept in the order of their zorder")
    func order() throws {
      let element = try #require(GStreamer.makeElement(compositor))
      defer { gst_object_unref(element) }
      let pads = try request(element, ["sink_%u", "sink_%u"])
      let orders = pads.map { UInt(text($0, "zorder")) }
      #expect(try #require(orders[1]) > #require(orders[0]))
      #expect(names(element) == ["sink_0", "sink_1"])
      pads[0].set(["zorder": "\(try #require(orders[1]) + 1)"])
      #expect(names(element) == ["sink_1", "sink_0"])
      _ = try request(element, ["sink_%u"])
      #expect(names(element) == ["sink_1", "sink_0", "sink_2"])
    }

    @Test("a pad has the number that was asked for, or else one more than the largest")
    func numbering() throws {
      let element = try #require(GStreamer.makeElement(compositor))
      defer { gst_object_unref(element) }
      let pads = try request(element, ["sink_%u", "sink_7", "sink_1", "sink_%u"])
      let names = pads.map { String(cString: cast($0, to: GstObject.self).pointee.name) }
      #expect(names == ["sink_0", "sink_7", "sink_1", "sink_8"])
    }

    /// Two pads of one place each, and whether anything of the lower one can be seen.
    struct Arrangement: Sendable, CustomStringConvertible {
      var format = "I420"
      var lower: [(String, Int)] = []
      var upper: [(String, Int)] = []
      var alpha = 1.0
      var output = ""
      let isSeen: Bool

      var description: String {
        "\(format) \(lower) under \(upper) with alpha \(alpha) in [\(output)]"
      }
    }

    private static func size(_ value: Int) -> [(String, Int)] {
      [("width", value), ("height", value)]
    }
    private static func place(_ x: Int, _ y: Int) -> [(String, Int)] { [("xpos", x), ("ypos", y)] }

    static let arrangements =
      [
        Arrangement(isSeen: false), Arrangement(format: "ARGB", isSeen: true),
        Arrangement(upper: size(10), isSeen: true),
        Arrangement(lower: size(10), upper: size(10), isSeen: false),
        Arrangement(lower: size(20), upper: size(10), isSeen: true),
        Arrangement(lower: size(10), upper: size(20), isSeen: false),
        Arrangement(lower: place(10, 10), upper: place(20, 20), isSeen: true),
        // Bugs 754107 and 754576: the two are beside each other.
        Arrangement(
          lower: place(10, 10) + size(10), upper: size(10), output: "width=20, height=20",
          isSeen: true),
        Arrangement(
          lower: place(10, 10) + size(10), upper: place(-1, 0) + size(10),
          output: "width=20, height=20", isSeen: true),
        // Outside of the frame.
        Arrangement(lower: place(10_000, 10_000), output: "width=320, height=240", isSeen: false),
      ] + (0...9).map { Arrangement(alpha: Double($0) / 10, isSeen: true) }

    @Test("what cannot be seen is not read", arguments: arrangements)
    func obscured(_ arrangement: Arrangement) throws {
      let output = "video/x-raw, format=\(arrangement.format)"
      let size = arrangement.output.isEmpty ? "" : ", \(arrangement.output)"
      let mixer = try Mixer(inputs: 2, outputCaps: output + size)
      let layout = VideoLayout(arrangement.format, 320, 240)
      for (feed, geometry) in zip(mixer.feeds, [arrangement.lower, arrangement.upper]) {
        for (name, value) in geometry { feed.sink.set([name: "\(value)"]) }
      }
      mixer.feeds[1].set(["alpha": "\(arrangement.alpha)"])
      let lower = try CountedFrame(Picture(layout, filledWith: 90))
      for feed in mixer.feeds { feed.start(layout.caps()) }
      #expect(mixer.feeds[0].push(lower.buffer.at(0)) == GST_FLOW_OK)
      #expect(mixer.feeds[1].push(Picture(layout, filledWith: 200).packed().at(0)) == GST_FLOW_OK)
      #expect(try #require(mixer.take()).canBeRead)
      #expect((lower.maps > 0) == arrangement.isSeen, "\(lower.maps) maps")
    }
  }
}

/// The value of a property as text; empty where there is none.
func text<Object>(_ object: UnsafeMutablePointer<Object>, _ name: String) -> String {
  guard let text = raster_test_get_text(object, name) else { return "" }
  defer { g_free(text) }
  return String(cString: text)
}

/// A frame in memory that counts how often it is mapped.
final class CountedFrame {
  let buffer: Buffer
  private let filled: Int

  init(_ picture: Picture) throws {
    let allocator = raster_test_allocator_new()
    defer { gst_object_unref(allocator) }
    let size = picture.layout.info.size
    buffer = Buffer(owning: try #require(gst_buffer_new_allocate(allocator, size, nil)))
    picture.write(to: buffer)
    filled = buffer.memories.map { Int(raster_test_map_count($0)) }.reduce(0, +)
  }

  /// How often somebody has mapped the frame.
  var maps: Int {
    buffer.memories.map { Int(raster_test_map_count($0)) }.reduce(0, +) - filled
  }
}
