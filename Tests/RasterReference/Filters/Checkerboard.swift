package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Checkerboard: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let colors = [referenceColor(color), referenceColor(second)]
    var result = ReferenceImage(width: image.width, height: image.height) { x, y in
      let square = floor((Double(x) + 0.5) / size) + floor((Double(y) + 0.5) / size)
      return colors[Int(square) % 2]
    }
    result.markTies { isWhole((Double($0) + 0.5) / size) || isWhole((Double($1) + 0.5) / size) }
    return result
  }
}
