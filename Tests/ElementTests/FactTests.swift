import CGstCheck
import RasterTestSupport
import RasterVideo
import Testing

extension FilterElementTests {
  /// What gst-inspect-1.0 shows.
  @Suite struct Facts {
    private struct Number: Hashable {
      var minimum: Double
      var maximum: Double
      var defaultValue: Double
      var isControllable: Bool
    }

    private func number(
      _ property: String, of element: UnsafeMutablePointer<GstElement>
    ) throws -> Number {
      let spec = try #require(raster_test_find_property(element, property))
      #expect(raster_test_type_name(spec).map { String(cString: $0) } == "GParamDouble")
      let double: UnsafeMutablePointer<GParamSpecDouble> = cast(spec)
      return Number(
        minimum: double.pointee.minimum, maximum: double.pointee.maximum,
        defaultValue: double.pointee.default_value,
        isControllable: raster_test_is_controllable(spec) != 0)
    }

    @Test(
      "range, default and flags are those of the stock element",
      arguments: [
        ("brightness", "videobalance"), ("contrast", "videobalance"), ("hue", "videobalance"),
        ("saturation", "videobalance"), ("gamma", "gamma"),
      ])
    func stockProperty(_ property: String, _ peer: String) throws {
      let ours = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(ours) }
      let stock = try #require(GStreamer.makeElement(peer))
      defer { gst_object_unref(stock) }
      #expect(try number(property, of: ours) == number(property, of: stock))
    }

    @Test("exposure is a controllable number around 0")
    func exposure() throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(element) }
      let expected = Number(minimum: -10, maximum: 10, defaultValue: 0, isControllable: true)
      #expect(try number("exposure", of: element) == expected)
    }

    @Test("every property has a blurb, and keeps what is set")
    func properties() throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(element) }
      for name in ["brightness", "contrast", "hue", "saturation", "gamma", "exposure"] {
        let spec = try #require(raster_test_find_property(element, name))
        #expect(raster_test_is_mutable_in_playing(spec) != 0)
        #expect(g_param_spec_get_blurb(spec).map { String(cString: $0).count } ?? 0 > 20)
        raster_test_set_double(element, name, 0.375)
        #expect(raster_test_get_double(element, name) == 0.375)
      }
      raster_test_set_string(element, "device", "some device")
      var value: UnsafeMutablePointer<CChar>?
      raster_test_get_string(element, "device", &value)
      #expect(value.map { String(cString: $0) } == "some device")
      g_free(value)
    }

    @Test("statistics are there before anything ran, and count nothing")
    func emptyStatistics() throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(element) }
      for field in ["frames", "passes-per-frame", "imports", "copies", "pipelines", "gpu-time"] {
        #expect(element.statistic(field) == 0)
      }
      let spec = try #require(raster_test_find_property(element, "stats"))
      #expect(spec.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue == 0)
    }

    @Test("class, rank and description are those of an effect that is never plugged by itself")
    func factory() throws {
      let factory = try #require(gst_element_factory_find("rasterfilter"))
      defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
      #expect(gst_plugin_feature_get_rank(factory) == 0)
      func text(_ key: String) -> String? {
        gst_element_factory_get_metadata(factory, key).map { String(cString: $0) }
      }
      #expect(text("klass") == "Filter/Effect/Video")
      #expect(text("long-name")?.isEmpty == false)
      #expect(text("description")?.isEmpty == false)
      #expect(text("author")?.isEmpty == false)
    }

    @Test(
      "both pads are always there and take every processed format in any size",
      arguments: [
        "sink", "src",
      ])
    func padTemplate(_ name: String) throws {
      let element = try #require(GStreamer.makeElement("rasterfilter"))
      defer { gst_object_unref(element) }
      let template = try #require(gst_element_get_pad_template(element, name))
      #expect(template.pointee.presence == GST_PAD_ALWAYS)
      let caps = try #require(gst_pad_template_get_caps(template))
      defer { gst_caps_unref(caps) }
      let layouts = VideoFormats.names.map { VideoLayout($0, 1, 1).caps() }
      let exotic = ["P010_10LE", "v210", "Y444", "ARGB64"].map { VideoLayout($0, 33, 1).caps() }
      for text in layouts + exotic + ["video/x-raw(memory:DMABuf), format=NV12"] {
        let wanted = try #require(gst_caps_from_string(text))
        defer { gst_caps_unref(wanted) }
        #expect(gst_caps_can_intersect(caps, wanted) != 0, "\(text)")
      }
    }

    @Test("formats are processed, each once")
    func formats() {
      #expect(VideoFormats.names.count == 32)
      #expect(Set(VideoFormats.names).count == 32)
    }
  }
}
