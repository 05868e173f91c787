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
    if isQuarter, expand {
      // Quarter turns move pixels.
      return image.moved(width: width, height: height) { x, y in
        let (dx, dy) = (2 * x + 1 - width, 2 * y + 1 - height)
        return (
          (image.width - 1 + Int(c) * dx + Int(s) * dy) / 2,
          (image.height - 1 - Int(s) * dx + Int(c) * dy) / 2
        )
      }
    }
    let sampler = ReferenceSampler(
      interpolation: Interpolation(rawValue: interpolation) ?? .bilinear,
      isTransparent: true)
    let centre = (x: Double(width) / 2, y: Double(height) / 2)
    return sampler.picture(of: image, width: width, height: height, context) { x, y in
      let (dx, dy) = (x - centre.x, y - centre.y)
      return (w / 2 + c * dx + s * dy, h / 2 - s * dx + c * dy)
    }
  }
}
