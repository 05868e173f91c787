// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names of functions for C are those of the header.
internal import CShim
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

extension FilterStreams {
  /// Nil where one side is not processed.
  init?(_ input: UnsafeMutablePointer<GstCaps>, _ output: UnsafeMutablePointer<GstCaps>) {
    guard let input = VideoStream(input), let output = VideoStream(output) else { return nil }
    self.init(input: input, output: output)
  }
}

extension VideoStream {
  init?(_ caps: UnsafeMutablePointer<GstCaps>) {
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0 else { return nil }
    self.init(info)
  }
}

extension FilterElement {
  /// What the other side may be where one side is `caps`; the caller owns it.
  ///
  /// While the settings are neutral, frames of any kind pass as they are.
  func transformCaps(_ caps: UnsafeMutablePointer<GstCaps>) -> UnsafeMutablePointer<GstCaps>? {
    let processed = processedCaps()
    defer { gst_caps_unref(processed) }
    // Only what is processed at one side can be anything at the other.
    let usable = gst_caps_intersect_full(caps, processed, GST_CAPS_INTERSECT_FIRST)
    defer { gst_caps_unref(usable) }
    guard let usable, let free = gst_caps_copy(usable) else { return nil }
    for index in 0..<gst_caps_get_size(free) {
      guard let structure = gst_caps_get_structure(free, index) else { continue }
      for field in ["format", "colorimetry", "chroma-site"] {
        gst_structure_remove_field(structure, field)
      }
      raster_structure_set_range(structure, "width")
      raster_structure_set_range(structure, "height")
      if gst_structure_has_field(structure, "pixel-aspect-ratio") != 0 {
        raster_structure_set_fraction_range(structure, "pixel-aspect-ratio")
      }
    }
    let converted = gst_caps_intersect_full(free, processed, GST_CAPS_INTERSECT_FIRST)
    gst_caps_unref(free)
    // What needs no conversion comes first; with filters, the size is theirs to say.
    return isNeutral ? gst_caps_merge(gst_caps_ref(caps), converted) : converted
  }

  /// Chooses among the caps of the other side; takes them over, and the caller owns the result.
  func fixateCaps(
    _ direction: GstPadDirection, _ caps: UnsafeMutablePointer<GstCaps>,
    _ others: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstCaps>? {
    let isSame = gst_caps_can_intersect(caps, others) != 0
    if isSame, isNeutral, let same = gst_caps_intersect_full(caps, others, GST_CAPS_INTERSECT_FIRST)
    {
      gst_caps_unref(others)
      return gst_caps_fixate(same)
    }
    // Truncating takes `others` over, so nothing may fail that needs it afterwards.
    guard let stream = VideoStream(caps) else { return gst_caps_fixate(others) }
    guard let result = gst_caps_truncate(others) else { return nil }
    guard let structure = gst_caps_get_structure(result, 0) else { return result }
    // Upstream of the filters any size will do; the nearest to nothing being scaled is the same one.
    let image =
      direction == GST_PAD_SINK ? work.image(of: stream.frame, time: 0) : stream.frame.image(0)
    fixate(structure, like: stream, caps, image)
    return gst_caps_fixate(result)
  }

  private func fixate(
    _ structure: UnsafeMutablePointer<GstStructure>, like stream: VideoStream,
    _ caps: UnsafeMutablePointer<GstCaps>, _ image: Image
  ) {
    gst_structure_fixate_field_string(structure, "format", stream.frame.layout.name)
    gst_structure_fixate_field_nearest_int(structure, "width", gint(clamping: image.extent.width))
    gst_structure_fixate_field_nearest_int(
      structure, "height", gint(clamping: image.extent.height))
    var (width, height): (gint, gint) = (0, 0)
    gst_structure_get_int(structure, "width", &width)
    gst_structure_get_int(structure, "height", &height)
    // What is shown keeps its shape where downstream lets it.
    let aspect = image.pixelAspect.times(
      image.extent.width * max(Int(height), 1), image.extent.height * max(Int(width), 1))
    if gst_structure_has_field(structure, "pixel-aspect-ratio") != 0 {
      gst_structure_fixate_field_nearest_fraction(
        structure, "pixel-aspect-ratio", gint(clamping: aspect.numerator),
        gint(clamping: aspect.denominator))
    } else if aspect != .one {
      raster_structure_set_fraction(
        structure, "pixel-aspect-ratio", gint(clamping: aspect.numerator),
        gint(clamping: aspect.denominator))
    }
    keepMeaning(structure, stream, caps, isSameSize: image.extent == stream.frame.extent)
  }

  /// Samples mean the same on both sides where the formats are of one kind and downstream does not care.
  private func keepMeaning(
    _ structure: UnsafeMutablePointer<GstStructure>, _ stream: VideoStream,
    _ caps: UnsafeMutablePointer<GstCaps>, isSameSize: Bool
  ) {
    guard let name = gst_structure_get_string(structure, "format"),
      let format = gst_video_format_get_info(raster_video_format_from_string(name)),
      let layout = PixelLayout(format), let input = gst_caps_get_structure(caps, 0),
      raster_video_format_is_rgb(format) == raster_video_format_is_rgb(stream.info.finfo),
      layout.colors.count == stream.frame.layout.colors.count
    else { return }
    for field in ["colorimetry", "chroma-site"] {
      guard gst_structure_has_field(structure, field) == 0,
        let value = gst_structure_get_value(input, field)
      else { continue }
      gst_structure_set_value(structure, field, value)
    }
    // What caps do not say follows from the size.
    guard !isSameSize, gst_structure_has_field(structure, "colorimetry") == 0 else { return }
    var colorimetry = stream.info.colorimetry
    guard let text = gst_video_colorimetry_to_string(&colorimetry) else { return }
    raster_structure_set_string(structure, "colorimetry", text)
    g_free(text)
  }

  private var workingSpaceSetting: ElementSetting {
    .property(ObjectIdentifier(self), "working-space")
  }

  /// Takes over how means are taken.
  func setWorkingSpace(_ name: String) {
    guard ["encoded", "linear"].contains(name) else {
      report(
        RasterError(
          .invalidSetting, "working-space cannot be \"\(name)\".",
          remedy: "Set it to encoded or linear."), of: workingSpaceSetting)
      return
    }
    rehearse(isLinear: name == "linear")
    settings.withLock { $0.isLinear = name == "linear" }
    noteChange(of: workingSpaceSetting)
  }
}

/// The caps that can be processed; the caller owns them.
func processedCaps() -> UnsafeMutablePointer<GstCaps>? {
  let formats = VideoFormats.names.joined(separator: ", ")
  return gst_caps_from_string(
    "video/x-raw, format=(string){ \(formats) }, width=(int)[1, MAX], height=(int)[1, MAX], "
      + "framerate=(fraction)[0, MAX]")
}

@c @implementation
func raster_filter_template_caps() -> UnsafeMutablePointer<GstCaps>? {
  // While the settings are neutral, anything passes.
  gst_caps_merge(processedCaps(), gst_caps_from_string("video/x-raw(ANY)"))
}

@c @implementation
func raster_filter_transform_caps(
  _ pointer: gpointer?, _ caps: UnsafeMutablePointer<GstCaps>?
) -> UnsafeMutablePointer<GstCaps>? {
  guard let element = filterElement(pointer), let caps else { return nil }
  return element.transformCaps(caps)
}

@c @implementation
func raster_filter_fixate_caps(
  _ pointer: gpointer?, _ direction: GstPadDirection, _ caps: UnsafeMutablePointer<GstCaps>?,
  _ others: UnsafeMutablePointer<GstCaps>?
) -> UnsafeMutablePointer<GstCaps>? {
  guard let element = filterElement(pointer), let caps, let others else { return others }
  return element.fixateCaps(direction, caps, others)
}

@c @implementation
func raster_filter_set_caps(
  _ pointer: gpointer?, _ input: UnsafeMutablePointer<GstCaps>?,
  _ output: UnsafeMutablePointer<GstCaps>?
) -> gboolean {
  guard let element = filterElement(pointer), let input, let output else { return 0 }
  return element.setCaps(input, output) ? 1 : 0
}
