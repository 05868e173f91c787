import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// The element's answer to LATENCY queries.
  @Suite struct Latency {
    private func latency(
      _ harness: Harness
    ) throws -> (isLive: Bool, least: GstClockTime, most: GstClockTime) {
      let query = gst_query_new_latency()
      defer { gst_query_unref(query) }
      try #require(gst_pad_peer_query(harness.harness.pointee.sinkpad, query) != 0)
      var (isLive, least, most): (gboolean, GstClockTime, GstClockTime) = (0, 0, 0)
      gst_query_parse_latency(query, &isLive, &least, &most)
      return (isLive != 0, least, most)
    }

    @Test(
      "the element adds no latency, at work and when it lets frames through",
      arguments: ["0", "0.2"])
    func untouched(_ brightness: String) throws {
      let harness = try #require(Harness("rasterfilter", ["brightness": brightness]))
      let layout = VideoLayout("NV12", 64, 48)
      for upstream: GstClockTime in [0, 1, 40_000_000, 3_000_000_000] {
        gst_harness_set_upstream_latency(harness.harness, upstream)
        harness.start(layout.caps())
        for _ in 0..<2 {
          let answer = try latency(harness)
          #expect(answer.isLive)
          #expect(answer.least == upstream)
          #expect(answer.most == GstClockTime.max)
          #expect(harness.process(Picture(layout)) != nil)
        }
      }
    }
  }
}
