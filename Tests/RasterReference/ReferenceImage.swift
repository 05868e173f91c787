package import RasterColor

/// A picture in double precision: straight R'G'B'A with black at 0 and white at 1, row by row.
package struct ReferenceImage: Sendable {
  package let width: Int
  package let height: Int
  package var pixels: [SIMD4<Double>]
  /// What a frame without alpha shows, where colors were last premultiplied: they are over black then. Empty
  /// where they were not, and lose their alpha.
  package var overBlack: [SIMD4<Double>] = []
  /// Pixels whose value rounding decides, since a definition has a step just there; empty for none.
  package var ties: [Bool] = []

  package init(width: Int, height: Int, pixels: [SIMD4<Double>]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A picture that a function makes of columns and rows.
  package init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> SIMD4<Double>) {
    self.width = width
    self.height = height
    pixels = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width { pixels.append(pixel(x, y)) }
    }
  }

  /// The pixel, or the nearest one of the edge.
  package subscript(clamped x: Int, _ y: Int) -> SIMD4<Double> {
    pixels[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
  }

  /// The picture with each pixel changed.
  func mapped(_ body: (SIMD4<Double>) -> SIMD4<Double>) -> ReferenceImage {
    var result = self
    result.pixels = pixels.map(body)
    return result
  }

  /// The pixels of other places.
  func moved(
    width: Int, height: Int, _ place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)
  ) -> ReferenceImage {
    func index(_ x: Int, _ y: Int) -> Int { place(x, y).y * self.width + place(x, y).x }
    var result = ReferenceImage(width: width, height: height) { pixels[index($0, $1)] }
    if !overBlack.isEmpty {
      result.overBlack =
        ReferenceImage(width: width, height: height) { overBlack[index($0, $1)] }.pixels
    }
    if !ties.isEmpty { result.markTies { ties[index($0, $1)] } }
    return result
  }

  /// Marks pixels whose value rounding decides.
  mutating func markTies(_ isTie: (_ x: Int, _ y: Int) -> Bool) {
    if ties.isEmpty { ties = [Bool](repeating: false, count: pixels.count) }
    for y in 0..<height {
      for x in 0..<width where isTie(x, y) { ties[y * width + x] = true }
    }
  }
}

/// What twins are given besides the picture.
package struct ReferenceContext: Sendable {
  /// The luma weights of the frame.
  package var luma: LumaCoefficients
  /// Set where means are taken of light.
  package var transfer: TransferFunction?
  /// What filters load.
  package var resources: ReferenceResources

  package init(
    luma: LumaCoefficients, transfer: TransferFunction? = nil,
    resources: ReferenceResources = ReferenceResources()
  ) {
    self.luma = luma
    self.transfer = transfer
    self.resources = resources
  }
}

// MARK: - Where means are taken

extension ReferenceImage {
  /// The picture as means are taken of it: premultiplied, and light where the context says so.
  func forMeans(_ context: ReferenceContext) -> ReferenceImage {
    mapped { premultiply(context.light($0)) }
  }

  /// The way back from ``forMeans(_:)``.
  func fromMeans(_ context: ReferenceContext) -> ReferenceImage {
    var result = mapped { context.signal(unpremultiply($0)) }
    result.overBlack = pixels.map { context.signal($0) }
    return result
  }

  /// As a frame without alpha shows it.
  package var flattened: ReferenceImage {
    var result = self
    if !overBlack.isEmpty { result.pixels = overBlack }
    return result
  }
}

extension ReferenceContext {
  /// The light of a signal, if means are taken of light.
  func light(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
    transfer.map { transfer in onColors(pixel) { transfer.light($0) } } ?? pixel
  }

  /// The signal of light, if means are taken of light.
  func signal(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
    transfer.map { transfer in onColors(pixel) { transfer.signal($0) } } ?? pixel
  }
}

private func onColors(
  _ pixel: SIMD4<Double>, _ body: (Double) -> Double
) -> SIMD4<Double> {
  SIMD4(body(pixel.x), body(pixel.y), body(pixel.z), pixel.w)
}

func premultiply(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
  SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
}

/// Transparent pixels become black.
func unpremultiply(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
  guard pixel.w > 1e-6 else { return SIMD4(0, 0, 0, pixel.w) }
  return SIMD4(pixel.x / pixel.w, pixel.y / pixel.w, pixel.z / pixel.w, pixel.w)
}

/// The luma of ITU-R BT.601-7, section 2.5.1.
func luma601(_ pixel: SIMD4<Double>) -> Double {
  0.299 * pixel.x + 0.587 * pixel.y + 0.114 * pixel.z
}

extension SIMD4<Double> {
  var color: ReferenceColor { ReferenceColor(x, y, z) }

  init(_ color: ReferenceColor, _ alpha: Double) {
    self.init(color.red, color.green, color.blue, alpha)
  }
}
