import CGstCheck
import Glibc
import RasterTestSupport
import Synchronization
import Testing

/// A timeline of GStreamer Editing Services, played in this process as fast as it goes.
final class EditingTimeline {
  /// The frames that came out, in order.
  let frames: [SampleFrame]
  /// When they are to be shown, in nanoseconds.
  let times: [UInt64]
  /// The factories of the elements that mixed them.
  let mixers: Set<String>

  /// The frames of a timeline per second.
  static let rate = 30

  /// - Parameters:
  ///   - clips: as ges-launch reads them.
  ///   - format: of the video track.
  ///   - mixer: the compositor that the services are to take; they do so once for the process.
  init(_ clips: String, _ format: String, mixer: String) throws {
    GStreamer.start()
    let rank = try FeatureRank(mixer, 258)
    defer { withExtendedLifetime(rank) {} }
    let test = try TestPipeline("uridecodebin name=t ! video/x-raw ! fakesink name=s")
    let seen = ElementNames(in: test.pipeline)
    let caps = "video/x-raw,format=\(format),width=32,height=18,framerate=\(EditingTimeline.rate)/1"
    raster_test_set_string(
      try test.element("t"), "uri", "ges:+track video restrictions=\"\(caps)\" \(clips)")
    let keeper = try FrameKeeper(try test.element("s"))
    try #require(test.run(seconds: 20) == .endOfStream)
    let info = try videoInfo(try test.element("s"), "sink")
    frames = try keeper.kept.all.map { try SampleFrame($0, info) }
    times = keeper.kept.all.map { UInt64($0.fields.pts) }
    mixers = seen.withClass("Compositor")
  }
}

/// The rank of an element's factory, changed as long as this lives.
private final class FeatureRank {
  private let feature: OpaquePointer
  private let old: UInt32

  init(_ factory: String, _ rank: UInt32) throws {
    feature = try #require(
      gst_registry_find_feature(gst_registry_get(), factory, gst_element_factory_get_type()),
      "there is no \(factory)")
    old = gst_plugin_feature_get_rank(feature)
    gst_plugin_feature_set_rank(feature, rank)
  }

  deinit {
    gst_plugin_feature_set_rank(feature, old)
    gst_object_unref(UnsafeMutableRawPointer(feature))
  }
}

/// The factories, and their classes, of all elements that come into a bin and the bins in it.
private final class ElementNames: Sendable {
  private let names = Mutex<[String: String]>([:])

  init(in bin: UnsafeMutablePointer<GstElement>) {
    let added:
      @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void =
        { _, _, element, data in
          guard let element, let data else { return }
          Unmanaged<ElementNames>.fromOpaque(data).takeUnretainedValue().insert(element)
        }
    g_signal_connect_data(
      bin, "deep-element-added", unsafeBitCast(added, to: GCallback.self),
      Unmanaged.passRetained(self).toOpaque(),
      { data, _ in if let data { Unmanaged<ElementNames>.fromOpaque(data).release() } },
      GConnectFlags(rawValue: 0))
  }

  private func insert(_ element: UnsafeMutablePointer<GstElement>) {
    guard let factory = gst_element_get_factory(element),
      let name = gst_object_get_name(
        UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self)),
      let words = gst_element_factory_get_metadata(factory, "klass")
    else { return }
    names.withLock { $0[String(cString: name)] = String(cString: words) }
    g_free(name)
  }

  /// The names of those factories whose class has a word.
  func withClass(_ word: String) -> Set<String> {
    names.withLock {
      Set($0.filter { $0.value.split(separator: "/").contains { $0 == word } }.keys)
    }
  }
}
