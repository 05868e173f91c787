package import RasterGraph

extension BlendWithMask: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let resources = context.resources
    guard let top = resources.second(location, source, image, context) else { return image }
    let mask = resources.second(maskLocation, maskSource, image, context)
    return image.blended(with: top, mode, context) { index in
      guard let pixel = mask?.pixels[index] else { return opacity }
      let value = component == "alpha" ? pixel.w : min(max(luma601(pixel), 0), 1)
      return opacity * (inverted ? 1 - value : value)
    }
  }
}
