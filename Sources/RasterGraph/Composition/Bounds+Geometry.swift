package import RasterColor

extension Bounds {
  package init(left: Int, top: Int, width: Int, height: Int) {
    self.init(
      left: left, top: top, right: Bounds.sum(left, width), bottom: Bounds.sum(top, height))
  }

  /// All of a picture.
  package init(_ extent: Extent) {
    self.init(left: 0, top: 0, width: extent.width, height: extent.height)
  }

  /// The pixels that a rectangle from (0, 0) may touch after a map, and `margin` pixels around them; everything
  /// where the map takes a corner behind the viewer.
  package init(covering map: Homography, width: Double, height: Double, margin: Int) {
    let corners = [(0, 0), (width, 0), (0, height), (width, height)]
    let m = map.rows
    guard corners.allSatisfy({ m[6] * $0.0 + m[7] * $0.1 + m[8] > 1e-6 }) else {
      self = .everything
      return
    }
    let points = corners.map { map($0.0, $0.1) }
    func whole(_ value: Double?) -> Int { Int(max(-1e9, min(1e9, value ?? 0))) }
    self.init(
      left: whole(points.map(\.x).min()?.rounded(.down)) - margin,
      top: whole(points.map(\.y).min()?.rounded(.down)) - margin,
      right: whole(points.map(\.x).max()?.rounded(.up)) + margin,
      bottom: whole(points.map(\.y).max()?.rounded(.up)) + margin)
  }

  package static let everything = Bounds(
    left: Int(Int32.min) / 2, top: Int(Int32.min) / 2, right: Int(Int32.max) / 2,
    bottom: Int(Int32.max) / 2)

  package func contains(_ other: Bounds) -> Bool {
    left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
  }

  package func intersection(_ other: Bounds) -> Bounds {
    Bounds(
      left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
      bottom: min(bottom, other.bottom))
  }

  /// The sum, cut to what kernels count in.
  private static func sum(_ first: Int, _ second: Int) -> Int {
    max(Int(Int32.min), min(Int(Int32.max), first &+ second))
  }
}
