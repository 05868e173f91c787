import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// What a frame carries besides its pixels.
  @Suite struct Metadata {
    private let layout = VideoLayout("NV12", 64, 48)

    private func activeHarness() throws -> Harness {
      let harness = try #require(Harness("rasterfilter", ["contrast": "1.5"]))
      harness.start(layout.caps())
      return harness
    }

    @Test(
      "times, offsets and flags are kept",
      arguments: [
        GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_DROPPABLE, GST_BUFFER_FLAG_DELTA_UNIT,
        GST_BUFFER_FLAG_MARKER, GST_BUFFER_FLAG_CORRUPTED, GST_BUFFER_FLAG_RESYNC,
      ])
    func timesAndFlags(_ flag: GstBufferFlags) throws {
      let harness = try activeHarness()
      let input = Picture.noise(layout).packed()
      input.pointer.pointee.pts = 1_234_567_890
      input.pointer.pointee.dts = 1_234_500_000
      input.pointer.pointee.duration = 41_708_333
      input.pointer.pointee.offset = 29
      input.pointer.pointee.offset_end = 30
      gst_buffer_set_flags(input.pointer, flag)
      let output = try #require(harness.process(input))
      #expect(output.fields.pts == 1_234_567_890)
      #expect(output.fields.dts == 1_234_500_000)
      #expect(output.fields.duration == 41_708_333)
      #expect(output.fields.offset == 29)
      #expect(output.fields.offset_end == 30)
      #expect(output.flags & flag.rawValue != 0)
      #expect(output.flags & GST_VIDEO_BUFFER_FLAG_INTERLACED.rawValue == 0)
    }

    @Test("a flag of one frame is not on the next")
    func flagsDoNotStay() throws {
      let harness = try activeHarness()
      for number in 0..<80 {
        let input = Picture(layout).packed()
        let isMarked = number % 2 == 0
        if isMarked {
          gst_buffer_set_flags(input.pointer, GST_BUFFER_FLAG_MARKER)
          gst_buffer_add_video_region_of_interest_meta(input.pointer, "face", 1, 2, 3, 4)
        }
        let output = try #require(harness.process(input))
        #expect((output.flags & GST_BUFFER_FLAG_MARKER.rawValue != 0) == isMarked)
        let count = output.metaCount(gst_video_region_of_interest_meta_api_get_type())
        #expect(count == (isMarked ? 1 : 0))
      }
    }

    // The base class takes the flag away unless the element asks it not to.
    @Test("a frame without data is treated as by videobalance")
    func gap() throws {
      let flags = try ["rasterfilter", "videobalance"].map { factory in
        let harness = try #require(Harness(factory, ["contrast": "1.5"]))
        harness.start(layout.caps())
        let input = Picture(layout).packed()
        gst_buffer_set_flags(input.pointer, GST_BUFFER_FLAG_GAP)
        return try #require(harness.process(input)).flags & GST_BUFFER_FLAG_GAP.rawValue
      }
      #expect(flags[0] == flags[1])
    }

    @Test("interlacing flags are kept")
    func interlacing() throws {
      let harness = try #require(Harness("rasterfilter", ["contrast": "1.5"]))
      harness.start(layout.caps() + ", interlace-mode=(string)interleaved")
      let flags = GST_VIDEO_BUFFER_FLAG_INTERLACED.rawValue | GST_VIDEO_BUFFER_FLAG_TFF.rawValue
      let input = Picture.noise(layout).packed()
      input.pointer.pointee.mini_object.flags |= flags
      let output = try #require(harness.process(input))
      #expect(output.flags & flags == flags)
    }

    @Test("regions of interest, their parameters included, are copied")
    func regionOfInterest() throws {
      let harness = try activeHarness()
      let input = Picture.noise(layout).packed()
      for index in 0..<3 {
        let meta = gst_buffer_add_video_region_of_interest_meta(
          input.pointer, "face", UInt32(index), 2, 10, 12)
        gst_video_region_of_interest_meta_add_param(meta, gst_structure_new_empty("detection"))
      }
      let output = try #require(harness.process(input))
      let api = gst_video_region_of_interest_meta_api_get_type()
      #expect(output.metaCount(api) == 3)
      let first = try #require(gst_buffer_get_meta(output.pointer, api))
      let meta: UnsafeMutablePointer<GstVideoRegionOfInterestMeta> = cast(first)
      #expect((meta.pointee.y, meta.pointee.w, meta.pointee.h) == (2, 10, 12))
      #expect(gst_video_region_of_interest_meta_get_param(meta, "detection") != nil)
    }

    @Test("a region of interest follows the size of the frame, and goes where its place is lost")
    func regionScales() throws {
      let layout = VideoLayout("NV12", 64, 32)
      let api = gst_video_region_of_interest_meta_api_get_type()
      for (filters, wanted) in [
        ("scale, width=32, height=16", [1, 2, 4, 8]), ("exposure, ev=0.1", [2, 4, 8, 16]),
        ("rotate, angle=90", []),
      ] {
        let harness = try #require(Harness())
        raster_test_set_string(harness.element, "filters", filters)
        harness.start(layout.caps())
        let input = Picture(layout).packed()
        _ = gst_buffer_add_video_region_of_interest_meta(input.pointer, "face", 2, 4, 8, 16)
        let output = try #require(harness.process(input))
        let found = gst_buffer_get_meta(output.pointer, api).map { meta -> [Int] in
          UnsafeMutableRawPointer(meta).withMemoryRebound(
            to: GstVideoRegionOfInterestMeta.self, capacity: 1
          ) { [$0.pointee.x, $0.pointee.y, $0.pointee.w, $0.pointee.h].map { Int($0) } }
        }
        #expect(found ?? [] == wanted, "\(filters)")
      }
    }

    @Test("time code, crop and reference time are copied")
    func otherMetas() throws {
      let harness = try activeHarness()
      let input = Picture.noise(layout).packed()
      gst_buffer_add_video_time_code_meta_full(
        input.pointer, 25, 1, nil, GST_VIDEO_TIME_CODE_FLAGS_NONE, 1, 2, 3, 4, 0)
      let crop = try #require(raster_test_add_crop_meta(input.pointer))
      (crop.pointee.x, crop.pointee.y, crop.pointee.width, crop.pointee.height) = (2, 4, 32, 16)
      let reference = gst_caps_new_empty_simple("timestamp/x-test")
      defer { gst_caps_unref(reference) }
      gst_buffer_add_reference_timestamp_meta(input.pointer, reference, 99, GstClockTime.max)
      let output = try #require(harness.process(input))
      let timeCode = try #require(raster_test_get_time_code_meta(output.pointer))
      #expect(timeCode.pointee.tc.hours == 1 && timeCode.pointee.tc.frames == 4)
      let outputCrop = try #require(raster_test_get_crop_meta(output.pointer))
      #expect((outputCrop.pointee.x, outputCrop.pointee.width) == (2, 32))
      let time = try #require(gst_buffer_get_reference_timestamp_meta(output.pointer, reference))
      #expect(time.pointee.timestamp == 99)
    }

    @Test("the output has one GstVideoMeta, and it is its own", arguments: [true, false])
    func videoMeta(_ readsVideoMeta: Bool) throws {
      let harness = try #require(
        Harness("rasterfilter", ["contrast": "1.5"], readsVideoMeta: readsVideoMeta))
      harness.start(layout.caps())
      let picture = Picture.noise(layout)
      let odd = Placement(layout, padding: 5, lead: 3).buffer(of: picture)
      let first = try #require(harness.process(odd))
      let second = try #require(harness.process(picture.packed()))
      for output in [first, second] {
        #expect(output.metaCount(gst_video_meta_api_get_type()) <= 1)
      }
      let pictures = [first, second].map { Picture(reading: $0, as: layout) }
      #expect(pictures[0] == pictures[1])
    }

    @Test(
      "without a reader of GstVideoMeta downstream the output has the default layout",
      arguments: [
        VideoLayout("NV12", 33, 17), VideoLayout("I420", 7, 5), VideoLayout("RGB", 5, 3),
        VideoLayout("RGBA", 3, 3), VideoLayout("GRAY8", 1, 1),
      ])
    func defaultLayout(_ layout: VideoLayout) throws {
      let harness = try #require(
        Harness("rasterfilter", ["contrast": "1.5"], readsVideoMeta: false))
      harness.start(layout.caps())
      let output = try #require(harness.process(Picture.noise(layout).packed()))
      #expect(gst_buffer_get_size(output.pointer) == layout.info.size)
      if let meta = gst_buffer_get_video_meta(output.pointer) {
        let placement = Placement(layout)
        #expect(meta.pointee.stride.0 == Int32(placement.strides[0]))
        #expect(meta.pointee.offset.1 == UInt(placement.offsets.dropFirst().first ?? 0))
      }
    }

    @Test("tags, custom events and a new segment pass in order")
    func events() throws {
      let harness = try activeHarness()
      #expect(harness.process(Picture(layout).packed()) != nil)
      _ = harness.takeEvents()
      let tags = gst_tag_list_new_from_string("taglist, title=(string)test")
      gst_harness_push_event(harness.harness, gst_event_new_tag(tags))
      gst_harness_push_event(
        harness.harness,
        gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty("custom")))
      var segment = GstSegment()
      gst_segment_init(&segment, GST_FORMAT_TIME)
      gst_harness_push_event(harness.harness, gst_event_new_segment(&segment))
      gst_harness_push_event(harness.harness, gst_event_new_gap(0, 1000))
      gst_harness_push_event(harness.harness, gst_event_new_eos())
      #expect(
        harness.takeEvents() == [
          GST_EVENT_TAG, GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_SEGMENT, GST_EVENT_GAP,
          GST_EVENT_EOS,
        ])
    }

    @Test("input frames are not written, and not kept longer than their output needs")
    func inputIsLeftAlone() throws {
      let harness = try activeHarness()
      let input = Picture.noise(layout).packed()
      let before = input.bytes
      let output = try #require(harness.process(input))
      #expect(output.pointer != input.pointer)
      #expect(input.bytes == before)
      // Let go of by another thread, when the device is done, and not only with the next frame.
      #expect(waits { input.fields.mini_object.refcount == 1 })
      #expect(input.memories.map(\.pointee.mini_object.refcount) == [1])
      withExtendedLifetime(input) {}
    }
  }
}
