import CGstCheck
import RasterReference

/// What composing comes to where the definitions leave a choice, or where GStreamer's compositor has rules of its own.
struct CompositionRules: Hashable, Sendable {
  enum Kernel: Hashable, Sendable {
    /// Triangles.
    case bilinear
    /// Mitchell and Netravali 1988 with B = C = 1/3.
    case mitchell
  }

  var kernel = Kernel.bilinear
  /// Whether pads move right and down to whole chroma samples, and grow to them.
  var snapsToChroma = false
  /// Whether means are taken of straight colors, so that transparent pixels bleed into their neighbors.
  var scalesStraight = false
  /// Whether "add" takes the color of "over" on a transparent background and adds the alphas alone, in 8 bits that
  /// overflow.
  var addsAlphaAlone = false
  /// Whether full and limited range are taken for each other where nothing else of the color is converted.
  var ignoresRange = false
  /// Whether a transparent background has all codes at zero, which is green in Y'CbCr without alpha.
  var clearsCodes = false
  /// Whether "source" ignores the alpha of a pad where the output has none.
  var sourceIsOpaque = false
  /// Whether pads with an alpha of 0 take no part, whatever their operator.
  var skipsInvisible = false

  /// Every pixel is what the definitions make of those that it shows.
  static let exact = CompositionRules()
  /// GStreamer's compositor, measured with 1.22.
  static let stock = CompositionRules(
    kernel: .mitchell, snapsToChroma: true, scalesStraight: true, addsAlphaAlone: true,
    ignoresRange: true, clearsCodes: true, sourceIsOpaque: true, skipsInvisible: true)
}

/// How a picture is put on those below it.
enum CompositionOperator: String, Sendable {
  case source, over, add
}

/// What is where no pad is.
enum CompositionBackground: String, Sendable {
  case checker, black, white, transparent
}

/// A picture of a composition in double precision.
struct CompositionLayer {
  var image: ReferenceImage
  var place: PadRectangle
  var alpha = 1.0
  var mode = CompositionOperator.over
}

/// Pictures put on each other in double precision, on premultiplied R'G'B' with pixel centers at .5. "source" and "over"
/// are those of W3C "Compositing and Blending Level 1" (2015), sections 9.1.2 and 9.1.4. "add" is DisjointOver of "The X
/// Rendering Extension" (Packard, version 0.11): what lies below shows through as far as there is room beside
/// what is added, which is "over" on what is opaque, and the sum where the alphas make up no more than 1.
struct ReferenceComposition {
  var background = CompositionBackground.checker
  /// From the lowest to the highest.
  var layers: [CompositionLayer] = []
  var rules = CompositionRules.exact

  /// The samples of an output frame: neither rounded nor beyond what can be stored.
  ///
  /// - Parameter frame: one of the kind that is wanted; its samples do not matter.
  func samples(like frame: SampleFrame) -> [[Double]] {
    let steps = frame.components.map(\.halvings)
    let step = (x: 1 << (steps.map(\.x).max() ?? 0), y: 1 << (steps.map(\.y).max() ?? 0))
    guard rules.snapsToChroma else { return samples(like: frame, layers) }
    let snapped = layers.map { $0.snapped(to: step) }
    var result = samples(like: frame, snapped)
    // The color differences of a pad reach to the ends of its last samples, its luma does not.
    let grown = samples(like: frame, snapped.map { $0.grown(to: step) })
    for index in result.indices where steps[index] != (0, 0) { result[index] = grown[index] }
    return result
  }

  private func samples(like frame: SampleFrame, _ layers: [CompositionLayer]) -> [[Double]] {
    var canvas = canvas(of: frame)
    for layer in layers { put(layer, on: &canvas, hasAlpha: frame.hasAlpha) }
    return frame.samples(of: canvas.mapped(unpremultiplied))
  }

  /// The background, premultiplied.
  private func canvas(of frame: SampleFrame) -> ReferenceImage {
    let encoding = SampleEncoding(frame.info)
    let depth = frame.components[0].depth
    let (dark, light) = (encoding.gray(80, depth: depth), encoding.gray(160, depth: depth))
    let cleared = encoding.color(frame.components.map { _ in 0 })
    return ReferenceImage(width: frame.width, height: frame.height) { x, y in
      switch background {
      case .checker:
        let gray = (x / 8 + y / 8) % 2 == 0 ? dark : light
        return SIMD4(gray.red, gray.green, gray.blue, 1)
      case .black: return SIMD4(0, 0, 0, 1)
      case .white: return SIMD4(1, 1, 1, 1)
      case .transparent where rules.clearsCodes && !frame.hasAlpha:
        return SIMD4(cleared.red, cleared.green, cleared.blue, 1)
      case .transparent: return SIMD4(0, 0, 0, 0)
      }
    }
  }

  private func put(_ layer: CompositionLayer, on canvas: inout ReferenceImage, hasAlpha: Bool) {
    guard layer.alpha > 0 || !rules.skipsInvisible else { return }
    let columns = layer.place.columns.clamped(to: 0..<canvas.width)
    let rows = layer.place.rows.clamped(to: 0..<canvas.height)
    let picture = scaled(layer)
    for y in rows {
      for x in columns {
        let pixel = picture.pixels[
          (y - layer.place.y) * layer.place.width + x - layer.place.x]
        let place = y * canvas.width + x
        canvas.pixels[place] = blended(pixel, layer, over: canvas.pixels[place], hasAlpha)
      }
    }
  }

  /// The picture of a layer at its size, premultiplied.
  private func scaled(_ layer: CompositionLayer) -> ReferenceImage {
    let image = rules.scalesStraight ? layer.image : layer.image.mapped(premultiplied)
    let size = (layer.place.width, layer.place.height)
    let result = image.resampled(to: size, rules.kernel)
    return rules.scalesStraight ? result.mapped(premultiplied) : result
  }

  /// - Parameters:
  ///   - source: premultiplied.
  ///   - backdrop: premultiplied.
  private func blended(
    _ source: SIMD4<Double>, _ layer: CompositionLayer, over backdrop: SIMD4<Double>,
    _ hasAlpha: Bool
  ) -> SIMD4<Double> {
    let own = source * layer.alpha
    let over = own + backdrop * (1 - own.w)
    switch layer.mode {
    case .over: return over
    case .source: return rules.sourceIsOpaque && !hasAlpha ? unpremultiplied(source) : own
    case .add where !rules.addsAlphaAlone:
      let room = backdrop.w > 0 ? min(1, (1 - own.w) / backdrop.w) : 0
      return own + backdrop * room
    case .add where background != .transparent || !hasAlpha: return over
    case .add:
      let sum = own.w + backdrop.w
      let alpha = sum > 255.5 / 255 ? sum - 256.0 / 255 : min(sum, 1)
      return over.w > 0 ? over / over.w * alpha : SIMD4(repeating: 0)
    }
  }
}

extension CompositionLayer {
  /// The layer as far right and down as whole chroma samples begin.
  fileprivate func snapped(to step: (x: Int, y: Int)) -> CompositionLayer {
    var result = self
    result.place.x = (place.x + step.x - 1) & ~(step.x - 1)
    result.place.y = (place.y + step.y - 1) & ~(step.y - 1)
    return result
  }

  /// The layer with its last column and row repeated to where whole chroma samples end.
  fileprivate func grown(to step: (x: Int, y: Int)) -> CompositionLayer {
    var result = self
    result.place.width = (place.width + step.x - 1) & ~(step.x - 1)
    result.place.height = (place.height + step.y - 1) & ~(step.y - 1)
    let unscaled = (image.width, image.height) == (place.width, place.height)
    if unscaled {
      result.image = ReferenceImage(width: result.place.width, height: result.place.height) {
        image[clamped: $0, $1]
      }
    }
    return result
  }
}

extension ReferenceImage {
  /// The picture with each pixel changed.
  func mapped(_ body: (SIMD4<Double>) -> SIMD4<Double>) -> ReferenceImage {
    ReferenceImage(width: width, height: height, pixels: pixels.map(body))
  }
}

private func premultiplied(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
  SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
}

/// Transparent pixels become black.
private func unpremultiplied(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
  guard pixel.w > 0 else { return SIMD4(repeating: 0) }
  return SIMD4(pixel.x / pixel.w, pixel.y / pixel.w, pixel.z / pixel.w, pixel.w)
}
