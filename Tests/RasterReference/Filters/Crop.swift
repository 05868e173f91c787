package import RasterGraph

extension Crop: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let first = min(Int(left.rounded()), image.width - 1)
    let above = min(Int(top.rounded()), image.height - 1)
    return image.moved(
      width: max(1, image.width - first - Int(right.rounded())),
      height: max(1, image.height - above - Int(bottom.rounded()))
    ) { (min($0 + first, image.width - 1), min($1 + above, image.height - 1)) }
  }
}
