import CGstCheck
import RasterTestSupport
import RasterVideo
import Testing

extension FilterElementTests {
  /// Frames that lie in memory in other ways than GStreamer's default.
  @Suite struct Memory {
    static let settings = Settings(brightness: 0.05, contrast: 1.2, hue: 0.1, saturation: 0.8)

    private func expected(_ picture: Picture) throws -> Picture {
      try Processor("rasterfilter", picture.layout).process(picture, Memory.settings)
    }

    @Test(
      "strides and offsets that are no multiple of anything change no pixel",
      arguments:
        VideoFormats.eightBit)
    func oddLayouts(_ format: String) throws {
      let picture = Picture.noise(VideoLayout(format, 37, 11))
      let wanted = try expected(picture)
      let processor = try Processor("rasterfilter", picture.layout)
      Memory.settings.apply(to: processor.harness.element)
      for (padding, lead) in [(0, 0), (1, 0), (3, 1), (16, 4), (5, 7), (64, 64), (2, 2), (0, 3)] {
        let placement = Placement(picture.layout, padding: padding, lead: lead)
        let input = placement.buffer(of: picture)
        // A GPU of its own memory uses a memory in place when it comes for the second time.
        var copies: UInt64?
        for _ in 0..<2 {
          copies = processor.harness.count("copies")
          let output = try #require(processor.harness.process(input))
          let result = try #require(Picture(reading: output, as: picture.layout))
          let difference = Difference(result, wanted)
          #expect(difference.maximum == 0, "padding \(padding), lead \(lead): \(difference)")
        }
        #expect(processor.harness.count("copies") == copies)
      }
    }

    @Test("memories of every kind change no pixel", arguments: Placement.Memories.allCases)
    func memories(_ memories: Placement.Memories) throws {
      for format in ["NV12", "I420", "RGBA", "RGB"] {
        let picture = Picture.noise(VideoLayout(format, 36, 10))
        let wanted = try expected(picture)
        let processor = try Processor("rasterfilter", picture.layout)
        Memory.settings.apply(to: processor.harness.element)
        var placement = Placement(picture.layout)
        placement.memories = memories
        placement.hasVideoMeta = memories != .readOnly
        let input = placement.buffer(of: picture)
        #expect(processor.harness.process(input) != nil)
        let before = processor.harness.count("copies") ?? 0
        let output = try #require(processor.harness.process(input), "\(format)")
        let result = try #require(Picture(reading: output, as: picture.layout))
        #expect(Difference(result, wanted).maximum == 0, "\(format): \(Difference(result, wanted))")
        // Only a plane in two memories has to be put together first.
        let copies = (processor.harness.count("copies") ?? 0) - before
        #expect(copies == (memories == .splitPlane ? 1 : 0), "\(format)")
      }
    }

    @Test("a read-only mapping of a file is read")
    func readOnlyPages() throws {
      let picture = Picture.noise(VideoLayout("NV12", 64, 64))
      let wanted = try expected(picture)
      let processor = try Processor("rasterfilter", picture.layout)
      Memory.settings.apply(to: processor.harness.element)
      let pages = try #require(ReadOnlyPages.buffer(picture.packed().bytes))
      let output = try #require(processor.harness.process(pages))
      let result = try #require(Picture(reading: output, as: picture.layout))
      #expect(Difference(result, wanted).maximum == 0)
    }

    @Test("a frame is read again after upstream has written it anew")
    func recycledInput() throws {
      let layout = VideoLayout("I420", 32, 32)
      let processor = try Processor("rasterfilter", layout)
      let input = Picture(layout).packed()
      for seed in 1...20 {
        let picture = Picture.noise(layout, seed: UInt64(seed))
        input.fill(0, picture.planes.flatMap { $0 })
        Memory.settings.apply(to: processor.harness.element)
        let output = try #require(processor.harness.process(input))
        let result = try #require(Picture(reading: output, as: layout))
        #expect(result == (try expected(picture)), "frame \(seed)")
      }
      #expect(processor.harness.count("imports") == 1)
    }

    @Test("one memory that holds two frames is used for both")
    func framesInOneMemory() throws {
      let layout = VideoLayout("NV12", 32, 16)
      let pictures = [1, 2].map { Picture.noise(layout, seed: $0) }
      let bytes = pictures.map { $0.packed().bytes }
      let both = try #require(gst_allocator_alloc(nil, gsize(bytes[0].count * 2), nil))
      defer { gst_memory_unref(both) }
      var map = GstMapInfo()
      try #require(gst_memory_map(both, &map, GST_MAP_WRITE) != 0)
      UnsafeMutableRawPointer(map.data)?.copyMemory(
        from: bytes[0] + bytes[1], byteCount: 2 * bytes[0].count)
      gst_memory_unmap(both, &map)
      let processor = try Processor("rasterfilter", layout)
      Memory.settings.apply(to: processor.harness.element)
      for (index, picture) in pictures.enumerated() {
        let part = gst_memory_share(both, index * bytes[0].count, bytes[0].count)
        let buffer = Buffer(owning: gst_buffer_new())
        gst_buffer_append_memory(buffer.pointer, part)
        let output = try #require(processor.harness.process(buffer))
        #expect(Picture(reading: output, as: layout) == (try expected(picture)))
      }
      // A GPU with memory of its own copies both planes of the first frame.
      let (imports, copies) = (
        processor.harness.count("imports"), processor.harness.count("copies")
      )
      #expect(imports == 1 && (copies == 0 || copies == 2))
    }

    @Test("two elements in a row give what one gives after the other")
    func twoInARow() throws {
      let picture = Picture.noise(VideoLayout("NV12", 70, 30))
      let first = try Processor("rasterfilter", picture.layout)
      let second = try Processor("rasterfilter", picture.layout)
      Memory.settings.apply(to: first.harness.element)
      Settings(contrast: 0.7).apply(to: second.harness.element)
      let middle = try #require(first.harness.process(picture.packed()))
      let direct = try #require(second.harness.process(middle))
      let between = try #require(Picture(reading: middle, as: picture.layout))
      let repacked = try #require(second.harness.process(between.packed()))
      #expect(
        Picture(reading: direct, as: picture.layout)
          == Picture(reading: repacked, as: picture.layout))
      // The memory of the first element is known to the device already; the other is new.
      let (imports, copies) = (second.harness.count("imports"), second.harness.count("copies"))
      #expect(imports == 1 && copies == 0 || imports == 0 && copies == 2)
    }

    @Test(
      "a buffer that is too short ends in one error with cause and remedy",
      arguments: [
        0, 1, 100, 3071,
      ])
    func tooShort(_ size: Int) throws {
      let layout = VideoLayout("NV12", 64, 32)
      let harness = try #require(Harness("rasterfilter", ["contrast": "1.5"]))
      for _ in 0..<2 {
        harness.start(layout.caps())
        for _ in 0..<3 {
          let buffer = Buffer(owning: gst_buffer_new())
          if size > 0 {
            gst_buffer_append_memory(buffer.pointer, gst_allocator_alloc(nil, gsize(size), nil))
          }
          #expect(harness.push(buffer) == GST_FLOW_ERROR)
        }
        let errors = harness.takeErrors()
        #expect(errors.count == 1)
        #expect(errors.first?.text.contains("too small") == true)
        #expect(errors.first?.debug.contains("remedy: ") == true)
        #expect(harness.pull() == nil)
        // NULL mends it.
        gst_element_set_state(harness.element, GST_STATE_NULL)
        gst_element_set_state(harness.element, GST_STATE_PLAYING)
        harness.start(layout.caps())
        #expect(harness.process(Picture(layout).packed()) != nil)
      }
    }

    @Test(
      "a GstVideoMeta that points outside its buffer ends in an error",
      arguments: [
        ([0, 1 << 40], [64, 64]), ([0, 2048], [64, 1 << 30]), ([0, 2048], [-64, 64]),
        ([Int.max - 5, 2048], [64, 64]), ([0, 2048], [Int(Int32.max), 64]),
        ([0, 2048], [Int(Int32.min), 64]),
      ])
    func wrongMeta(_ offsets: [Int], _ strides: [Int]) throws {
      let layout = VideoLayout("NV12", 64, 32)
      let harness = try #require(Harness("rasterfilter", ["contrast": "1.5"]))
      harness.start(layout.caps())
      let good = Picture(layout).packed()
      var wrong = Placement(layout)
      (wrong.offsets, wrong.strides, wrong.hasVideoMeta) = (offsets, strides, true)
      wrong.addVideoMeta(to: good)
      #expect(harness.push(good) == GST_FLOW_ERROR)
      let errors = harness.takeErrors()
      #expect(errors.count == 1)
      #expect(errors.first?.debug.contains("remedy: ") == true)
    }

    @Test("rows that are stored bottom up are read in their order")
    func bottomUp() throws {
      let layout = VideoLayout("RGBA", 20, 9)
      let picture = Picture.noise(layout)
      var flipped = Picture(layout)
      for row in 0..<9 {
        let source = picture.planes[0][(8 - row) * 80..<(9 - row) * 80]
        flipped.planes[0].replaceSubrange(row * 80..<(row + 1) * 80, with: source)
      }
      var placement = Placement(layout)
      (placement.offsets, placement.strides, placement.hasVideoMeta) = ([8 * 80], [-80], true)
      let buffer = picture.packed()
      placement.addVideoMeta(to: buffer)
      let processor = try Processor("rasterfilter", layout)
      Memory.settings.apply(to: processor.harness.element)
      let output = try #require(processor.harness.process(buffer))
      #expect(Picture(reading: output, as: layout) == (try expected(flipped)))
    }
  }
}
