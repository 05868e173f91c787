import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

/// When frames pass a pad.
private final class FrameClock: Sendable {
  private struct State {
    var count = 0
    var last: ContinuousClock.Instant?
    var longest = Duration.zero
  }

  private let state = Mutex(State())

  func tick() {
    let now = ContinuousClock.now
    state.withLock { state in
      if let last = state.last { state.longest = max(state.longest, now - last) }
      state.last = now
      state.count += 1
    }
  }

  /// Forgets the time between frames so far.
  func reset() { state.withLock { $0.longest = .zero } }

  var count: Int { state.withLock { $0.count } }

  /// The longest time from a frame to the next, in seconds.
  var longestGap: Double { state.withLock { $0.longest / .seconds(1) } }
}

/// How many pipelines an element has compiled whenever a property of an object has just been set.
private final class CountsAtChange {
  private let element: UnsafeMutablePointer<GstElement>
  private(set) var all: [UInt64] = []

  /// Both must not outlive this.
  init(_ object: UnsafeMutablePointer<GstObject>, of element: UnsafeMutablePointer<GstElement>) {
    self.element = element
    let handler: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
      guard let data else { return }
      let own = Unmanaged<CountsAtChange>.fromOpaque(data).takeUnretainedValue()
      own.all.append(own.element.statistic("pipelines") ?? 0)
    }
    g_signal_connect_data(
      object, "notify", unsafeBitCast(handler, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }
}

extension FilterElementTests {
  /// Settings that change which kernels frames need, while frames pass.
  @Suite struct Rehearsals {
    private static let layouts = [
      VideoLayout("AYUV", 64, 48), VideoLayout("I420", 34, 18), VideoLayout("NV12", 320, 240),
      VideoLayout("RGB", 33, 7),
    ]

    private func harness(_ layout: VideoLayout, _ filters: String) throws -> Harness {
      let harness = try #require(
        Harness("rasterfilter", ["device": try OpenDevice.ownWords()]))
      raster_test_set_string(harness.element, "filters", filters)
      harness.start(layout.caps())
      return harness
    }

    private func child(_ harness: Harness, _ name: String) throws -> UnsafeMutablePointer<GObject> {
      let proxy = OpaquePointer(harness.element)
      let child = try #require(gst_child_proxy_get_child_by_name(proxy, name))
      g_object_unref(child)
      return child
    }

    @Test("who sets a list compiles its kernels, and the next frame uses them", arguments: layouts)
    func lists(_ layout: VideoLayout) throws {
      let harness = try harness(layout, "exposure, ev=1")
      let input = Picture.noise(layout).packed()
      #expect(harness.process(input) != nil)
      var pipelines = try #require(harness.count("pipelines"))
      for filters in [
        "box-blur, width=5", "exposure, ev=1; sobel", "rotate, angle=10, expand=false",
      ] {
        let plans = try #require(harness.count("plans"))
        raster_test_set_string(harness.element, "filters", filters)
        let compiled = try #require(harness.count("pipelines"))
        #expect(compiled > pipelines && harness.count("plans") == plans)
        #expect(harness.process(input) != nil)
        #expect(harness.count("pipelines") == compiled && harness.count("plans") == plans + 1)
        pipelines = compiled
      }
      // What has been compiled is known.
      raster_test_set_string(harness.element, "filters", "box-blur, width=5")
      #expect(harness.process(input) != nil)
      #expect(harness.count("pipelines") == pipelines)
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("so does who sets a value of a step or of the element that frames need other kernels for")
    func values() throws {
      let layout = Rehearsals.layouts[0]
      let harness = try harness(layout, "gaussian-blur, sigma=1")
      let input = Picture.noise(layout).packed()
      #expect(harness.process(input) != nil)
      let first = try #require(harness.count("pipelines"))
      raster_test_set_double(try child(harness, "gaussian-blur"), "sigma", 1.1)
      #expect(harness.process(input) != nil)
      #expect(harness.count("pipelines") == first)
      let step = UnsafeMutableRawPointer(try child(harness, "gaussian-blur"))
      let element = UnsafeMutableRawPointer(harness.element)
      let changes = [(step, "sigma", 4.0), (element, "brightness", 0.25)]
      for (object, name, value) in changes {
        let before = try #require(harness.count("pipelines"))
        raster_test_set_double(object, name, value)
        let compiled = try #require(harness.count("pipelines"))
        #expect(compiled > before)
        #expect(harness.process(input) != nil)
        #expect(harness.count("pipelines") == compiled)
      }
    }

    @Test("before there are frames, nothing is compiled, nor for lists that change nothing")
    func early() throws {
      let harness = try harness(Rehearsals.layouts[0], "exposure, ev=1")
      raster_test_set_string(harness.element, "filters", "sobel")
      #expect(harness.count("pipelines") == 0)
      #expect(harness.process(Picture(Rehearsals.layouts[0])) != nil)
      let pipelines = harness.count("pipelines")
      raster_test_set_string(harness.element, "filters", "")
      #expect(harness.process(Picture(Rehearsals.layouts[0])) != nil)
      #expect(harness.count("pipelines") == pipelines)
    }

    @Test("values that a controller brings are not tried before")
    func animation() throws {
      let layout = Rehearsals.layouts[0]
      let harness = try harness(layout, "gaussian-blur, sigma=1")
      let source = try #require(gst_interpolation_control_source_new())
      defer { gst_object_unref(source) }
      raster_test_set_int(source, "mode", Int32(GST_INTERPOLATION_MODE_LINEAR.rawValue))
      gst_timed_value_control_source_set(cast(source), 0, 1)
      gst_timed_value_control_source_set(cast(source), 1_000_000_000, 6)
      let object = UnsafeMutableRawPointer(try child(harness, "gaussian-blur"))
        .assumingMemoryBound(to: GstObject.self)
      let binding = gst_direct_control_binding_new_absolute(object, "sigma", source)
      #expect(gst_object_add_control_binding(object, binding) != 0)
      let counts = CountsAtChange(object, of: harness.element)
      for seconds in [0.0, 1] {
        let frame = Picture.noise(layout).packed()
        frame.pointer.pointee.pts = GstClockTime(seconds * 1e9)
        #expect(harness.process(frame) != nil)
      }
      #expect(harness.count("plans") == 2)
      // When the second frame's value was there, its kernels were not.
      let pipelines = try #require(harness.count("pipelines"))
      #expect(try #require(counts.all.last) < pipelines)
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("a list that nothing is kept of is compiled while frames go on")
    func stream() throws {
      let folder = try TemporaryFolder()
      try ProcessEnvironment.with("RASTER_CACHE_DIR", folder.path) {
        try ProcessEnvironment.with("MESA_SHADER_CACHE_DIR", folder.path) {
          let test = try TestPipeline(
            "videotestsrc ! video/x-raw,format=AYUV,width=320,height=240,framerate=50/1 "
              + "! rasterfilter name=r filters=exposure,ev=0.5 ! fakesink name=s sync=true")
          raster_test_set_string(try test.element("r"), "device", try OpenDevice.ownWords())
          try change(test, to: "gaussian-blur, sigma=4; unsharp; sobel")
        }
      }
    }

    private func change(_ test: TestPipeline, to filters: String) throws {
      let clock = FrameClock()
      let probe = try BufferProbe(try test.element("s"), "sink") { _ in
        clock.tick()
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      #expect(test.setState(GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
      #expect(waits(until: { clock.count >= 10 }))
      let element = Shared(try test.element("r"))
      let known = try #require(element.value.statistic("pipelines"))
      let taken = Mutex(0.0)
      clock.reset()
      let writer = TestThread {
        let seconds = secondsTaken { raster_test_set_string(element.value, "filters", filters) }
        taken.withLock { $0 = seconds }
      }
      writer.join()
      let compiled = try #require(element.value.statistic("pipelines"))
      #expect(compiled > known)
      // Those that were under way, and some of the new list.
      let count = clock.count
      #expect(waits(until: { clock.count >= count + 20 }))
      #expect(element.value.statistic("passes-per-frame") ?? 0 > 1)
      #expect(element.value.statistic("pipelines") == compiled)
      let (setter, gap) = (taken.withLock { $0 }, clock.longestGap)
      // A device that compiles quickly has nothing to show.
      if setter > 0.5 { #expect(gap <= setter / 3, "\(gap) s, set in \(setter) s") }
      #expect(test.takeErrors().isEmpty)
      #expect(test.setState(GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
    }
  }
}
