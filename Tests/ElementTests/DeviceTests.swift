import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Which device is used, and what happens where there is none.
  @Suite struct Devices {
    /// Opens a device and gives its name, or the errors.
    private func open(_ device: String?) throws -> (name: String, errors: [ElementMessage]) {
      let test = try TestPipeline("rasterfilter name=r ! fakesink")
      let element = try test.element("r")
      if let device { raster_test_set_string(element, "device", device) }
      let result = gst_element_set_state(element, GST_STATE_READY)
      let errors = test.takeErrors()
      #expect((result == GST_STATE_CHANGE_FAILURE) == !errors.isEmpty)
      let structure = try #require(raster_test_get_structure(element, "stats"))
      defer { gst_structure_free(structure) }
      let name = gst_structure_get_string(structure, "device").map { String(cString: $0) }
      gst_element_set_state(element, GST_STATE_NULL)
      return (name ?? "", errors)
    }

    @Test("an unknown device ends in one error that lists all devices by index, name and UUID")
    func unknown() throws {
      let name = try open(nil).name
      #expect(!name.isEmpty)
      for wish in ["no such device", "4711", "-1", "99999999999999999999", "ü"] {
        let errors = try open(wish).errors
        #expect(errors.count == 1)
        let text = try #require(errors.first?.text)
        #expect(text.contains("\"\(wish)\""))
        #expect(text.contains("0: ") && text.contains(name))
        #expect(uuids(in: text).isEmpty == false)
      }
    }

    /// The words of a text that are 32 hexadecimal digits.
    private func uuids(in text: String) -> [String] {
      text.split { !$0.isHexDigit }.filter { $0.count == 32 }.map(String.init)
    }

    @Test("a device is found by index, name, a part of the name in any case, and UUID")
    func names() throws {
      let name = try open(nil).name
      let list = try #require(try open("no such device").errors.first?.text)
      let uuid = try #require(uuids(in: list).first)
      let first = try open("0").name
      #expect(!first.isEmpty)
      #expect(try open(name).name == name)
      #expect(try open(name.uppercased()).name == name)
      #expect(try open(String(name.prefix(4))).name == name)
      #expect(try open(uuid).name == first)
      let dashed = [8, 4, 4, 4, 12].reduce(into: (text: "", rest: uuid[...])) { state, count in
        state.text += (state.text.isEmpty ? "" : "-") + state.rest.prefix(count)
        state.rest = state.rest.dropFirst(count)
      }
      #expect(try open(dashed.text).name == first)
      #expect(try open(uuid.uppercased()).name == first)
      #expect(try open("").name == name)
    }

    @Test("RASTER_DEVICE counts where the property is not set, and only there")
    func environment() throws {
      let name = try open(nil).name
      try ProcessEnvironment.with("RASTER_DEVICE", "no such device") { () throws in
        #expect(try open(nil).errors.count == 1)
        #expect(try open(name).name == name)
      }
      try ProcessEnvironment.with("RASTER_DEVICE", name) { () throws in
        #expect(try open(nil).name == name)
        #expect(try open("no such device").errors.count == 1)
      }
    }

    @Test("the element works again after the wish is taken back")
    func mended() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=3 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter name=r brightness=0.2 ! fakesink")
      let element = try test.element("r")
      for _ in 0..<3 {
        raster_test_set_string(element, "device", "no such device")
        #expect(gst_element_set_state(test.pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
        #expect(test.takeErrors().filter { $0.source == "r" }.count == 1)
        gst_element_set_state(test.pipeline, GST_STATE_NULL)
        raster_test_set_string(element, "device", nil)
        #expect(test.run() == .endOfStream)
        gst_element_set_state(test.pipeline, GST_STATE_NULL)
      }
    }

    @Test(
      "without a driver the state change fails with a remedy",
      arguments: [
        "/nonexistent/icd.json", "", "/dev/null",
      ])
    func noDriver(_ file: String) throws {
      let words = "\(try open(nil).name.prefix(5))"
      // Not the default words, whose device another test of the process may hold open.
      try ProcessEnvironment.with("VK_ICD_FILENAMES", file) {
        let errors = try open(words).errors
        #expect(errors.count == 1)
        #expect(errors.first?.text.contains("No Vulkan driver") == true)
        #expect(errors.first?.text.contains("mesa-vulkan-drivers") == true)
        #expect(errors.first?.debug.contains("remedy: ") == true)
      }
      #expect(try open(words).errors.isEmpty)
    }

    @Test("elements of a process share a device, and close it with the last")
    func sharing() throws {
      let elements = try (0..<4).map { _ in try #require(GStreamer.makeElement("rasterfilter")) }
      defer { for element in elements { gst_object_unref(element) } }
      for element in elements {
        #expect(gst_element_set_state(element, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
      }
      for element in elements {
        #expect(gst_element_set_state(element, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
      }
    }

    @Test("eight threads open and close devices at once")
    func parallelOpening() {
      let failures = Counter()
      let threads = (0..<8).map { _ in
        TestThread {
          for _ in 0..<5 {
            guard let element = GStreamer.makeElement("rasterfilter") else { return }
            if gst_element_set_state(element, GST_STATE_READY) != GST_STATE_CHANGE_SUCCESS {
              failures.increment()
            }
            gst_element_set_state(element, GST_STATE_NULL)
            gst_object_unref(element)
          }
        }
      }
      for thread in threads { thread.join() }
      #expect(failures.count == 0)
    }
  }
}
