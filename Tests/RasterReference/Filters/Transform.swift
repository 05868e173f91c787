package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Transform: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let back = forward(Double(image.width), Double(image.height)).inverse
    let isAffine = abs(back.rows[2][0]) + abs(back.rows[2][1]) < 1e-12
    func length(_ row: [Double]) -> Double {
      max(1, (row[0] * row[0] + row[1] * row[1]).squareRoot())
    }
    let sampler = ReferenceSampler(
      interpolation: Interpolation(rawValue: interpolation) ?? .bilinear,
      isTransparent: edge == "transparent",
      footprint: isAffine ? (length(back.rows[0]), length(back.rows[1])) : (1, 1))
    return sampler.picture(of: image, width: image.width, height: image.height, context) { x, y in
      let place = back(x, y)
      return place.w > 1e-6 ? (place.x, place.y) : nil
    }
  }

  /// From the picture to the frame: about the centre scale, matrix, rotation and shift, then corners.
  private func forward(_ width: Double, _ height: Double) -> ReferenceMatrix {
    func shift(_ x: Double, _ y: Double) -> ReferenceMatrix {
      ReferenceMatrix(rows: [[1, 0, x], [0, 1, y], [0, 0, 1]])
    }
    let (c, s) = (cos(rotation * .pi / 180), sin(rotation * .pi / 180))
    var map = shift(-width / 2, -height / 2)
      .then(ReferenceMatrix(rows: [[scaleX, 0, 0], [0, scaleY, 0], [0, 0, 1]]))
    let numbers = matrix.split(separator: " ").compactMap { Double($0) }
    if numbers.count == 9 {
      map = map.then(
        ReferenceMatrix(rows: [0, 3, 6].map { Array(numbers[$0..<$0 + 3]) }))
    }
    map = map.then(ReferenceMatrix(rows: [[c, -s, 0], [s, c, 0], [0, 0, 1]]))
      .then(shift(width / 2 + translateX, height / 2 + translateY))
    let places = corners.split(separator: " ").map { word in
      let numbers = word.split(separator: ",").compactMap { Double($0) }
      return (numbers[0] * width, numbers[1] * height)
    }
    guard places.count == 4 else { return map }
    return map.then(
      ReferenceMatrix(from: [(0, 0), (width, 0), (width, height), (0, height)], to: places))
  }
}
