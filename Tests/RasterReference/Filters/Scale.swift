package import RasterGraph

extension Scale: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    var (wide, high) = (width.rounded(), height.rounded())
    if wide == 0 { wide = (high * Double(image.width) / Double(image.height)).rounded() }
    if high == 0 { high = (wide * Double(image.height) / Double(image.width)).rounded() }
    return image.stretched(
      to: (max(1, Int(wide)), max(1, Int(high))),
      Interpolation(rawValue: interpolation) ?? .bilinear, context)
  }
}
