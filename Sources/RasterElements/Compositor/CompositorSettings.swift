internal import CShim
internal import RasterGraph
internal import Synchronization

/// What the user has set on a `rastercompositor`, beside what is set on its pads.
struct CompositorSettings: Hashable, Sendable {
  var background = BackgroundKind.checker
  var backgroundColor = ARGB(0xff00_0000)
  /// Whether a pad's width or height of 0 means that of its picture.
  var zeroIsUnscaled = true
  /// Whether scaling, blurring and blending work on light.
  var isLinear = false
  /// Kept for applications that set it; the device divides the work.
  var maxThreads = 0

  /// The values of the `background` property; the first four are those of GStreamer's compositor.
  enum BackgroundKind: String, CaseIterable, Sendable {
    case checker, black, white, transparent, color, blur
  }

  var canvasBackground: Canvas.Background {
    switch background {
    case .checker: .checker
    case .black: .black
    case .white: .white
    case .transparent: .transparent
    case .color: .color(backgroundColor)
    case .blur: .blur
    }
  }
}

/// The rows of the element's properties, in the order of their GObject ids.
enum CompositorProperties {
  static let all: [Property<CompositorElement>] = [
    Property(
      RasterPropertySpec(
        enum: "RasterCompositorBackground",
        CompositorSettings.BackgroundKind.allCases.map(\.rawValue),
        "background", "Background",
        "What is seen where there is no picture; color: background-color, blur: the lowest picture, filling "
          + "the frame, blurred", default: 0),
      get: { element in
        let kind = element.settings.withLock { $0.background }
        return .integer(CompositorSettings.BackgroundKind.allCases.firstIndex(of: kind) ?? 0)
      },
      set: { element, value in
        let kinds = CompositorSettings.BackgroundKind.allCases
        guard case .integer(let index) = value, kinds.indices.contains(index) else { return }
        element.change { $0.background = kinds[index] }
      }),
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_COLOR, "background-color", "Background color",
        "The background where that is color; 0xAARRGGBB", default: 0xff00_0000),
      get: { .integer(Int($0.settings.withLock { $0.backgroundColor.value })) },
      set: { element, value in
        guard case .integer(let number) = value else { return }
        element.change { $0.backgroundColor = ARGB(UInt32(clamping: number)) }
      }),
    toggle(
      "zero-size-is-unscaled", "Zero size is unscaled",
      "Whether a picture has its own size where its width or height is 0, instead of not being seen",
      default: true, \.zeroIsUnscaled),
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_BOOLEAN, "ignore-inactive-pads", "Ignore inactive pads",
        "Whether live output waits for no pad that has not had a frame yet"),
      get: { .toggle(gst_aggregator_get_ignore_inactive_pads($0.aggregator) != 0) },
      set: {
        guard case .toggle(let toggle) = $1 else { return }
        gst_aggregator_set_ignore_inactive_pads($0.aggregator, toggle ? 1 : 0)
      }),
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_UINT, "max-threads", "Maximum threads",
        "Without effect: the device divides the work", range: 0...Double(Int32.max)),
      get: { .integer($0.settings.withLock { $0.maxThreads }) },
      set: { element, value in
        if case .integer(let number) = value { element.change { $0.maxThreads = number } }
      }),
    Property(
      .filters, get: { .text($0.steps.text) },
      set: { if case .text(let text) = $1 { $0.steps.set(text ?? "") } }),
    Property(
      .workingSpace,
      get: { .text($0.settings.withLock { $0.isLinear } ? "linear" : "encoded") },
      set: { if case .text(let text) = $1 { $0.setWorkingSpace(text ?? "encoded") } }),
    Property(
      .device, get: { .text($0.core.settings.withLock { $0.device }) },
      set: { element, value in
        guard case .text(let text) = value else { return }
        element.core.settings.withLock { $0.device = text.flatMap { $0.isEmpty ? nil : $0 } }
      }),
    Property(
      .maxBuffers, get: { .integer($0.core.settings.withLock { $0.maxBuffers }) },
      set: { element, value in
        guard case .integer(let number) = value else { return }
        element.core.settings.withLock { $0.maxBuffers = number }
      }),
    Property(.stats, get: { .structure($0.core.makeStatistics()) }),
  ]

  private static func toggle(
    _ name: String, _ nick: String, _ blurb: String, default defaultValue: Bool,
    _ path: any WritableKeyPath<CompositorSettings, Bool> & Sendable
  ) -> Property<CompositorElement> {
    Property(
      RasterPropertySpec(
        RASTER_PROPERTY_BOOLEAN, name, nick, blurb, default: defaultValue ? 1 : 0),
      get: { .toggle($0.settings.withLock { $0[keyPath: path] }) },
      set: { element, value in
        if case .toggle(let toggle) = value { element.change { $0[keyPath: path] = toggle } }
      })
  }
}
