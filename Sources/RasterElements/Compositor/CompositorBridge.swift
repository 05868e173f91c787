// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the C header.
internal import CShim
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

// The functions that the GTypes of rastercompositor and its pads call. Each checks its pointers and hands over.

private func compositor(_ pointer: gpointer?) -> CompositorElement? {
  pointer.map { Unmanaged<CompositorElement>.fromOpaque($0).takeUnretainedValue() }
}

/// The pad behind a pointer that the C instance holds.
func compositorPad(_ pointer: gpointer?) -> CompositorPad? {
  pointer.map { Unmanaged<CompositorPad>.fromOpaque($0).takeUnretainedValue() }
}

// MARK: - Life

@c @implementation
func raster_compositor_create(_ aggregator: UnsafeMutablePointer<GstVideoAggregator>?) -> gpointer?
{
  guard let aggregator else { return nil }
  let base = UnsafeMutableRawPointer(aggregator).assumingMemoryBound(to: GstAggregator.self)
  return Unmanaged.passRetained(CompositorElement(base)).toOpaque()
}

@c @implementation
func raster_compositor_destroy(_ pointer: gpointer?) {
  guard let pointer else { return }
  compositor(pointer)?.steps.drop()
  Unmanaged<CompositorElement>.fromOpaque(pointer).release()
}

@c @implementation
func raster_layer_create(_ pad: UnsafeMutablePointer<GstVideoAggregatorPad>?) -> gpointer? {
  guard let pad else { return nil }
  return Unmanaged.passRetained(CompositorPad(pad)).toOpaque()
}

@c @implementation
func raster_layer_destroy(_ pointer: gpointer?) {
  guard let pointer else { return }
  compositorPad(pointer)?.steps.drop()
  Unmanaged<CompositorPad>.fromOpaque(pointer).release()
}

@c @implementation
func raster_layer_attach(_ pointer: gpointer?, _ element: gpointer?) {
  guard let pad = compositorPad(pointer), let element = compositor(element) else { return }
  pad.attach(to: element)
}

// MARK: - Properties

@c @implementation
func raster_compositor_property_count() -> guint {
  guint(clamping: CompositorProperties.all.count)
}

@c @implementation
func raster_compositor_property_spec(_ index: guint) -> RasterPropertySpec {
  guard CompositorProperties.all.indices.contains(Int(index)) else { return RasterPropertySpec() }
  return CompositorProperties.all[Int(index)].spec
}

@c @implementation
func raster_compositor_set_property(
  _ pointer: gpointer?, _ index: guint, _ value: UnsafePointer<GValue>?
) {
  guard let element = compositor(pointer), let value,
    CompositorProperties.all.indices.contains(Int(index))
  else { return }
  CompositorProperties.all[Int(index)].take(value, for: element)
}

@c @implementation
func raster_compositor_get_property(
  _ pointer: gpointer?, _ index: guint, _ value: UnsafeMutablePointer<GValue>?
) {
  guard let element = compositor(pointer), let value,
    CompositorProperties.all.indices.contains(Int(index))
  else { return }
  CompositorProperties.all[Int(index)].give(to: value, of: element)
}

@c @implementation
func raster_layer_property_count() -> guint { guint(clamping: CompositorPadProperties.all.count) }

@c @implementation
func raster_layer_property_spec(_ index: guint) -> RasterPropertySpec {
  let rows = CompositorPadProperties.all
  return rows.indices.contains(Int(index)) ? rows[Int(index)].spec : RasterPropertySpec()
}

@c @implementation
func raster_layer_set_property(
  _ pointer: gpointer?, _ index: guint, _ value: UnsafePointer<GValue>?
) {
  guard let pad = compositorPad(pointer), let value,
    CompositorPadProperties.all.indices.contains(Int(index))
  else { return }
  CompositorPadProperties.all[Int(index)].take(value, for: pad)
}

@c @implementation
func raster_layer_get_property(
  _ pointer: gpointer?, _ index: guint, _ value: UnsafeMutablePointer<GValue>?
) {
  guard let pad = compositorPad(pointer), let value,
    CompositorPadProperties.all.indices.contains(Int(index))
  else { return }
  CompositorPadProperties.all[Int(index)].give(to: value, of: pad)
}

// MARK: - Children

@c @implementation
func raster_compositor_child_count(_ pointer: gpointer?) -> guint {
  guard let element = compositor(pointer) else { return 0 }
  var count = element.steps.count
  element.forEachPad { _, _ in count += 1 }
  return guint(clamping: count)
}

@c @implementation
func raster_compositor_get_child(
  _ pointer: gpointer?, _ index: guint
) -> UnsafeMutablePointer<GObject>? {
  guard let element = compositor(pointer) else { return nil }
  var found: UnsafeMutablePointer<GObject>?
  var count = 0
  element.forEachPad { pad, _ in
    if count == Int(index) {
      gst_object_ref(pad)
      found = UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GObject.self)
    }
    count += 1
  }
  return found ?? element.steps.child(at: Int(index) - count)
}

@c @implementation
func raster_layer_child_count(_ pointer: gpointer?) -> guint {
  guint(clamping: compositorPad(pointer)?.steps.count ?? 0)
}

@c @implementation
func raster_layer_get_child(_ pointer: gpointer?, _ index: guint) -> UnsafeMutablePointer<GObject>?
{
  compositorPad(pointer)?.steps.child(at: Int(index))
}

// MARK: - States

@c @implementation
func raster_compositor_will_change_state(
  _ pointer: gpointer?, _ transition: GstStateChange
) -> gboolean {
  guard let element = compositor(pointer) else { return 0 }
  switch transition {
  case GST_STATE_CHANGE_NULL_TO_READY: return element.open() ? 1 : 0
  case GST_STATE_CHANGE_READY_TO_PAUSED: element.start()
  case GST_STATE_CHANGE_PAUSED_TO_READY: element.setFlushing(true, ofInputs: true)
  default: break
  }
  return 1
}

@c @implementation
func raster_compositor_did_change_state(
  _ pointer: gpointer?, _ transition: GstStateChange, _ result: GstStateChangeReturn
) {
  guard let element = compositor(pointer) else { return }
  let failedToOpen =
    transition == GST_STATE_CHANGE_NULL_TO_READY && result == GST_STATE_CHANGE_FAILURE
  if transition == GST_STATE_CHANGE_READY_TO_NULL || failedToOpen { element.close() }
}

@c @implementation
func raster_compositor_stop(_ pointer: gpointer?) { compositor(pointer)?.stop() }

@c @implementation
func raster_compositor_set_flushing(_ pointer: gpointer?, _ flushing: gboolean) {
  compositor(pointer)?.setFlushing(flushing != 0, ofInputs: false)
}

@c @implementation
func raster_compositor_end_flush(_ pointer: gpointer?, _ layer: gpointer?) {
  guard let element = compositor(pointer), let pad = compositorPad(layer) else { return }
  element.core.setFlushing(false, of: ObjectIdentifier(pad))
}

@c @implementation
func raster_compositor_forget(_ pointer: gpointer?, _ layer: gpointer?) {
  guard let element = compositor(pointer), let pad = compositorPad(layer) else { return }
  element.core.pools.withLock { $0.forget(ObjectIdentifier(pad)) }
}

@c @implementation
func raster_compositor_note_flush(
  _ pointer: gpointer?, _ layer: gpointer?, _ number: guint32
) -> gboolean {
  guard let element = compositor(pointer), let pad = compositorPad(layer) else { return 0 }
  return element.note(flush: number, of: pad) ? 1 : 0
}

@c @implementation
func raster_layer_note_event(_ pointer: gpointer?, _ event: UnsafeMutablePointer<GstEvent>?) {
  guard let event else { return }
  compositorPad(pointer)?.note(event)
}

@c @implementation
func raster_compositor_refuse_segment(_ pointer: gpointer?, _ format: GstFormat) {
  let name = gst_format_get_name(format).map { String(cString: $0) } ?? "unknown"
  compositor(pointer)?.core.fail(
    RasterError(
      .invalidFrame, "A stream counts in \(name), not in time.",
      remedy: "Let the source send a TIME segment; for appsrc: format=time."))
}

@c @implementation
func raster_compositor_navigate(_ pointer: gpointer?, _ event: UnsafeMutablePointer<GstEvent>?) {
  guard let event else { return }
  compositor(pointer)?.navigate(event)
}

// MARK: - Negotiation

@c @implementation
func raster_compositor_template_caps() -> UnsafeMutablePointer<GstCaps>? { processedCaps() }

@c @implementation
func raster_compositor_fixate_caps(
  _ pointer: gpointer?, _ caps: UnsafeMutablePointer<GstCaps>?
) -> UnsafeMutablePointer<GstCaps>? {
  guard let element = compositor(pointer), let caps else { return caps }
  return element.fixateCaps(caps)
}

@c @implementation
func raster_compositor_input_caps(
  _ pointer: gpointer?, _ filter: UnsafeMutablePointer<GstCaps>?
) -> UnsafeMutablePointer<GstCaps>? {
  compositor(pointer)?.inputCaps(filter) ?? gst_caps_new_empty()
}

@c @implementation
func raster_compositor_set_caps(
  _ pointer: gpointer?, _ caps: UnsafeMutablePointer<GstCaps>?
) -> gboolean {
  guard let element = compositor(pointer), let caps else { return 0 }
  return element.setCaps(caps) ? 1 : 0
}

@c @implementation
func raster_compositor_decide_allocation(
  _ pointer: gpointer?, _ query: UnsafeMutablePointer<GstQuery>?
) -> gboolean {
  guard let element = compositor(pointer), let query else { return 0 }
  return element.decideAllocation(query) ? 1 : 0
}

@c @implementation
func raster_compositor_propose_allocation(
  _ pointer: gpointer?, _ layer: gpointer?, _ query: UnsafeMutablePointer<GstQuery>?
) {
  guard let query, let pad = compositorPad(layer) else { return }
  compositor(pointer)?.core.proposeAllocation(query, for: ObjectIdentifier(pad))
}

// MARK: - Frames

@c @implementation
func raster_compositor_prepare(_ pointer: gpointer?) { compositor(pointer)?.prepare() }

@c @implementation
func raster_compositor_acquire(
  _ pointer: gpointer?, _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>?
) -> GstFlowReturn {
  guard let element = compositor(pointer), let buffer else { return GST_FLOW_ERROR }
  let (acquired, flow) = element.takeSpare()
  buffer.pointee = acquired
  return flow
}

@c @implementation
func raster_compositor_compose(
  _ pointer: gpointer?, _ output: UnsafeMutablePointer<GstBuffer>?
) -> GstFlowReturn {
  guard let element = compositor(pointer), let output else { return GST_FLOW_ERROR }
  return element.compose(into: output)
}
