// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the C header.
internal import CShim
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

// The functions that the GType of rasterfilter calls. Each checks its pointers and hands over.

/// The element behind a pointer that the C instance holds.
func filterElement(_ pointer: gpointer?) -> FilterElement? {
  pointer.map { Unmanaged<FilterElement>.fromOpaque($0).takeUnretainedValue() }
}

@c @implementation
func raster_filter_create(_ transform: UnsafeMutablePointer<GstBaseTransform>?) -> gpointer? {
  guard let transform else { return nil }
  return Unmanaged.passRetained(FilterElement(transform)).toOpaque()
}

@c @implementation
func raster_filter_destroy(_ pointer: gpointer?) {
  guard let pointer else { return }
  filterElement(pointer)?.steps.drop()
  Unmanaged<FilterElement>.fromOpaque(pointer).release()
}

// MARK: - Class

@c @implementation
func raster_filter_property_count() -> guint { guint(clamping: FilterProperty.all.count) }

@c @implementation
func raster_filter_property_spec(_ index: guint) -> RasterPropertySpec {
  guard FilterProperty.all.indices.contains(Int(index)) else { return RasterPropertySpec() }
  return FilterProperty.all[Int(index)].spec
}

extension FilterProperty {
  fileprivate var spec: RasterPropertySpec {
    switch self {
    case .number(let number):
      RasterPropertySpec(
        RASTER_PROPERTY_DOUBLE, number.name, number.nick, number.blurb, range: number.range,
        default: number.defaultValue)
    case .filters:
      RasterPropertySpec(
        RASTER_PROPERTY_TEXT, "filters", "Filters",
        "Filters with their values, apart by semicolons, that apply in this order after the "
          + "properties above. Each becomes a child that can be set and animated. While frames pass, "
          + "setting it returns when a new list is compiled, which can take seconds, and the next frame "
          + "has it. There are: " + StepList.names)
    case .workingSpace: .workingSpace
    case .device: .device
    case .maxBuffers: .maxBuffers
    case .stats: .stats
    }
  }
}

// MARK: - Properties

@c @implementation
func raster_filter_set_property(
  _ pointer: gpointer?, _ index: guint, _ value: UnsafePointer<GValue>?
) {
  guard let element = filterElement(pointer), let value,
    FilterProperty.all.indices.contains(Int(index))
  else { return }
  let wasNeutral = element.isNeutral
  switch FilterProperty.all[Int(index)] {
  case .number(let number):
    let new = g_value_get_double(value)
    var chain = element.settings.withLock { $0.chain }
    number.set(&chain, .number(new))
    element.rehearse(chain: chain)
    element.settings.withLock {
      number.set(&$0.chain, .number(new))
      $0.version &+= 1
    }
  case .filters:
    element.steps.set(g_value_get_string(value).map { String(cString: $0) } ?? "")
  case .workingSpace:
    element.setWorkingSpace(g_value_get_string(value).map { String(cString: $0) } ?? "encoded")
  case .device:
    let new = g_value_get_string(value).map { String(cString: $0) }
    element.core.settings.withLock { $0.device = new.flatMap { $0.isEmpty ? nil : $0 } }
  case .maxBuffers:
    let new = g_value_get_uint(value)
    element.core.settings.withLock { $0.maxBuffers = Int(new) }
  case .stats: break
  }
  // Other formats are possible now, or no longer.
  if element.isNeutral != wasNeutral { gst_base_transform_reconfigure_sink(element.transform) }
}

@c @implementation
func raster_filter_get_property(
  _ pointer: gpointer?, _ index: guint, _ value: UnsafeMutablePointer<GValue>?
) {
  guard let element = filterElement(pointer), let value,
    FilterProperty.all.indices.contains(Int(index))
  else { return }
  switch FilterProperty.all[Int(index)] {
  case .number(let number):
    if case .number(let current) = element.settings.withLock({ number.get($0.chain) }) {
      g_value_set_double(value, current)
    }
  case .filters:
    g_value_set_string(value, element.steps.text)
  case .workingSpace:
    g_value_set_string(value, element.settings.withLock { $0.isLinear } ? "linear" : "encoded")
  case .device:
    g_value_set_string(value, element.core.settings.withLock { $0.device })
  case .maxBuffers:
    g_value_set_uint(value, guint(clamping: element.core.settings.withLock { $0.maxBuffers }))
  case .stats:
    g_value_take_boxed(value, element.core.makeStatistics())
  }
}

// MARK: - States

@c @implementation
func raster_filter_will_change_state(_ pointer: gpointer?, _ transition: GstStateChange) -> gboolean
{
  guard let element = filterElement(pointer) else { return 0 }
  switch transition {
  case GST_STATE_CHANGE_NULL_TO_READY: return element.open() ? 1 : 0
  case GST_STATE_CHANGE_READY_TO_PAUSED: element.core.start()
  case GST_STATE_CHANGE_PAUSED_TO_READY: element.core.setFlushing(true)
  default: break
  }
  return 1
}

@c @implementation
func raster_filter_did_change_state(
  _ pointer: gpointer?, _ transition: GstStateChange, _ result: GstStateChangeReturn
) {
  guard let element = filterElement(pointer) else { return }
  let failedToOpen =
    transition == GST_STATE_CHANGE_NULL_TO_READY && result == GST_STATE_CHANGE_FAILURE
  if transition == GST_STATE_CHANGE_READY_TO_NULL || failedToOpen { element.close() }
}

@c @implementation
func raster_filter_stop(_ pointer: gpointer?) { filterElement(pointer)?.stop() }

@c @implementation
func raster_filter_set_flushing(_ pointer: gpointer?, _ flushing: gboolean) {
  filterElement(pointer)?.core.setFlushing(flushing != 0)
}

// MARK: - Negotiation

@c @implementation
func raster_filter_decide_allocation(
  _ pointer: gpointer?, _ query: UnsafeMutablePointer<GstQuery>?
) -> gboolean {
  guard let element = filterElement(pointer), let query else { return 0 }
  return element.core.decideAllocation(query) ? 1 : 0
}

@c @implementation
func raster_filter_propose_allocation(
  _ pointer: gpointer?, _ query: UnsafeMutablePointer<GstQuery>?
) {
  guard let query else { return }
  filterElement(pointer)?.core.proposeAllocation(query)
}

// MARK: - Frames

@c @implementation
func raster_filter_before_transform(
  _ pointer: gpointer?, _ buffer: UnsafeMutablePointer<GstBuffer>?
) {
  guard let element = filterElement(pointer), let buffer else { return }
  element.beforeTransform(buffer)
}

@c @implementation
func raster_filter_acquire(
  _ pointer: gpointer?, _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>?
) -> GstFlowReturn {
  guard let element = filterElement(pointer), let buffer else { return GST_FLOW_ERROR }
  let (acquired, flow) = element.core.acquire()
  buffer.pointee = acquired
  return flow
}

@c @implementation
func raster_filter_transform(
  _ pointer: gpointer?, _ input: UnsafeMutablePointer<GstBuffer>?,
  _ output: UnsafeMutablePointer<GstBuffer>?
) -> GstFlowReturn {
  guard let element = filterElement(pointer), let input, let output else { return GST_FLOW_ERROR }
  return element.render(input, into: output)
}
