import CGstCheck
import Glibc
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// Filters that are more than colors, through the element.
  @Suite struct Graphs {
    private let layout = VideoLayout("NV12", 64, 48)

    private func harness(_ filters: String) throws -> Harness {
      let device = try OpenDevice.ownWords()
      let harness = try #require(Harness("rasterfilter", ["device": device]))
      raster_test_set_string(harness.element, "filters", filters)
      harness.start(layout.caps())
      return harness
    }

    @Test("a long list on NV12 to I420 is one pass, and three with a blur in the middle")
    func passes() throws {
      let color =
        "exposure, ev=0.5; saturation, amount=1.2; tone-curve, points=\\\"0,0 0.5,0.6 1,1\\\""
      let turn = "rotate, angle=90; scale, width=64, height=36"
      for (filters, passes) in [
        ("\(color); vibrance, amount=0.2; \(turn)", 1),
        ("\(color); gaussian-blur, sigma=4; vibrance, amount=0.2; \(turn)", 3),
      ] {
        let test = try TestPipeline(
          "videotestsrc num-buffers=2 ! video/x-raw,format=NV12,width=192,height=108 "
            + "! rasterfilter name=r filters=\"\(filters)\" ! video/x-raw,format=I420 ! fakesink")
        #expect(test.run() == .endOfStream)
        #expect(try test.element("r").statistic("passes-per-frame") == UInt64(passes))
      }
    }

    @Test("an animated value over 1,000 frames: one plan, no kernel and no buffer more")
    func animated() throws {
      let harness = try harness(
        "gaussian-blur, sigma=3; exposure, ev=0.1; scale, width=32, height=24")
      let child = try #require(
        gst_child_proxy_get_child_by_name(OpaquePointer(harness.element), "gaussian-blur"))
      defer { g_object_unref(child) }
      let picture = Picture(layout, filledWith: 90)
      // Each of the frames that may be under way at the same time has its own numbers.
      let input = picture.packed()
      for _ in 0..<4 { #expect(harness.process(input) != nil) }
      let before = ["plans", "pipelines", "allocations"].map { harness.count($0) }
      #expect(before[0] == 1)
      for step in 0..<1000 {
        raster_test_set_double(child, "sigma", 3 + 0.4 * Double(step % 100) / 100)
        #expect(harness.process(input) != nil)
      }
      #expect(["plans", "pipelines", "allocations"].map { harness.count($0) } == before)
      #expect(harness.takeErrors().isEmpty)
    }

    @Test("frames that lie differently in turn keep what was made for each")
    func alignments() throws {
      let harness = try harness("gaussian-blur, sigma=3")
      let inputs = [(0, 0), (4, 4), (7, 3), (16, 8)].map { padding, lead in
        Placement(layout, padding: padding, lead: lead).buffer(of: Picture(layout, filledWith: 90))
      }
      func counts() -> [UInt64?] {
        ["plans", "pipelines", "allocations"].map { harness.count($0) }
      }
      // Each has its own numbers for each of the frames that may be under way.
      for _ in 0..<4 {
        for input in inputs { for _ in 0..<4 { #expect(harness.process(input) != nil) } }
      }
      let before = counts()
      #expect(before[0] == 1)
      for _ in 0..<50 {
        for input in inputs {
          let output = try #require(harness.process(input))
          #expect(Picture(reading: output, as: layout)?.planes[0].allSatisfy { $0 == 90 } == true)
        }
      }
      #expect(counts() == before)
    }

    @Test("a value that cannot be used is refused with its remedy, and the old list stays")
    func refusals() throws {
      let harness = try harness("exposure, ev=1")
      for (filters, words) in [
        ("lut, location=/nowhere.cube", "/nowhere.cube"), ("blend, mode=none", "multiply"),
        ("scale, interpolation=best", "lanczos"), ("solid-color, color=reddish", "0xRRGGBB"),
        ("shader, code=\"vec4 color(vec4 c) { return d; }\"", ":1: error"),
        ("shader, code=\"layout(binding=0) buffer B { int i; };\"", "layout"),
        ("blend, source=\"nothing\"", "Filters are"), ("gaussian-blur, sigma=0", "0.1"),
        ("transform, matrix=(string)\"1 2\"", "nine numbers"),
      ] {
        let recorded = Diagnostics.expecting {
          raster_test_set_string(harness.element, "filters", filters)
        }
        #expect(recorded.count == 1, "\(filters): \(recorded)")
        #expect(try luma(harness) == 184)
        #expect(harness.takeWarnings().contains { $0.text.contains(words) }, "\(filters)")
      }
    }

    @Test("a shader has its numbers, which change without a kernel more")
    func shaderUniforms() throws {
      let harness = try harness(
        "shader, code=\"vec4 color(vec4 c) { return vec4(c.rgb * gain, c.a); }\", "
          + "uniforms=\"gain=1\"")
      let child = try #require(
        gst_child_proxy_get_child_by_name(OpaquePointer(harness.element), "shader"))
      defer { g_object_unref(child) }
      for (gain, luma) in [("gain=1", 100), ("gain=2", 184), ("gain=0.5", 58)] {
        raster_test_set_string(child, "uniforms", gain)
        let output = try #require(harness.process(Picture(layout, filledWith: 100)))
        #expect(abs(Int(output.planes[0][0]) - luma) <= 1)
      }
      #expect(harness.count("pipelines") == 1)
    }

    @Test("a shader file is read again when it changes, if that is wanted")
    func shaderReload() throws {
      let folder = try TemporaryFolder()
      func write(_ factor: String) throws -> String {
        try folder.write(
          Array("vec4 color(vec4 c) { return vec4(c.rgb * \(factor), c.a); }".utf8),
          as: "look.glsl")
      }
      let path = try write("1.0")
      let harness = try harness("shader, location=\"\(path)\", reload=true")
      #expect(try luma(harness) == 100)
      _ = try write("2.0  ")
      #expect(try luma(harness) == 184)
      // A text that does not compile is reported; the old one stays.
      _ = try write("nothing   ")
      let recorded = Diagnostics.expecting {
        for _ in 0..<3 { #expect((try? luma(harness)) == 184) }
      }
      #expect(recorded.count == 1)
      #expect(harness.takeWarnings().count == 1)
      #expect(harness.takeWarnings().isEmpty)
    }

    private func luma(_ harness: Harness) throws -> Int {
      let output = try #require(harness.process(Picture(layout, filledWith: 100)))
      return Int(output.planes[0][0])
    }

    @Test("numbers that are none harm nothing: tables and histograms are read and written within")
    func notANumber() throws {
      for code in [
        "vec4(sqrt(c.r - 9.0), 1.0 / (c.g - c.g), log(c.b - 9.0), 1.0)", "vec4(0.0 / (c.r - c.r))",
      ] {
        let harness = try harness(
          "shader, code=\"vec4 color(vec4 c) { return \(code); }\"; tone-curve, points=(string)\"0,0 1,0.5\"; "
            + "clahe; lut, location=docs/examples/look.cube; gaussian-blur, sigma=3; sobel")
        for _ in 0..<3 {
          #expect(harness.process(Picture(layout, filledWith: 100).packed()) != nil)
        }
        #expect(harness.takeErrors().isEmpty)
      }
    }

    @Test("a value that is mended before the start does not fail it")
    func mended() throws {
      let test = try TestPipeline(
        "videotestsrc num-buffers=2 ! video/x-raw,format=RGBA,width=32,height=32 "
          + "! rasterfilter name=r filters=\"lut; exposure, ev=0.1\" ! fakesink")
      let proxy = OpaquePointer(try test.element("r"))
      let lut = try #require(gst_child_proxy_get_child_by_name(proxy, "lut"))
      defer { g_object_unref(lut) }
      let recorded = Diagnostics.expecting {
        raster_test_set_string(lut, "location", "/nowhere.cube")
      }
      #expect(recorded.count == 1)
      guard case .failed(let error) = test.run() else {
        Issue.record("a missing file was not noticed")
        return
      }
      #expect(error.text.contains("/nowhere.cube"))
      #expect(test.setState(GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
      _ = test.takeErrors()
      raster_test_set_string(lut, "location", "docs/examples/look.cube")
      #expect(test.run() == .endOfStream)
    }

    @Test("plans are written as Graphviz files where the user wants them")
    func pictures() throws {
      let folder = try TemporaryFolder()
      setenv("GST_DEBUG_DUMP_DOT_DIR", folder.path, 1)
      defer { unsetenv("GST_DEBUG_DUMP_DOT_DIR") }
      let harness = try harness("gaussian-blur, sigma=1")
      #expect(harness.process(Picture(layout, filledWith: 1)) != nil)
      let names = TemporaryFolder.names(in: folder.path).filter { $0.contains("plan") }
      #expect(names.count == 1)
      let text = String(
        decoding: try folder.read(folder.path + "/" + (names.first ?? "")), as: UTF8.self)
      #expect(text.hasPrefix("digraph plan {") && text.contains("pass0 -> pass1"))
    }

    @Test("a second picture from a file is blended over the first")
    func blend() throws {
      let folder = try TemporaryFolder()
      let path = folder.add("white.png")
      let made = try TestPipeline(
        "videotestsrc num-buffers=1 pattern=white ! video/x-raw,format=RGBA,width=8,height=8 "
          + "! pngenc ! filesink location=\(path)")
      #expect(made.run() == .endOfStream)
      let harness = try harness("blend, location=\"\(path)\", opacity=0.5")
      #expect(abs(try luma(harness) - 168) <= 1)
    }
  }
}
