package import RasterGraph

extension SolidColor: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let own = referenceColor(color)
    return ReferenceImage(width: image.width, height: image.height) { _, _ in own }
  }
}
