import CGstCheck
import CShim
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Frames that upstream makes in pools and memories of its own, and in ours.
  @Suite struct Upstream {
    private static let layout = VideoLayout("I420", 50, 30)

    /// How upstream makes its frames; each kind uses the same bytes again and again.
    enum Kind: CaseIterable {
      case padded
      case onePerPlane
      case sharedParts
      case readOnly
      case single
    }

    @Test(
      "frames of every kind are read in place, and imported once for each memory",
      arguments: Kind.allCases)
    func kinds(_ kind: Kind) throws {
      let source = try FrameSource(kind, Upstream.layout)
      let harness = try #require(Harness("rasterfilter"))
      Memory.settings.apply(to: harness.element)
      harness.start(Upstream.layout.caps())
      let expected = try Expected(Upstream.layout)
      var (importsAfterStart, copiesAfterStart): (UInt64?, UInt64?)
      for number in 0..<100 {
        let input = try source.next(expected.inputs[number % 5])
        #expect(harness.push(input) == GST_FLOW_OK)
        let output = try #require(harness.pull())
        let result = try #require(Picture(reading: output, as: Upstream.layout))
        #expect(result == expected.outputs[number % 5], "frame \(number)")
        #expect(waits { input.referenceCount == 1 }, "frame \(number)")
        if number == 9 {
          (importsAfterStart, copiesAfterStart) = (
            harness.count("imports"), harness.count("copies")
          )
        }
      }
      #expect(importsAfterStart ?? 99 <= (kind == .onePerPlane ? 12 : 4))
      #expect(harness.count("imports") == importsAfterStart)
      // A discrete device has each memory's planes copied once, when it sees them first.
      #expect(copiesAfterStart ?? 99 <= (harness.isOnProcessor ? 0 : 12))
      #expect(harness.count("copies") == copiesAfterStart)
    }

    @Test("outputs that downstream holds stay right while upstream writes its frame anew")
    func overwrittenInputs() throws {
      let expected = try Expected(Upstream.layout)
      let harness = try #require(Harness("rasterfilter"))
      Memory.settings.apply(to: harness.element)
      harness.start(Upstream.layout.caps())
      let input = expected.inputs[0].packed()
      var held: [Buffer] = []
      for number in 0..<30 {
        expected.inputs[number % 5].write(to: input)
        #expect(harness.push(input) == GST_FLOW_OK)
        // Ours again as soon as the device has read it, though no other frame follows.
        #expect(waits { input.referenceCount == 1 })
        input.fill(0, Array(repeating: 0xaa, count: input.bytes.count))
        held.append(try #require(harness.pull()))
      }
      for (number, output) in held.enumerated() {
        let result = Picture(reading: output, as: Upstream.layout)
        #expect(result == expected.outputs[number % 5], "frame \(number)")
      }
      #expect(harness.count("imports") == 1)
    }

    /// Checks that two pipelines cost the same that differ in their length alone.
    private func checkCosts(
      of names: [String], _ pipeline: (_ frames: Int) throws -> TestPipeline
    ) throws {
      var costs: [[UInt64?]] = []
      for frames in [100, 200] {
        let test = try pipeline(frames)
        let (foreign, own, pooled) = (Counter(), Counter(), Counter())
        let probes = try names.map { name in
          try BufferProbe(try test.element(name), "sink") { buffer in
            (buffer.isOfOwnMemory ? own : foreign).increment()
            if isOfOwnPool(buffer) { pooled.increment() }
            return .pass
          }
        }
        defer { withExtendedLifetime(probes) {} }
        #expect(test.run() == .endOfStream)
        #expect(foreign.count == 0 && own.count == frames * names.count, "\(foreign.count) foreign")
        // Some decoders send shallow copies of what they keep.
        #expect(pooled.count > 0)
        let elements = try names.map { try test.element($0) }
        for element in elements { #expect(element.statistic("frames") == UInt64(frames)) }
        costs.append(elements.flatMap { [$0.statistic("imports"), $0.statistic("copies")] })
      }
      #expect(costs[0] == costs[1])
      #expect(costs[1].allSatisfy { $0 == 0 })
    }

    @Test("a source and two elements in a row use our memory: no import, no copy, however long")
    func ownMemory() throws {
      try checkCosts(of: ["a", "b"]) { frames in
        try TestPipeline(
          "videotestsrc num-buffers=\(frames) ! video/x-raw,format=NV12,width=160,height=120 "
            + "! rasterfilter name=a brightness=0.1 ! queue ! rasterfilter name=b contrast=1.1 "
            + "! fakesink sync=false")
      }
    }

    @Test(
      "a decoder writes into our memory: no import, no copy, however long",
      arguments: [
        ("x264enc speed-preset=ultrafast", "mp4mux"), ("avenc_mpeg4", "avimux"),
      ])
    func decoder(_ encoder: String, _ container: String) throws {
      let folder = try TemporaryFolder()
      try checkCosts(of: ["r"]) { frames in
        let path = folder.add("\(frames)")
        let writer = try TestPipeline(
          "videotestsrc num-buffers=\(frames) ! video/x-raw,format=I420,width=162,height=118 "
            + "! \(encoder) ! \(container) ! filesink location=\(path)")
        #expect(writer.run() == .endOfStream)
        return try TestPipeline(
          "filesrc location=\(path) ! decodebin ! rasterfilter name=r exposure=0.3 "
            + "! fakesink sync=false")
      }
    }
  }
}

private func isOfOwnPool(_ buffer: Buffer) -> Bool {
  buffer.fields.pool.map { raster_is_buffer_pool($0) != 0 } ?? false
}

/// Five pictures, and what the element makes of them.
private struct Expected {
  let inputs: [Picture]
  let outputs: [Picture]

  init(_ layout: VideoLayout) throws {
    inputs = (1...5).map { Picture.noise(layout, seed: $0) }
    let processor = try Processor("rasterfilter", layout)
    outputs = try inputs.map {
      try processor.process($0, FilterElementTests.Memory.settings)
    }
  }
}

/// Upstream's frames, in a few memories that come again and again.
private final class FrameSource {
  private let kind: FilterElementTests.Upstream.Kind
  private let layout: VideoLayout
  private var frames: [Buffer] = []
  private var pool: UnsafeMutablePointer<GstBufferPool>?
  private let parent: UnsafeMutablePointer<GstMemory>?
  private let bytes: UnsafeMutableRawPointer
  private var count = 0

  init(_ kind: FilterElementTests.Upstream.Kind, _ layout: VideoLayout) throws {
    self.kind = kind
    self.layout = layout
    let size = Int(layout.info.size) * 4
    bytes = .allocate(byteCount: size, alignment: 64)
    parent =
      kind == .sharedParts
      ? gst_memory_new_wrapped(
        GstMemoryFlags(rawValue: 0), bytes, gsize(size), 0, gsize(size), nil, nil) : nil
    if kind == .padded { pool = try FrameSource.paddedPool(layout) }
  }

  deinit {
    frames.removeAll()
    if let pool {
      gst_buffer_pool_set_active(pool, 0)
      gst_object_unref(pool)
    }
    if let parent { gst_memory_unref(parent) }
    bytes.deallocate()
  }

  /// A pool of four frames with room on all sides of the picture.
  private static func paddedPool(
    _ layout: VideoLayout
  ) throws -> UnsafeMutablePointer<GstBufferPool> {
    let pool = try #require(gst_video_buffer_pool_new())
    let config = try #require(gst_buffer_pool_get_config(pool))
    let caps = gst_caps_from_string(layout.caps())
    defer { gst_caps_unref(caps) }
    gst_buffer_pool_config_set_params(config, caps, guint(layout.info.size), 4, 4)
    var alignment = GstVideoAlignment()
    gst_video_alignment_reset(&alignment)
    (alignment.padding_top, alignment.padding_bottom) = (4, 6)
    (alignment.padding_left, alignment.padding_right) = (10, 22)
    alignment.stride_align = (15, 15, 15, 15)
    gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META)
    gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT)
    gst_buffer_pool_config_set_video_alignment(config, &alignment)
    try #require(gst_buffer_pool_set_config(pool, config) != 0)
    try #require(gst_buffer_pool_set_active(pool, 1) != 0)
    return pool
  }

  /// The next frame, with a picture in it. The one before must have been given back.
  func next(_ picture: Picture) throws -> Buffer {
    defer { count += 1 }
    switch kind {
    case .padded:
      var buffer: UnsafeMutablePointer<GstBuffer>?
      try #require(gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK)
      let frame = Buffer(owning: try #require(buffer))
      #expect(frame.metaCount(gst_video_meta_api_get_type()) == 1)
      picture.write(to: frame)
      return frame
    case .sharedParts:
      return part(picture)
    case .onePerPlane, .readOnly, .single:
      if frames.count < 4 {
        var placement = Placement(layout)
        placement.memories =
          switch kind {
          case .onePerPlane: .onePerPlane
          case .readOnly: .readOnly
          default: .one
          }
        frames.append(placement.buffer(of: picture))
      }
      let frame = frames[count % 4]
      // What may only be read is written where nobody sees it.
      if kind != .readOnly { picture.write(to: frame) } else { write(picture, inReadOnly: frame) }
      return frame
    }
  }

  /// A new memory and buffer over a quarter of the bytes.
  private func part(_ picture: Picture) -> Buffer {
    let size = Int(layout.info.size)
    let start = count % 4 * size
    copy(picture, to: bytes + start)
    let buffer = Buffer(owning: gst_buffer_new())
    gst_buffer_append_memory(buffer.pointer, gst_memory_share(parent, gssize(start), gssize(size)))
    return buffer
  }

  private func write(_ picture: Picture, inReadOnly frame: Buffer) {
    var map = GstMapInfo()
    guard gst_buffer_map(frame.pointer, &map, GST_MAP_READ) != 0 else { return }
    copy(picture, to: UnsafeMutableRawPointer(map.data))
    gst_buffer_unmap(frame.pointer, &map)
  }

  private func copy(_ picture: Picture, to target: UnsafeMutableRawPointer) {
    let packed = picture.packed().bytes
    target.copyMemory(from: packed, byteCount: packed.count)
  }
}
