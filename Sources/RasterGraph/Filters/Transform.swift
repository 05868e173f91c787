internal import RasterColor

/// The picture moved, stretched, turned and put into perspective.
///
/// Applied in this order, about the centre of the picture: scale, shear by the matrix, rotation, shift. Corners
/// come last: they say where those of the canvas go.
package struct Transform: Filter {
  package static let name = "transform"
  package static let blurb = "Moves, stretches, turns or tilts the picture within its frame"
  package static let example = "corners=\"0.15,0.1 0.9,0 1,1 0,0.85\""
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<Transform>] = [
    .number(
      "translate-x", "Translate X", "Pixels to the right", -65535...65535, default: 0,
      \Transform.translateX),
    .number(
      "translate-y", "Translate Y", "Pixels down", -65535...65535, default: 0,
      \Transform.translateY),
    .number("scale-x", "Scale X", "Factor across", 0.001...1000, default: 1, \Transform.scaleX),
    .number("scale-y", "Scale Y", "Factor down", 0.001...1000, default: 1, \Transform.scaleY),
    .number(
      "rotation", "Rotation", "Degrees, clockwise", -360...360, default: 0, \Transform.rotation),
    .text(
      "matrix", "Matrix",
      "Nine numbers apart by spaces, row by row, that map positions from the centre, in pixels; "
        + "empty changes nothing",
      \Transform.matrix),
    .text(
      "corners", "Corners",
      "Where the corners go, as four points x,y apart by spaces from the top left clockwise, in "
        + "fractions of the frame, such as 0.1,0 1,0 1,1 0,0.9; empty changes nothing",
      \Transform.corners),
    .interpolation(\Transform.interpolation),
    .edge(\Transform.edge),
  ]

  package var translateX = 0.0
  package var translateY = 0.0
  package var scaleX = 1.0
  package var scaleY = 1.0
  package var rotation = 0.0
  package var matrix = ""
  package var corners = ""
  package var interpolation = Interpolation.bilinear.rawValue
  package var edge = "transparent"

  package init() {}

  package var isIdentity: Bool {
    translateX == 0 && translateY == 0 && scaleX == 1 && scaleY == 1 && rotation == 0
      && matrix.isEmpty && corners.isEmpty
  }

  package var problem: RasterError? {
    if !matrix.isEmpty, parsedMatrix?.inverse == nil {
      return RasterError(
        .invalidSetting, "transform: \"\(matrix)\" is not a matrix that can be inverted.",
        remedy: "Write nine numbers, such as 1 0.2 0  0 1 0  0 0 1.")
    }
    if !corners.isEmpty, perspective(Extent(width: 2, height: 2))?.inverse == nil {
      return RasterError(
        .invalidSetting, "transform: \"\(corners)\" are not the corners of a quadrilateral.",
        remedy: "Write four points, such as 0,0 1,0 1,1 0,1.")
    }
    return nil
  }

  private var parsedMatrix: Homography? {
    let n = matrix.split { $0 == " " || $0 == "," }.compactMap { Double($0) }
    guard n.count == 9, n.allSatisfy(\.isFinite) else { return nil }
    return Homography(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8])
  }

  /// From the corners of a frame to those that the user gave (Heckbert 1989, "Fundamentals of Texture
  /// Mapping and Image Warping", section 2.2.3).
  private func perspective(_ extent: Extent) -> Homography? {
    let points = corners.split(separator: " ").map { word in
      word.split(separator: ",").compactMap { Double($0) }.filter(\.isFinite)
    }
    guard points.count == 4, points.allSatisfy({ $0.count == 2 }) else { return nil }
    let (width, height) = (Double(extent.width), Double(extent.height))
    let x = points.map { $0[0] * width }
    let y = points.map { $0[1] * height }
    let (dx1, dx2, dx3) = (x[1] - x[2], x[3] - x[2], x[0] - x[1] + x[2] - x[3])
    let (dy1, dy2, dy3) = (y[1] - y[2], y[3] - y[2], y[0] - y[1] + y[2] - y[3])
    let determinant = dx1 * dy2 - dx2 * dy1
    guard abs(determinant) > 1e-9 else { return nil }
    let g = (dx3 * dy2 - dx2 * dy3) / determinant
    let h = (dx1 * dy3 - dx3 * dy1) / determinant
    let unit = Homography(
      x[1] - x[0] + g * x[1], x[3] - x[0] + h * x[3], x[0], y[1] - y[0] + g * y[1],
      y[3] - y[0] + h * y[3], y[0], g, h, 1)
    return Homography.scaling(1 / width, 1 / height).then(unit)
  }

  /// From positions of a frame to where they go.
  func map(of extent: Extent) -> Homography {
    let centre = (x: Double(extent.width) / 2, y: Double(extent.height) / 2)
    var map = Homography.translation(-centre.x, -centre.y).then(.scaling(scaleX, scaleY))
    if let matrix = parsedMatrix { map = map.then(matrix) }
    map = map.then(.rotation(degrees: rotation))
      .then(.translation(centre.x + translateX, centre.y + translateY))
    if !corners.isEmpty, let tilt = perspective(extent) { map = map.then(tilt) }
    return map
  }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    guard let back = map(of: input.extent).inverse else { return input }
    return input.resampled(
      back, to: input.extent, Interpolation(rawValue: interpolation) ?? .bilinear,
      edge: edge == "clamp" ? .clamp : .transparent)
  }
}
