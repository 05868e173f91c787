package import RasterGraph

extension BoxBlur: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    func weights(_ size: Double) -> [Double] {
      let count = Int(size.rounded())
      return [Double](repeating: 1, count: count % 2 == 0 ? count + 1 : count)
    }
    return image.smoothed(weights(width), weights(height), context)
  }
}
