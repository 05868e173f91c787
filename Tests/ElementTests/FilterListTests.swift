import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// The `filters` property and the children that it makes.
  @Suite struct FilterLists {
    private let layout = VideoLayout("I420", 16, 16)

    private func harness(_ filters: String = "") throws -> Harness {
      let device = try OpenDevice.ownWords()
      let harness = try #require(Harness("rasterfilter", ["device": device]))
      raster_test_set_string(harness.element, "filters", filters)
      harness.start(layout.caps())
      return harness
    }

    /// The first luma sample of a gray frame of 100 after the element.
    private func luma(_ harness: Harness) throws -> Int {
      let output = try #require(harness.process(Picture(layout, filledWith: 100)))
      return Int(output.planes[0][0])
    }

    /// A child by its name; valid as long as the list.
    private func child(_ harness: Harness, _ name: String) throws -> UnsafeMutablePointer<GObject> {
      let proxy = OpaquePointer(harness.element)
      let child = try #require(gst_child_proxy_get_child_by_name(proxy, name))
      g_object_unref(child)
      return child
    }

    private func text(_ object: UnsafeMutableRawPointer, _ name: String) -> String {
      var value: UnsafeMutablePointer<CChar>?
      raster_test_get_string(object, name, &value)
      defer { g_free(value) }
      return value.map { String(cString: $0) } ?? ""
    }

    @Test("filters apply in their order and are one pass")
    func order() throws {
      let harness = try harness(
        "exposure, ev=1; color-matrix, matrix=\"1 0 0 .1 0 1 0 .1 0 0 1 .1\"")
      // 16 + 2 × 84 + 21.9
      #expect(try luma(harness) == 206)
      raster_test_set_string(
        harness.element, "filters",
        "color-matrix, matrix=\"1 0 0 .1 0 1 0 .1 0 0 1 .1\"; exposure, ev=1")
      #expect(try luma(harness) == 228)
      #expect(harness.count("passes-per-frame") == 1)
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("an empty list, and one that changes nothing, pass frames untouched")
    func neutral() throws {
      let harness = try harness("exposure; saturation, amount=1.0; opacity")
      let input = Picture(layout, filledWith: 100).packed()
      let pointer = input.pointer
      #expect(harness.process(input)?.pointer == pointer)
      raster_test_set_string(harness.element, "filters", "")
      #expect(try luma(harness) == 100)
      #expect(harness.count("frames") == 0)
    }

    @Test("each filter is a child with its parameters as properties")
    func children() throws {
      let harness = try harness("exposure, ev=1; gamma, gamma=2; exposure, ev=-1")
      #expect(gst_child_proxy_get_children_count(OpaquePointer(harness.element)) == 3)
      #expect(raster_test_get_double(try child(harness, "exposure"), "ev") == 1)
      #expect(raster_test_get_double(try child(harness, "exposure-1"), "ev") == -1)
      #expect(raster_test_get_double(try child(harness, "gamma"), "gamma") == 2)
      let spec = try #require(raster_test_find_property(try child(harness, "gamma"), "gamma"))
      #expect(raster_test_is_controllable(spec) != 0)
    }

    @Test("a child's new value is in the next frame and compiles nothing")
    func childValue() throws {
      let harness = try harness("exposure, ev=0.5")
      _ = try luma(harness)
      let pipelines = harness.count("pipelines")
      for (ev, factor) in [(1.0, 2.0), (0.25, 1.189207), (-1, 0.5)] {
        raster_test_set_double(try child(harness, "exposure"), "ev", ev)
        #expect(try luma(harness) == Int((16 + 84 * factor).rounded()))
      }
      #expect(harness.count("pipelines") == pipelines)
    }

    @Test("a child can be animated")
    func animation() throws {
      let harness = try harness("exposure")
      let source = try #require(gst_interpolation_control_source_new())
      defer { gst_object_unref(source) }
      raster_test_set_int(source, "mode", Int32(GST_INTERPOLATION_MODE_LINEAR.rawValue))
      gst_timed_value_control_source_set(cast(source), 0, -1)
      gst_timed_value_control_source_set(cast(source), 2_000_000_000, 1)
      let object = UnsafeMutableRawPointer(try child(harness, "exposure"))
        .assumingMemoryBound(to: GstObject.self)
      let binding = gst_direct_control_binding_new_absolute(object, "ev", source)
      #expect(gst_object_add_control_binding(object, binding) != 0)
      for (seconds, factor) in [(0.0, 0.5), (1, 1), (2, 2)] {
        let frame = Picture(layout, filledWith: 100).packed()
        frame.pointer.pointee.pts = GstClockTime(seconds * 1e9)
        let output = try #require(harness.process(frame))
        let picture = try #require(Picture(reading: output, as: layout))
        #expect(Int(picture.planes[0][0]) == Int((16 + 84 * factor).rounded()))
      }
    }

    @Test(
      "a wrong list is reported while open, with what would be right, and the old one stays",
      arguments: [
        ("exposur, ev=1", "Filters are: "), ("exposure, evv=1", "It has: ev."),
        ("exposure, ev=11", "-10.0 … 10.0"), ("exposure, ev=bright", "a number in"),
        ("exposure; ,", "apart by semicolons"), ("tone-curve, points=\"1\"", "at least two points"),
      ])
    func wrongList(_ filters: String, _ remedy: String) throws {
      let harness = try harness("exposure, ev=1")
      let recorded = Diagnostics.expecting {
        raster_test_set_string(harness.element, "filters", filters)
      }
      #expect(recorded.contains { $0.contains(remedy) })
      #expect(try luma(harness) == 184)
      #expect(text(harness.element, "filters") == "exposure, ev=1")
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("a wrong list that is set in NULL fails the start, and a right one mends it")
    func wrongListInNull() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=3 ! rasterfilter name=r ! fakesink")
      let element = try test.element("r")
      let recorded = Diagnostics.expecting {
        raster_test_set_string(element, "filters", "blur")
      }
      #expect(recorded.count == 1)
      guard case .failed(let error) = test.run() else {
        Issue.record("the pipeline ran")
        return
      }
      #expect(error.text.contains("no filter \"blur\""))
      #expect(test.setState(GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
      _ = test.takeErrors()
      raster_test_set_string(try test.element("r"), "filters", "exposure, ev=1")
      #expect(test.run() == .endOfStream)
    }

    @Test("gst-launch syntax sets values of children")
    func launchSyntax() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=3 ! video/x-raw,format=NV12 ! rasterfilter name=r "
          + "filters=\"exposure; tone-curve\" exposure::ev=0.5 "
          + "tone-curve::points=\"0,0 0.5,0.7 1,1\" ! fakesink")
      #expect(test.run() == .endOfStream)
      #expect(try test.element("r").statistic("passes-per-frame") == 1)
    }

    /// On a thread of GStreamer's own, whose stack is small.
    @Test(
      "a list of two thousand filters makes frames, or says in one error what is wrong",
      arguments: [
        ["exposure, ev=0.01", "exposure, ev=-0.01"],
        ["exposure, ev=0.01", "blend, opacity=0.5, source=\"exposure, ev=-0.02\""],
        ["exposure, ev=0.01", "blend, opacity=0.5, source=\"solid-color, color=red\""],
      ])
    func longList(_ filters: [String]) throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=2 ! video/x-raw,format=RGBA,width=16,height=16 "
          + "! rasterfilter name=r ! fakesink")
      let list = (0..<2000).map { filters[$0 % filters.count] }.joined(separator: "; ")
      raster_test_set_string(try test.element("r"), "filters", list)
      switch test.run() {
      case .endOfStream: #expect(try test.element("r").statistic("frames") == 2)
      case .failed(let error):
        #expect(error.debug.contains("remedy: "), "\(error)")
        // The source says that it cannot go on; the element itself has said all it had to.
        #expect(test.takeErrors().allSatisfy { $0.source != "r" })
      case let outcome: Issue.record("\(outcome)")
      }
    }

    @Test("lists that change from another thread while frames pass disturb no stream")
    func changingLists() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=300 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter name=r ! fakesink")
      let element = Shared(try test.element("r"))
      let isDone = Counter()
      let writer = TestThread {
        let lists = ["exposure, ev=1", "", "vibrance, amount=0.5; gamma, gamma=2", "opacity"]
        var step = 0
        while isDone.count == 0 {
          raster_test_set_string(element.value, "filters", lists[step % lists.count])
          step += 1
        }
      }
      #expect(test.run() == .endOfStream)
      isDone.increment()
      writer.join()
      #expect(test.takeErrors().isEmpty)
    }
  }
}
