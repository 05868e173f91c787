package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Bulge: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let centre = (x: centerX * Double(image.width), y: centerY * Double(image.height))
    let sampler = ReferenceSampler(
      interpolation: Interpolation(rawValue: interpolation) ?? .bilinear)
    return sampler.picture(of: image, width: image.width, height: image.height, context) { x, y in
      let d = hypot(x - centre.x, y - centre.y)
      guard d < radius else { return (x, y) }
      let factor = pow(1 - amount * (radius - d) / radius, 2)
      return (centre.x + (x - centre.x) * factor, centre.y + (y - centre.y) * factor)
    }
  }
}
