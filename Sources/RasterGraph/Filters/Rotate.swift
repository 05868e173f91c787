internal import RasterColor

/// The picture turned about its centre.
package struct Rotate: Filter {
  package static let name = "rotate"
  package static let blurb = "Turns the picture clockwise"
  package static let example = "angle=15"
  package static let kind = FilterKind.warp
  package static let parameters: [Parameter<Rotate>] = [
    .number("angle", "Angle", "Degrees, clockwise", -360...360, default: 0, \Rotate.angle),
    .toggle(
      "expand", "Expand",
      "Whether the result is as large as the turned picture needs, instead of as large as before; "
        + "set it to false where the angle is animated",
      default: true, \Rotate.expand),
    .interpolation(\Rotate.interpolation),
  ]

  package var angle = 0.0
  package var expand = true
  package var interpolation = Interpolation.bilinear.rawValue

  package init() {}

  package var isIdentity: Bool { angle.truncatingRemainder(dividingBy: 360) == 0 }

  package func output(_ input: Image, in context: FilterContext) -> Image {
    let turn = Homography.rotation(degrees: -angle)
    let (width, height) = (Double(input.extent.width), Double(input.extent.height))
    var extent = input.extent
    if expand {
      // The bounding box, but for what rounding adds to whole numbers.
      let (cosine, sine) = (abs(turn.rows[0]), abs(turn.rows[1]))
      extent = Extent(
        width: Int((width * cosine + height * sine - 1e-6).rounded(.up)),
        height: Int((width * sine + height * cosine - 1e-6).rounded(.up)))
    }
    let map = Homography.translation(-Double(extent.width) / 2, -Double(extent.height) / 2)
      .then(turn).then(.translation(width / 2, height / 2))
    let isQuarter = angle.truncatingRemainder(dividingBy: 90) == 0
    return input.resampled(
      map, to: extent, Interpolation(rawValue: interpolation) ?? .bilinear,
      edge: isQuarter && expand ? .clamp : .transparent,
      pixelAspect: isQuarter && expand && abs(turn.rows[0]) < 0.5
        ? input.pixelAspect.inverted : input.pixelAspect)
  }
}

extension Parameter {
  /// How values between pixels are found.
  static func interpolation(
    _ path: any WritableKeyPath<Filter, String> & Sendable
  ) -> Parameter {
    .choice(
      "interpolation", "Interpolation",
      "How values between pixels are found; where the picture shrinks, all of them count",
      Interpolation.allCases.map(\.rawValue), default: Interpolation.bilinear.rawValue, path)
  }

  /// What lies beyond the picture.
  static func edge(_ path: any WritableKeyPath<Filter, String> & Sendable) -> Parameter {
    .choice(
      "edge", "Edge",
      "What lies beyond the picture: nothing, or its edge repeated; frames without alpha show black",
      ["transparent", "clamp"], default: "transparent", path)
  }
}
