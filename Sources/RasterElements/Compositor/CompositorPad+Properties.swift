internal import CShim
internal import RasterGraph

/// The rows of a pad's properties, in the order of their GObject ids: first those of GStreamer's compositor.
enum CompositorPadProperties {
  static let all: [Property<CompositorPad>] =
    rectangle + placement + map + look + shape + mask + [
      Property(
        .filters, get: { .text($0.steps.text) },
        set: { if case .text(let text) = $1 { $0.steps.set(text ?? "") } })
    ]

  private static let anyInt = Double(Int32.min)...Double(Int32.max)
  private static let anyLength = -65535.0...65535.0

  private static let operators: [(nick: String, value: CompositeOperator)] = [
    ("source", .source), ("over", .over), ("add", .add),
  ]

  private static let rectangle: [Property<CompositorPad>] = [
    whole("xpos", "X Position", "X position of the picture", \.x, anyInt, default: 0),
    whole("ypos", "Y Position", "Y position of the picture", \.y, anyInt, default: 0),
    whole("width", "Width", "Width of the picture; -1: its own", \.width, anyInt, default: -1),
    whole("height", "Height", "Height of the picture; -1: its own", \.height, anyInt, default: -1),
    number("alpha", "Alpha", "Alpha of the picture", \.opacity, 0...1, default: 1),
    Property(
      RasterPropertySpec(
        enum: "RasterCompositorOperator", operators.map(\.nick), "operator", "Operator",
        "How the picture meets what lies below: source replaces it, over covers it as far as the picture "
          + "is opaque, add adds the alphas, which makes an exact cross-fade", default: 1),
      get: { pad in
        .integer(operators.firstIndex { $0.value == pad.current.settings.operator } ?? 1)
      },
      set: { pad, value in
        guard case .integer(let index) = value, operators.indices.contains(index) else { return }
        pad.setOperator(operators[index].value)
      }),
    choice(
      "RasterCompositorSizingPolicy", SizingPolicy.allCases.map(\.rawValue), "sizing-policy",
      "Sizing policy",
      "How the picture fills its rectangle: none stretches it, keep-aspect-ratio fits it in, cover fills "
        + "the rectangle and cuts off the rest", SizingPolicy.allCases, \.sizing),
  ]

  private static let placement: [Property<CompositorPad>] = [
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_CONFIG, "converter-config", "Converter configuration",
        "As GStreamer's compositor takes it; of its fields GstVideoConverter.src-x, src-y, src-width and "
          + "src-height count: the part of the frame that is used"),
      get: { .structure($0.converterConfig) },
      set: { if case .structure(let config) = $1 { $0.setConverterConfig(config) } }),
    number(
      "xalign", "X alignment",
      "Where the picture lies in its rectangle, or what of it is seen: 0 left, 1 right",
      \.alignment.x, 0...1, default: 0.5),
    number(
      "yalign", "Y alignment",
      "Where the picture lies in its rectangle, or what of it is seen: 0 top, 1 bottom",
      \.alignment.y, 0...1, default: 0.5),
    crop("crop-left", "Crop left", \.crop.left), crop("crop-right", "Crop right", \.crop.right),
    crop("crop-top", "Crop top", \.crop.top), crop("crop-bottom", "Crop bottom", \.crop.bottom),
    Property(
      RasterPropertySpec(
        enum: gst_video_orientation_method_get_type(), "video-direction", "Video direction",
        "How frames are turned and mirrored; auto: as the stream's image-orientation tag says",
        default: 0),
      get: { .integer($0.direction) },
      set: { if case .integer(let value) = $1 { $0.direction = value } }),
    choice(
      "RasterInterpolation", Interpolation.allCases.map(\.rawValue), "interpolation",
      "Interpolation", "How values between pixels are found", Interpolation.allCases,
      \.interpolation),
  ]

  private static let map: [Property<CompositorPad>] = [
    number(
      "translate-x", "Translate X", "Pixels to the right, beside xpos", \.translation.x, anyLength,
      default: 0),
    number(
      "translate-y", "Translate Y", "Pixels down, beside ypos", \.translation.y, anyLength,
      default: 0),
    number(
      "scale-x", "Scale X", "Factor across, about the centre", \.scale.x, 0.001...1000, default: 1),
    number(
      "scale-y", "Scale Y", "Factor down, about the centre", \.scale.y, 0.001...1000, default: 1),
    number(
      "rotation", "Rotation", "Degrees, clockwise, about the centre", \.rotation, -36000...36000,
      default: 0),
    mapText(
      "matrix", "Matrix",
      "Nine numbers apart by spaces, row by row, that map positions from the centre, in pixels; "
        + "empty changes nothing", \.matrix),
    mapText(
      "corners", "Corners",
      "Where the corners go, as four points x,y apart by spaces from the top left clockwise, in "
        + "fractions of the rectangle; empty changes nothing", \.corners),
  ]

  private static let look: [Property<CompositorPad>] = [
    choice(
      "RasterBlendMode", BlendMode.all.map(\.name), "blend-mode", "Blend mode",
      "How the colors are blended", BlendMode.all, \.mode),
    color(
      "tint", "Tint",
      "Takes the place of the picture's colors, and multiplies their alpha; 0 for none", \.tint,
      default: 0),
    number(
      "border-width", "Border width", "Pixels at the inside of the edges", \.borderWidth,
      0...65535, default: 0),
    color(
      "border-color", "Border color", "Color of the border", \.borderColor, default: 0xffff_ffff),
    color(
      "shadow-color", "Shadow color", "Color of the shadow; 0 for none", \.shadow.color, default: 0),
    number(
      "shadow-radius", "Shadow radius", "Standard deviation of the shadow's softness in pixels",
      \.shadow.radius, 0...500, default: 8),
    number(
      "shadow-x", "Shadow X", "Pixels that the shadow lies to the right", \.shadow.x, anyLength,
      default: 0),
    number(
      "shadow-y", "Shadow Y", "Pixels that the shadow lies below", \.shadow.y, anyLength, default: 4
    ),
  ]

  private static let shape: [Property<CompositorPad>] =
    [
      number(
        "corner-radius", "Corner radius", "Of all corners that have none of their own, in pixels",
        \.radius, 0...65535, default: 0)
    ]
    + ["top-left", "top-right", "bottom-right", "bottom-left"].enumerated().map { index, corner in
      number(
        "corner-radius-\(corner)", "Corner radius \(corner)", "In pixels; -1: as corner-radius",
        \.radii[index], -1...65535, default: -1)
    } + [
      choice(
        "RasterCornerCurve", ["circular", "continuous"], "corner-curve", "Corner curve",
        "Whether corners are parts of circles, or their curvature has no jump", [false, true],
        \.isContinuous)
    ]

  private static let mask: [Property<CompositorPad>] = [
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_TEXT, "mask-location", "Mask location",
        "A file whose picture, stretched to the rectangle, says what is seen; empty for none",
        text: ""),
      get: { .text($0.current.settings.mask.location) },
      set: { if case .text(let text) = $1 { $0.setMask(text ?? "") } }),
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_TEXT, "mask-pad", "Mask pad",
        "Name of another pad whose picture, stretched to the rectangle, says what is seen, and which is "
          + "not seen itself; empty for none", text: ""),
      get: { .text($0.current.settings.mask.pad) },
      set: { pad, value in
        if case .text(let text) = value { pad.change { $0.mask.pad = text ?? "" } }
      }),
    choice(
      "RasterMaskComponent", ["luma", "alpha"], "mask-component", "Mask component",
      "What of the mask counts", [false, true], \.mask.isByAlpha),
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_BOOLEAN, "mask-inverted", "Mask inverted",
        "Whether the picture is seen where the mask is dark"),
      get: { .toggle($0.current.settings.mask.isInverted) },
      set: { pad, value in
        if case .toggle(let toggle) = value { pad.change { $0.mask.isInverted = toggle } }
      }),
  ]
}

// MARK: - Kinds of rows

extension CompositorPadProperties {
  typealias Path<Value> = WritableKeyPath<LayerSettings, Value> & Sendable

  private static func number(
    _ name: String, _ nick: String, _ blurb: String, _ path: any Path<Double>,
    _ range: ClosedRange<Double>, default defaultValue: Double
  ) -> Property<CompositorPad> {
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_DOUBLE, name, nick, blurb, range: range, default: defaultValue),
      get: { .number($0.current.settings[keyPath: path]) },
      set: { pad, value in
        if case .number(let number) = value { pad.change { $0[keyPath: path] = number } }
      })
  }

  private static func whole(
    _ name: String, _ nick: String, _ blurb: String, _ path: any Path<Int>,
    _ range: ClosedRange<Double>, default defaultValue: Int
  ) -> Property<CompositorPad> {
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_INT, name, nick, blurb, range: range, default: Double(defaultValue)),
      get: { .integer($0.current.settings[keyPath: path]) },
      set: { pad, value in
        if case .integer(let number) = value { pad.change { $0[keyPath: path] = number } }
      })
  }

  private static func crop(
    _ name: String, _ nick: String, _ path: any Path<Int>
  ) -> Property<CompositorPad> {
    whole(
      name, nick, "Pixels that are cut off the picture as it is seen upright", path,
      0...Double(Int32.max), default: 0)
  }

  private static func color(
    _ name: String, _ nick: String, _ blurb: String, _ path: any Path<ARGB>,
    default defaultValue: UInt32
  ) -> Property<CompositorPad> {
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_COLOR, name, nick, "\(blurb); 0xAARRGGBB", default: Double(defaultValue)),
      get: { .integer(Int($0.current.settings[keyPath: path].value)) },
      set: { pad, value in
        guard case .integer(let number) = value else { return }
        pad.change { $0[keyPath: path] = ARGB(UInt32(clamping: number)) }
      })
  }

  /// One of a few values, which are as many as nicks; the default is that of the settings.
  private static func choice<Value: Hashable & Sendable>(
    _ type: String, _ nicks: [String], _ name: String, _ nick: String, _ blurb: String,
    _ values: [Value], _ path: any Path<Value>
  ) -> Property<CompositorPad> {
    let initial = values.firstIndex(of: LayerSettings()[keyPath: path]) ?? 0
    return Property(
      RasterPropertySpec(enum: type, nicks, name, nick, blurb, default: initial),
      get: { .integer(values.firstIndex(of: $0.current.settings[keyPath: path]) ?? 0) },
      set: { pad, value in
        guard case .integer(let index) = value, values.indices.contains(index) else { return }
        pad.change { $0[keyPath: path] = values[index] }
      })
  }

  private static func mapText(
    _ name: String, _ nick: String, _ blurb: String, _ path: any Path<String>
  ) -> Property<CompositorPad> {
    Property(
      RasterPropertySpec(RASTER_PROPERTY_TEXT, name, nick, blurb, text: ""),
      get: { .text($0.current.settings[keyPath: path]) },
      set: { if case .text(let text) = $1 { $0.setMap(text ?? "", path, name) } })
  }
}
