internal import CShim
internal import RasterColor
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

extension CompositorElement {
  /// Takes over what the output is; false for formats that are not processed.
  func setCaps(_ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    let stream = VideoStream(caps)
    session.withLock { $0?.canvas = stream }
    return stream != nil
  }

  /// What pads take: every format that is processed, interlaced as the pads that have caps are, or else as
  /// downstream wants it, since one output has one way of interlacing. The caller owns the result.
  func inputCaps(_ filter: UnsafeMutablePointer<GstCaps>?) -> UnsafeMutablePointer<GstCaps>? {
    guard let all = processedCaps() else { return nil }
    var result = all
    if let mode = interlaceMode {
      let name = gst_video_interlace_mode_to_string(mode)
      raster_structure_set_string(gst_caps_get_structure(all, 0), "interlace-mode", name)
    } else if let wanted = gst_pad_peer_query_caps(aggregator.pointee.srcpad, all) {
      result = interlaced(all, like: wanted) ?? all
      gst_caps_unref(wanted)
      if result != all { gst_caps_unref(all) }
    }
    guard let filter else { return result }
    defer { gst_caps_unref(result) }
    return gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST)
  }

  /// How the pads that have caps are interlaced; nil where none has.
  private var interlaceMode: GstVideoInterlaceMode? {
    var mode: GstVideoInterlaceMode?
    forEachPad { pad, _ in
      guard let format = pad.pointee.info.finfo,
        format.pointee.format != GST_VIDEO_FORMAT_UNKNOWN
      else { return }
      mode = mode ?? pad.pointee.info.interlace_mode
    }
    return mode
  }

  /// One structure of `all` for each of `wanted`, interlaced like that.
  private func interlaced(
    _ all: UnsafeMutablePointer<GstCaps>, like wanted: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstCaps>? {
    var result = gst_caps_new_empty()
    for index in 0..<gst_caps_get_size(wanted) {
      guard let fields = gst_caps_get_structure(wanted, index),
        let copy = gst_structure_copy(gst_caps_get_structure(all, 0))
      else { continue }
      if let mode = gst_structure_get_value(fields, "interlace-mode") {
        gst_structure_set_value(copy, "interlace-mode", mode)
      }
      result = gst_caps_merge_structure(result, copy)
    }
    return result
  }

  /// Chooses among the caps of the output, as GStreamer's compositor does: large enough for all pictures where
  /// they are, and as fast as the fastest; among what downstream offers, whatever the order, the nearest to that,
  /// and the fastest where no pad says. Takes the caps over, and the caller owns the result.
  func fixateCaps(_ caps: UnsafeMutablePointer<GstCaps>) -> UnsafeMutablePointer<GstCaps>? {
    defer { gst_caps_unref(caps) }
    var best: (caps: UnsafeMutablePointer<GstCaps>, cost: [Double])?
    for index in 0..<gst_caps_get_size(caps) {
      guard let one = gst_caps_copy_nth(caps, index), let made = fixated(one) else { continue }
      if let known = best, !made.cost.lexicographicallyPrecedes(known.cost) {
        gst_caps_unref(made.caps)
      } else {
        if let known = best { gst_caps_unref(known.caps) }
        best = made
      }
    }
    return best?.caps
  }

  /// One structure with one value in each field, and how far that is from what would be best, the most important
  /// first. Takes the caps over.
  private func fixated(
    _ caps: UnsafeMutablePointer<GstCaps>
  ) -> (caps: UnsafeMutablePointer<GstCaps>, cost: [Double])? {
    guard let fields = gst_caps_get_structure(caps, 0) else {
      gst_caps_unref(caps)
      return nil
    }
    var aspect = Ratio.one
    if gst_structure_has_field(fields, "pixel-aspect-ratio") != 0 {
      gst_structure_fixate_field_nearest_fraction(fields, "pixel-aspect-ratio", 1, 1)
      var (numerator, denominator): (gint, gint) = (1, 1)
      gst_structure_get_fraction(fields, "pixel-aspect-ratio", &numerator, &denominator)
      aspect = Ratio(Int(numerator), Int(denominator))
    }
    let best = preference(aspect)
    gst_structure_fixate_field_nearest_int(fields, "width", best.width)
    gst_structure_fixate_field_nearest_int(fields, "height", best.height)
    gst_structure_fixate_field_nearest_fraction(
      fields, "framerate", best.rate.numerator, best.rate.denominator)
    var (width, height, numerator, denominator): (gint, gint, gint, gint) = (0, 0, 0, 1)
    gst_structure_get_int(fields, "width", &width)
    gst_structure_get_int(fields, "height", &height)
    gst_structure_get_fraction(fields, "framerate", &numerator, &denominator)
    let speed = Double(numerator) / Double(max(denominator, 1))
    let isKnown = best.width > 0
    let size = isKnown ? abs(Double(width - best.width)) + abs(Double(height - best.height)) : 0
    return gst_caps_fixate(caps).map { ($0, [size, isKnown ? abs(speed - best.speed) : -speed]) }
  }

  /// What an output would be where anything goes.
  private struct Preference {
    var width: gint = -1
    var height: gint = -1
    var rate: (numerator: gint, denominator: gint) = (25, 1)
    private var fastest = 0.0
    var speed: Double { Double(rate.numerator) / Double(rate.denominator) }

    mutating func note(_ numerator: gint, _ denominator: gint) {
      let speed = denominator > 0 ? Double(numerator) / Double(denominator) : 0
      guard speed > fastest else { return }
      fastest = speed
      rate = (numerator, denominator)
    }

    mutating func note(width: Int, height: Int) {
      self.width = max(self.width, gint(clamping: width))
      self.height = max(self.height, gint(clamping: height))
    }
  }

  private func preference(_ aspect: Ratio) -> Preference {
    // Worked out without the element's lock, which filters must not be made under.
    var seen: [(pad: CompositorPad, info: GstVideoInfo)] = []
    forEachPad { pad, own in
      let isInactive = pad.withMemoryRebound(to: GstAggregatorPad.self, capacity: 1) {
        gst_aggregator_pad_is_inactive($0) != 0
      }
      if !isInactive { seen.append((own, pad.pointee.info)) }
    }
    var result = Preference()
    for (own, info) in seen {
      guard let placement = placement(of: own, info, on: aspect) else { continue }
      let (box, settings) = (placement.rectangle, own.current.settings)
      if placement.map != nil {
        result.note(width: max(1, placement.bounds.right), height: max(1, placement.bounds.bottom))
      } else {
        // The room beside a fitted picture counts on both sides.
        result.note(
          width: placement.extent.width + max(0, 2 * box.left - settings.x),
          height: placement.extent.height + max(0, 2 * box.top - settings.y))
      }
      result.note(info.fps_n, info.fps_d)
    }
    return result
  }

  /// Where a pad's picture goes on a canvas whose pixels have that shape; nil where it has none.
  func placement(
    of pad: CompositorPad, _ info: GstVideoInfo, on aspect: Ratio
  ) -> LayerPlacement? {
    guard let stream = VideoStream(info) else { return nil }
    let (state, canvas) = (
      pad.current,
      Canvas(extent: stream.frame.extent, pixelAspect: aspect, background: .black)
    )
    let layer = Layer(
      state.settings, frame: 0, orientation: state.orientation, filters: pad.steps.filters)
    guard let picture = layer.picture(of: stream.frame, number: 0, time: 0) else { return nil }
    return layer.placement(
      of: picture, stream.frame, on: canvas,
      zeroIsUnscaled: settings.withLock { $0.zeroIsUnscaled })
  }
}

// MARK: - Pointers

extension CompositorElement {
  /// Sends a pointer event to the pads under it, in the coordinates of their frames.
  func navigate(_ event: UnsafeMutablePointer<GstEvent>) {
    guard let fields = gst_event_get_structure(event),
      let canvas = session.withLock({ $0?.canvas })
    else { return }
    var (x, y) = (0.0, 0.0)
    raster_structure_get_double(fields, "pointer_x", &x)
    raster_structure_get_double(fields, "pointer_y", &y)
    var targets: [(pad: UnsafeMutablePointer<GstPad>, own: CompositorPad, info: GstVideoInfo)] = []
    forEachPad { pad, own in
      let raw = UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstPad.self)
      gst_object_ref(raw)
      targets.append((raw, own, pad.pointee.info))
    }
    for target in targets {
      if let place = position(x, y, target.own, target.info, on: canvas.frame.pixelAspect) {
        gst_pad_push_event(target.pad, raster_navigation_moved(event, place.x, place.y))
      }
      gst_object_unref(target.pad)
    }
  }

  /// Where a position of the canvas is in a pad's frames; nil where its picture is not there.
  private func position(
    _ x: Double, _ y: Double, _ pad: CompositorPad, _ info: GstVideoInfo, on aspect: Ratio
  ) -> (x: Double, y: Double)? {
    guard let stream = VideoStream(info), let placement = placement(of: pad, info, on: aspect)
    else { return nil }
    let state = pad.current
    let local = placement.rectangleMap(x, y)
    let (width, height) = (Double(placement.extent.width), Double(placement.extent.height))
    guard local.x >= 0, local.y >= 0, local.x <= width, local.y <= height else { return nil }
    let window = placement.window
    let upright = (
      x: local.x / width * Double(window.right - window.left + 1)
        + Double(window.left + max(0, state.settings.crop.left)),
      y: local.y / height * Double(window.bottom - window.top + 1)
        + Double(window.top + max(0, state.settings.crop.top))
    )
    let stored = state.orientation.map(to: stream.frame.extent)
    return stored(upright.x, upright.y)
  }
}
