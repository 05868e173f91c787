package import RasterGraph

extension $Name: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    ReferenceImage(width: image.width, height: image.height) { x, _ in
      let gray = amount * (Double(x) + 0.5) / Double(image.width)
      return SIMD4(gray, gray, gray, 1)
    }
  }
}
