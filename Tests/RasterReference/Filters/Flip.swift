package import RasterGraph

extension Flip: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    var result = ReferenceImage(width: image.width, height: image.height) { x, y in
      image[
        clamped: horizontal ? image.width - 1 - x : x, vertical ? image.height - 1 - y : y]
    }
    result.isOverBlack = image.isOverBlack
    return result
  }
}
