package import RasterGraph

extension Crop: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let (first, above) = (
      min(Int(left.rounded()), image.width - 1), min(Int(top.rounded()), image.height - 1)
    )
    var result = ReferenceImage(
      width: max(1, image.width - first - Int(right.rounded())),
      height: max(1, image.height - above - Int(bottom.rounded()))
    ) { x, y in image[clamped: x + first, y + above] }
    result.isOverBlack = image.isOverBlack
    return result
  }
}
