// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the C header.
internal import CShim
internal import RasterGraph

// The functions that the GTypes of filter steps call.

private func step(_ pointer: gpointer?) -> FilterStep? {
  pointer.map { Unmanaged<FilterStep>.fromOpaque($0).takeUnretainedValue() }
}

private func descriptors(_ row: guint) -> [ParameterDescriptor] {
  FilterRegistry.all.indices.contains(Int(row)) ? FilterRegistry.all[Int(row)].descriptors : []
}

@c @implementation
func raster_step_property_count(_ row: guint) -> guint { guint(clamping: descriptors(row).count) }

@c @implementation
func raster_step_property_spec(_ row: guint, _ index: guint) -> RasterPropertySpec {
  guard descriptors(row).indices.contains(Int(index)) else { return RasterPropertySpec() }
  let parameter = descriptors(row)[Int(index)]
  var spec = RasterPropertySpec()
  spec.name = g_intern_string(parameter.name)
  spec.nick = g_intern_string(parameter.nick)
  spec.blurb = g_intern_string(parameter.fullBlurb)
  switch parameter.kind {
  case .number(let range, let defaultValue):
    spec.kind = RASTER_PROPERTY_DOUBLE
    spec.minimum = range.lowerBound
    spec.maximum = range.upperBound
    spec.default_value = defaultValue
  case .toggle(let defaultValue):
    spec.kind = RASTER_PROPERTY_BOOLEAN
    spec.default_value = defaultValue ? 1 : 0
  case .text(let defaultValue), .choice(_, let defaultValue):
    spec.kind = RASTER_PROPERTY_TEXT
    spec.default_text = g_intern_string(defaultValue)
  }
  return spec
}

@c @implementation
func raster_step_set_property(_ pointer: gpointer?, _ index: guint, _ value: UnsafePointer<GValue>?)
{
  guard let step = step(pointer), let value,
    descriptors(guint(step.row)).indices.contains(Int(index))
  else { return }
  switch descriptors(guint(step.row))[Int(index)].kind {
  case .number: step.set(.number(g_value_get_double(value)), at: Int(index))
  case .toggle: step.set(.toggle(g_value_get_boolean(value) != 0), at: Int(index))
  case .text, .choice:
    let text = g_value_get_string(value).map { String(cString: $0) } ?? ""
    step.set(.text(text), at: Int(index))
  }
}

@c @implementation
func raster_step_get_property(
  _ pointer: gpointer?, _ index: guint, _ value: UnsafeMutablePointer<GValue>?
) {
  guard let step = step(pointer), let value else { return }
  switch step.value.value(at: Int(index)) {
  case .number(let number): g_value_set_double(value, number)
  case .toggle(let toggle): g_value_set_boolean(value, toggle ? 1 : 0)
  case .text(let text): g_value_set_string(value, text)
  case nil: break
  }
}

@c @implementation
func raster_step_destroy(_ pointer: gpointer?) {
  guard let pointer else { return }
  Unmanaged<FilterStep>.fromOpaque(pointer).release()
}
