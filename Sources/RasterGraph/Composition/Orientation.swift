package import RasterColor

/// How a stored picture has to be turned to be seen upright: the eight symmetries of a rectangle, in the order
/// and by the names of GstVideoOrientationMethod.
package enum Orientation: Int, Hashable, Sendable, CaseIterable {
  case identity
  case right
  case half
  case left
  case horizontal
  case vertical
  /// Mirrored at the diagonal from the top left.
  case upperLeft
  /// Mirrored at the other diagonal.
  case upperRight

  /// Whether width and height change places.
  package var swapsSides: Bool {
    switch self {
    case .identity, .half, .horizontal, .vertical: false
    case .right, .left, .upperLeft, .upperRight: true
    }
  }

  /// From positions of the upright picture to those of the stored one, which has `extent`.
  package func map(to extent: Extent) -> Homography {
    let (w, h) = (Double(extent.width), Double(extent.height))
    return switch self {
    case .identity: .identity
    case .right: Homography(0, 1, 0, -1, 0, h)
    case .half: Homography(-1, 0, w, 0, -1, h)
    case .left: Homography(0, -1, w, 1, 0, 0)
    case .horizontal: Homography(-1, 0, w, 0, 1, 0)
    case .vertical: Homography(1, 0, 0, 0, -1, h)
    case .upperLeft: Homography(0, 1, 0, 1, 0, 0)
    case .upperRight: Homography(0, -1, w, -1, 0, h)
    }
  }
}

extension Image {
  /// The picture upright.
  package func oriented(_ orientation: Orientation) -> Image {
    guard orientation != .identity else { return self }
    let swapped = Extent(width: extent.height, height: extent.width)
    return resampled(
      orientation.map(to: extent), to: orientation.swapsSides ? swapped : extent, .nearest,
      pixelAspect: orientation.swapsSides ? pixelAspect.inverted : pixelAspect)
  }
}
