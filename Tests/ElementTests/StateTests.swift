import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// State changes of an element that is alone, in the orders of GStreamer's own test of all
  /// elements (tests/check/generic/states.c).
  @Suite struct States {
    static let upAndDown = [
      GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_READY,
      GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_NULL,
    ]
    static let up = [
      GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING,
      GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_NULL,
    ]
    static let down = [
      GST_STATE_READY, GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_READY,
      GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PAUSED,
      GST_STATE_READY, GST_STATE_NULL,
    ]

    @Test("every state change succeeds, twenty times", arguments: [upAndDown, up, down])
    func walk(_ states: [GstState]) throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(element) }
      for _ in 0..<20 {
        for state in states {
          #expect(gst_element_set_state(element, state) != GST_STATE_CHANGE_FAILURE)
          let result = gst_element_get_state(element, nil, nil, GstClockTime.max)
          #expect(result == GST_STATE_CHANGE_SUCCESS)
        }
      }
      #expect(element.referenceCount == 1)
    }

    @Test("a state is skipped by a direct jump, twenty times")
    func jump() throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(element) }
      for _ in 0..<20 {
        #expect(gst_element_set_state(element, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
        #expect(gst_element_set_state(element, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
      }
      #expect(element.referenceCount == 1)
    }

    @Test("NULL writes what later processes can use, also while another element has the device")
    func caches() throws {
      let folder = try TemporaryFolder()
      let words = try OpenDevice.ownWords()
      let layout = VideoLayout("RGBA", 16, 16)
      let properties: KeyValuePairs = ["brightness": "0.2", "device": words]
      let harnesses = try ProcessEnvironment.with("RASTER_CACHE_DIR", folder.path) {
        try (0..<2).map { _ in try #require(Harness("rasterfilter", properties)) }
      }
      func count(_ suffix: String) -> Int {
        TemporaryFolder.names(in: folder.path).filter { $0.hasSuffix(suffix) }.count
      }
      harnesses[0].start(layout.caps())
      #expect(harnesses[0].process(Picture(layout)) != nil)
      #expect(count(".spv") == 1 && count(".pipelines") == 0)
      #expect(
        gst_element_set_state(harnesses[0].element, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
      #expect(count(".spv") == 1 && count(".pipelines") == 1)
      withExtendedLifetime(harnesses) {}
    }

    @Test("an element that was never started can be dropped")
    func neverStarted() throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      #expect(element.referenceCount == 1)
      gst_object_unref(element)
    }

    @Test(
      "an element runs a stream again after every way down",
      arguments: [
        GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_NULL,
      ])
    func restart(_ rest: GstState) throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=3 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter name=r brightness=0.2 ! fakesink name=s sync=false")
      for _ in 0..<5 {
        #expect(test.run() == .endOfStream)
        #expect(test.setState(rest) != GST_STATE_CHANGE_FAILURE)
        if rest == GST_STATE_PAUSED { #expect(test.seek(to: 0)) }
      }
      #expect(test.takeErrors().isEmpty)
    }
  }
}
