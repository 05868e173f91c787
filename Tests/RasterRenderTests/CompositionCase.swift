import RasterColor
import RasterGraph
import RasterReference
import RasterRender

/// Layers on a canvas, as a graph and as its twin.
struct CompositionCase {
  struct Layer {
    var source: Int
    /// Where its top left corner lies on the canvas, in pixels.
    var position: (x: Double, y: Double)
    /// Pixels of the canvas for one of the source.
    var scale = 1.0
    /// The factor of a filter on its colors; nil for no filter.
    var gain: Double?
    var blending = Blending(mode: .normal, opacity: 1)
    /// The source that masks it, at the same place.
    var mask: Int?

    var isWhole: Bool {
      scale == 1 && position.x == position.x.rounded() && position.y == position.y.rounded()
    }
    var interpolation: Interpolation { isWhole ? .nearest : .bilinear }
  }

  enum Background {
    case solid(StraightColor)
    case checkered(Int, StraightColor, StraightColor)
    case source(Int)
  }

  var extent: Extent
  var background: Background
  var sources: [ReferenceFrame]
  var layers: [Layer]
  /// Whether the layers say where they are and where they hide what is below.
  var hasBounds = true
  /// Set where the composition is moved as a whole by parts of a pixel.
  var shift: (x: Double, y: Double)?

  /// What a layer says to the planner.
  func blending(_ layer: Layer) -> Blending {
    var blending = layer.blending
    let frame = sources[layer.source]
    let reach = layer.isWhole ? 0 : max(1, layer.scale) + 1
    let (width, height) = (
      Double(frame.width) * layer.scale, Double(frame.height) * layer.scale
    )
    let (x, y) = layer.position
    let bounds = Bounds(
      left: Int((x - reach).rounded(.down)), top: Int((y - reach).rounded(.down)),
      right: Int((x + width + reach).rounded(.up)), bottom: Int((y + height + reach).rounded(.up)))
    // What replaces the backdrop does so in its bounds, so they are part of what it is.
    guard hasBounds || blending.operator == .source else { return blending }
    blending.bounds = bounds
    let hides = frame.layout.alpha == nil && layer.mask == nil && layer.isWhole
    guard hasBounds, hides, blending.mode == .normal else { return blending }
    blending.opaqueBounds = bounds
    return blending
  }

  var image: Image {
    var image: Image
    switch background {
    case .solid(let color): image = Image(solid: color, extent: extent)
    case .checkered(let side, let first, let second):
      image = Image(checkered: side, first, second, extent: extent)
    case .source(let index): image = placed(Layer(source: index, position: (0, 0)), index)
    }
    for layer in layers {
      image = image.blended(
        with: placed(layer, layer.source), blending(layer),
        mask: layer.mask.map { placed(layer, $0) })
    }
    guard let shift else { return image }
    return image.resampled(
      .translation(-shift.x, -shift.y), to: extent, .bilinear, edge: .transparent)
  }

  private func placed(_ layer: Layer, _ index: Int) -> Image {
    let steps = layer.gain.map { [PointwiseStep.matrix(.scaling($0))] } ?? []
    let scale = 1 / layer.scale
    return sources[index].frameDescription.image(index).mapped(steps).resampled(
      Homography(scale, 0, -layer.position.x * scale, 0, scale, -layer.position.y * scale),
      to: extent, layer.interpolation, edge: .transparent)
  }

  func wanted(_ context: ReferenceContext) -> ReferenceImage {
    var image: ReferenceImage
    let (width, height) = (extent.width, extent.height)
    func vector(_ color: StraightColor) -> SIMD4<Double> {
      SIMD4(color.red, color.green, color.blue, color.alpha)
    }
    switch background {
    case .solid(let color):
      image = ReferenceImage(width: width, height: height) { _, _ in vector(color) }
    case .checkered(let side, let first, let second):
      image = ReferenceImage(width: width, height: height) { x, y in
        (x / side + y / side) % 2 == 0 ? vector(first) : vector(second)
      }
    case .source(let index):
      image = twin(Layer(source: index, position: (0, 0)), index, context)
    }
    for layer in layers {
      image = image.composed(
        with: twin(layer, layer.source, context), blending(layer),
        mask: layer.mask.map { twin(layer, $0, context) }, context)
    }
    guard let shift else { return image }
    return image.placed(
      at: shift, scale: 1, width: width, height: height, .bilinear, context)
  }

  private func twin(_ layer: Layer, _ index: Int, _ context: ReferenceContext) -> ReferenceImage {
    let image = sources[index].image
    return (layer.gain.map { image.scaledColors($0) } ?? image).placed(
      at: layer.position, scale: layer.scale, width: extent.width, height: extent.height,
      layer.interpolation, context)
  }
}

// MARK: - Random ones

extension CompositionCase {
  static let formats = ["RGBA", "BGRA", "AYUV", "I420", "NV12", "P010_10LE", "GRAY8"]

  /// Modes without a step, at which rounding would decide.
  static let modes = [
    "multiply", "screen", "overlay", "darken", "lighten", "hard-light", "soft-light", "difference",
    "exclusion", "luminosity", "linear-burn", "add", "linear-light", "pin-light", "subtract",
  ]

  static func encoding(_ layout: PixelLayout, using random: inout Random) -> ColorEncoding {
    let range: NominalRange = Bool.random(using: &random) ? .full : .limited
    if layout.colors.count == 1 { return ColorEncoding(model: .gray, range: range) }
    let isRGB = layout.name.contains("R") && layout.name.contains("B")
    let weights: [LumaCoefficients] = [.bt709, .bt601, .bt709]
    return ColorEncoding(
      model: isRGB ? .rgb : .ycbcr(weights.randomElement(using: &random) ?? .bt709), range: range)
  }

  /// - Parameter count: the layers that it has.
  init(random count: Int, _ extent: Extent, using random: inout Random) throws {
    self.extent = extent
    func color(_ random: inout Random) -> StraightColor {
      StraightColor(
        red: .random(in: 0...1, using: &random), green: .random(in: 0...1, using: &random),
        blue: .random(in: 0...1, using: &random),
        alpha: [0, 0.5, 1, 1].randomElement(using: &random) ?? 1)
    }
    let (first, second) = (color(&random), color(&random))
    sources = []
    layers = []
    background =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .solid(first)
      case 1: .checkered(Int.random(in: 1...9, using: &random), first, second)
      default: .source(0)
      }
    for index in 0..<count {
      let layout = try layout(Self.formats.randomElement(using: &random) ?? "RGBA")
      sources.append(
        ReferenceFrame(
          random: layout, encoding: Self.encoding(layout, using: &random),
          width: .random(in: 1...60, using: &random), height: .random(in: 1...50, using: &random),
          using: &random))
      layers.append(randomLayer(index, using: &random))
    }
  }

  private func randomLayer(_ index: Int, using random: inout Random) -> Layer {
    var layer = Layer(
      source: index,
      position: (
        Double(Int.random(in: -30...extent.width, using: &random)),
        Double(Int.random(in: -30...extent.height, using: &random))
      ))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: layer.scale = .random(in: 0.4...2, using: &random)
    case 1:
      layer.position.x += .random(in: 0.1...0.9, using: &random)
      layer.position.y += .random(in: 0.1...0.9, using: &random)
    default: break
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      layer.gain = .random(in: 0.3...1.5, using: &random)
    }
    if Bool.random(using: &random) { layer.blending.opacity = .random(in: 0...1, using: &random) }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let name = Self.modes.randomElement(using: &random) ?? "multiply"
      layer.blending.mode = BlendMode.all.first { $0.name == name } ?? .normal
    }
    layer.blending.operator =
      [.over, .over, .over, .add, .source].randomElement(using: &random) ?? .over
    if Int.random(in: 0..<5, using: &random) == 0 {
      layer.mask = Int.random(in: 0...index, using: &random)
      layer.blending.mask =
        [.luma, .alpha, .inverseLuma, .inverseAlpha].randomElement(using: &random)
    }
    return layer
  }
}
