package import RasterGraph

extension Flip: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    image.moved(width: image.width, height: image.height) { x, y in
      (horizontal ? image.width - 1 - x : x, vertical ? image.height - 1 - y : y)
    }
  }
}
