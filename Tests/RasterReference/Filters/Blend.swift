package import RasterGraph

extension Blend: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    guard let top = context.resources.second(location, source, image, context) else { return image }
    return image.blended(with: top, mode, context) { _ in opacity }
  }
}

extension ReferenceImage {
  /// Another picture over this one, each pixel with its share.
  func blended(
    with top: ReferenceImage, _ name: String, _ context: ReferenceContext,
    _ share: (_ index: Int) -> Double
  ) -> ReferenceImage {
    guard let mode = BlendMode.all.first(where: { $0.name == name }) else { return self }
    var result = self
    for index in pixels.indices {
      let (below, above) = (context.light(pixels[index]), context.light(top.pixels[index]))
      let (color, alpha) = composite(
        mode, backdrop: below.color, backdropAlpha: below.w, source: above.color,
        sourceAlpha: above.w * share(index))
      result.pixels[index] = SIMD4(color, alpha)
    }
    result = result.mapped(premultiply).fromMeans(context)
    result.markTies { x, y in
      let index = y * width + x
      if !top.ties.isEmpty, top.ties[index] { return true }
      return isStep(mode, context.light(pixels[index]), context.light(top.pixels[index]))
    }
    return result
  }

  /// Whether a mode decides between colors that are nearly the same.
  private func isStep(_ mode: BlendMode, _ b: SIMD4<Double>, _ s: SIMD4<Double>) -> Bool {
    switch mode.name {
    case "hard-mix": [b.x + s.x, b.y + s.y, b.z + s.z].contains { abs($0 - 1) < 1e-3 }
    case "darker-color", "lighter-color": abs(luma601(b) - luma601(s)) < 1e-3
    default: false
    }
  }
}
