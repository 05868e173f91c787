package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension LinearGradient: ImageTwin {
  /// Along the line, 0 and 1 lie where the farthest corners are.
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let (first, last) = (premultiply(referenceColor(color)), premultiply(referenceColor(second)))
    let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
    let (w, h) = (Double(image.width), Double(image.height))
    let corners = [(0, 0), (w, 0), (0, h), (w, h)].map { $0.0 * c + $0.1 * s }
    let (low, high) = (corners.min() ?? 0, corners.max() ?? 1)
    return ReferenceImage(width: image.width, height: image.height) { x, y in
      let along = (Double(x) + 0.5) * c + (Double(y) + 0.5) * s
      return unpremultiply(first + (last - first) * ((along - low) / (high - low)))
    }
  }
}
