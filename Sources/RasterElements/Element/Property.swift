internal import CShim

/// One GObject property of an element or a pad: what users are told of it, and how it is read and written.
struct Property<Owner>: @unchecked Sendable {
  // @unchecked: the strings that the description points to live for ever.
  let spec: RasterPropertySpec
  let get: @Sendable (Owner) -> PropertyValue
  /// Ignores a value of another kind.
  let set: @Sendable (Owner, PropertyValue) -> Void

  init(
    _ spec: RasterPropertySpec, get: @escaping @Sendable (Owner) -> PropertyValue,
    set: @escaping @Sendable (Owner, PropertyValue) -> Void = { _, _ in }
  ) {
    self.spec = spec
    self.get = get
    self.set = set
  }
}

/// The value of a property of any kind.
enum PropertyValue {
  case number(Double)
  /// Whole numbers, colors, and places among the nicks of an enum.
  case integer(Int)
  case toggle(Bool)
  case text(String?)
  /// Whoever reads a property owns it; whoever takes one over copies it.
  case structure(UnsafeMutablePointer<GstStructure>?)
}

extension Property {
  /// Takes a value over from GObject.
  func take(_ value: UnsafePointer<GValue>, for owner: Owner) {
    switch spec.kind {
    case RASTER_PROPERTY_DOUBLE: set(owner, .number(g_value_get_double(value)))
    case RASTER_PROPERTY_INT: set(owner, .integer(Int(g_value_get_int(value))))
    case RASTER_PROPERTY_UINT, RASTER_PROPERTY_COLOR:
      set(owner, .integer(Int(g_value_get_uint(value))))
    case RASTER_PROPERTY_ENUM: set(owner, .integer(Int(g_value_get_enum(value))))
    case RASTER_PROPERTY_BOOLEAN: set(owner, .toggle(g_value_get_boolean(value) != 0))
    case RASTER_PROPERTY_TEXT, RASTER_PROPERTY_STRING:
      set(owner, .text(g_value_get_string(value).map { String(cString: $0) }))
    case RASTER_PROPERTY_CONFIG:
      set(
        owner, .structure(gst_value_get_structure(value).map { UnsafeMutablePointer(mutating: $0) })
      )
    default: break
    }
  }

  /// Hands the value over to GObject.
  func give(to value: UnsafeMutablePointer<GValue>, of owner: Owner) {
    switch get(owner) {
    case .number(let number): g_value_set_double(value, number)
    case .integer(let number):
      switch spec.kind {
      case RASTER_PROPERTY_INT: g_value_set_int(value, gint(clamping: number))
      case RASTER_PROPERTY_ENUM: g_value_set_enum(value, gint(clamping: number))
      default: g_value_set_uint(value, guint(clamping: number))
      }
    case .toggle(let toggle): g_value_set_boolean(value, toggle ? 1 : 0)
    case .text(let text): g_value_set_string(value, text)
    case .structure(let structure): g_value_take_boxed(value, structure)
    }
  }
}

extension RasterPropertySpec {
  init(
    _ kind: RasterPropertyKind, _ name: String, _ nick: String, _ blurb: String,
    range: ClosedRange<Double> = 0...0, default defaultValue: Double = 0, text: String? = nil
  ) {
    self.init()
    self.kind = kind
    self.name = g_intern_string(name)
    self.nick = g_intern_string(nick)
    self.blurb = g_intern_string(blurb)
    minimum = range.lowerBound
    maximum = range.upperBound
    default_value = defaultValue
    default_text = text.flatMap { g_intern_string($0) }
  }

  /// An enum property with a new GType.
  ///
  /// - Parameter type: the name of the GType.
  init(
    enum type: String, _ nicks: [String], _ name: String, _ nick: String, _ blurb: String,
    default defaultValue: Int
  ) {
    self.init(RASTER_PROPERTY_ENUM, name, nick, blurb, default: Double(defaultValue))
    enum_name = g_intern_string(type)
    // Never freed: GObject keeps what it points to.
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: nicks.count + 1)
    for (index, nick) in nicks.enumerated() { list[index] = g_intern_string(nick) }
    list[nicks.count] = nil
    self.nicks = UnsafePointer(list)
  }

  /// An enum property with a GType that there is.
  init(
    enum type: GType, _ name: String, _ nick: String, _ blurb: String, default defaultValue: Int
  ) {
    self.init(RASTER_PROPERTY_ENUM, name, nick, blurb, default: Double(defaultValue))
    enum_type = type
  }
}

// MARK: - Properties that every element has

extension RasterPropertySpec {
  static var filters: RasterPropertySpec {
    RasterPropertySpec(
      RASTER_PROPERTY_TEXT, "filters", "Filters",
      "Filters with their values, apart by semicolons, that apply in this order. Each becomes a "
        + "child that can be set and animated. There are: " + StepList.names)
  }

  static var workingSpace: RasterPropertySpec {
    RasterPropertySpec(
      RASTER_PROPERTY_TEXT, "working-space", "Working space",
      "What scaling, blurring and blending take means of: encoded (the signal, as other elements "
        + "do) or linear (light)", text: "encoded")
  }

  static var device: RasterPropertySpec {
    RasterPropertySpec(
      RASTER_PROPERTY_STRING, "device", "Device",
      "Vulkan device as an index, a part of its name or a UUID; unset: RASTER_DEVICE, else a GPU "
        + "before the CPU. Taken over in NULL to READY")
  }

  static var maxBuffers: RasterPropertySpec {
    RasterPropertySpec(
      RASTER_PROPERTY_UINT, "max-buffers", "Maximum buffers",
      "Frames that may exist for downstream; when all are in use, the element waits. 0: what "
        + "downstream says that it holds, those under way and a few more, at least 32. Taken "
        + "over when the pool is made", range: 0...Double(Int32.max))
  }

  static var stats: RasterPropertySpec {
    RasterPropertySpec(
      RASTER_PROPERTY_STRUCTURE, "stats", "Statistics",
      "Since READY to PAUSED: frames, passes per frame, memory imports, copied planes, compiled "
        + "pipelines, new plans, allocated device buffers, device and its time in nanoseconds; "
        + "requests rendered, failed and cancelled; frames of the output pool: bound, allocated, "
        + "most ever allocated, in use; waits for one and their time in nanoseconds")
  }
}
