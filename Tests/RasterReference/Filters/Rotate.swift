package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Rotate: ImageTwin {
  /// The centre stays; positions of the result are turned back.
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let quarters = angle / 90
    let isQuarter = quarters == quarters.rounded()
    func whole(_ value: Double) -> Double { isQuarter ? value.rounded() : value }
    let (c, s) = (whole(cos(angle * .pi / 180)), whole(sin(angle * .pi / 180)))
    let (w, h) = (Double(image.width), Double(image.height))
    let width = expand ? Int(ceil(abs(c) * w + abs(s) * h - 1e-9)) : image.width
    let height = expand ? Int(ceil(abs(s) * w + abs(c) * h - 1e-9)) : image.height
    let sampler = ReferenceSampler(
      interpolation: Interpolation(rawValue: interpolation) ?? .bilinear,
      isTransparent: !isQuarter || !expand)
    let centre = (x: Double(width) / 2, y: Double(height) / 2)
    var result = sampler.picture(of: image, width: width, height: height, context) { x, y in
      let (dx, dy) = (x - centre.x, y - centre.y)
      return (w / 2 + c * dx + s * dy, h / 2 - s * dx + c * dy)
    }
    // Quarter turns move pixels.
    if isQuarter, expand { result.isOverBlack = image.isOverBlack }
    return result
  }
}
