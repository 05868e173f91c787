internal import CShim
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

extension CompositorElement {
  /// Begins to render the pads' frames into `target`; whoever maps that waits until it is done.
  func compose(into target: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    let stream = streamTime(of: target)
    refresh(stream)
    gather()
    defer {
      layers.removeAll(keepingCapacity: true)
      pads.removeAll(keepingCapacity: true)
    }
    let version = version.load(ordering: .acquiring)
    let time = stream.map { Double($0) / 1e9 } ?? 0
    let flow = core.render { request throws(RasterError) in
      let result = try session.withLock { session throws(RasterError) in
        try session?.render(
          layers, into: target, version: version, time: time, for: request, { self.work })
      }
      if let plan = result?.newPlan { core.notePlan(plan) }
      return result?.begun
    }
    // What this says of a flush, the base class would tell all pads, also those whose flush is over.
    return flow == GST_FLOW_FLUSHING ? raster_aggregator_try_again() : flow
  }

  /// The settings of the element and of the pads whose frames are composed.
  private var work: CompositorWork {
    CompositorWork(
      settings: settings.withLock { $0 }, filters: steps.filters,
      pads: layers.map { layer in
        let name = layer.pad.pad.withMemoryRebound(to: GstObject.self, capacity: 1) {
          $0.pointee.name.map { String(cString: $0) } ?? ""
        }
        return (layer.pad.current, layer.pad.steps.filters, name)
      })
  }

  /// Looks up which pads have a frame that can be read. The base class lets no pad go meanwhile.
  private func gather() {
    layers.removeAll(keepingCapacity: true)
    for own in pads {
      let isInactive = own.pad.withMemoryRebound(to: GstAggregatorPad.self, capacity: 1) {
        gst_aggregator_pad_is_inactive($0) != 0
      }
      guard !isInactive, let buffer = gst_video_aggregator_pad_get_current_buffer(own.pad),
        raster_buffer_is_gap(buffer) == 0, let stream = own.stream(own.pad.pointee.info)
      else { continue }
      if FrameBinder.isWhole(buffer, stream.info, stream.frame.layout) {
        layers.append(LayerFrame(pad: own, stream: stream, buffer: buffer))
      } else {
        warn(of: buffer, stream)
      }
    }
  }

  /// Tells the user, once, that frames of a pad cannot be read.
  private func warn(of buffer: UnsafeMutablePointer<GstBuffer>, _ stream: VideoStream) {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    let error = RasterError(
      .invalidFrame,
      "A frame of \(gst_buffer_get_size(buffer)) bytes is too small for \(stream.frame.layout.name) of "
        + "\(stream.frame.extent), and is left out.",
      remedy: "Check the caps, or the GstVideoMeta, that the element upstream sends.")
    ElementError.post(error, on: element, isFatal: false)
  }

  /// Brings animated values to a stream time, and files to what they are now. The base class has brought those
  /// of pads themselves.
  private func refresh(_ time: guint64?) {
    // Not with the element locked: files are read, and messages may be posted.
    pads.removeAll(keepingCapacity: true)
    forEachPad { pads.append($1) }
    if let time {
      element.withMemoryRebound(to: GstObject.self, capacity: 1) {
        _ = gst_object_sync_values($0, time)
      }
      steps.syncValues(time)
      for own in pads { own.steps.syncValues(time) }
    }
    steps.refresh()
    for own in pads { own.steps.refresh() }
  }

  /// The stream time of an output frame in nanoseconds; nil where it has none.
  private func streamTime(of buffer: UnsafeMutablePointer<GstBuffer>) -> guint64? {
    let time = gst_segment_to_stream_time(
      raster_aggregator_get_segment(aggregator), GST_FORMAT_TIME,
      guint64(raster_buffer_get_pts(buffer)))
    return time == guint64.max ? nil : time
  }
}
