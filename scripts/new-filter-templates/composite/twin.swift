package import RasterGraph

extension $Name: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    guard let other = context.resources.second(location, source, image, context) else {
      return image
    }
    var result = image
    result.overBlack = []
    for (index, second) in other.pixels.enumerated() {
      var mixed = image.pixels[index] * (1 - amount) + second * amount
      mixed.w = image.pixels[index].w
      result.pixels[index] = mixed
    }
    return result
  }
}
