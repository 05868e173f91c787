package import RasterGraph

extension $Name: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    var result = ReferenceImage(width: image.width, height: image.height) { x, y in
      let own = image[clamped: x, y]
      let across = image[clamped: x - 1, y] + image[clamped: x + 1, y]
      let down = image[clamped: x, y - 1] + image[clamped: x, y + 1]
      var mixed = own * (1 - amount) + (across + down) * (0.25 * amount)
      mixed.w = own.w
      return mixed
    }
    result.ties = image.ties
    return result
  }
}
