import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// Seeks, which GES sends for every change of what is played.
  @Suite(.guarded) struct EditingSeeks {
    /// A pad after the other is flushed and begins anew: upstream of the first one fetches frames again from the pool that
    /// it was offered, while the last one is still flushed.
    @Test(
      "after a flushing seek every pad goes on, whatever makes its frames", arguments: [1, 2, 3])
    func seeks(_ pads: Int) throws {
      let caps = "video/x-raw,width=64,height=48"
      let sources = (0..<pads).map { _ in
        "videotestsrc ! \(caps),format=I420 ! queue ! videoconvert ! \(caps),format=AYUV ! c."
      }
      let test = try TestPipeline(
        "\(compositor) name=c ! \(caps),format=AYUV ! fakesink name=s "
          + sources.joined(separator: " "))
      #expect(test.setState(GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
      for number in 0..<20 {
        #expect(test.seek(to: Double(number)))
        // With the first frame at its place, the pipeline plays again.
        let result = gst_element_get_state(test.pipeline, nil, nil, 5_000_000_000)
        try #require(result == GST_STATE_CHANGE_SUCCESS, "seek \(number)")
      }
    }
  }
}
