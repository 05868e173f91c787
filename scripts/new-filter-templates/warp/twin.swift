package import RasterGraph

extension $Name: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let centre = (x: Double(image.width) / 2, y: Double(image.height) / 2)
    let sampler = ReferenceSampler(interpolation: .bilinear)
    return sampler.picture(of: image, width: image.width, height: image.height, context) { x, y in
      (centre.x + (x - centre.x) * amount, centre.y + (y - centre.y) * amount)
    }
  }
}
