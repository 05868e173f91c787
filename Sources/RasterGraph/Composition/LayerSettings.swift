/// What users set on one input of a composition: where its picture goes, and how it looks there.
///
/// Lengths are in pixels of the canvas unless said otherwise; colors are nonlinear R'G'B' with straight alpha.
package struct LayerSettings: Hashable, Sendable {
  // MARK: The rectangle

  package var x = 0
  package var y = 0
  /// -1: that of the picture; 0 too where the composition says so.
  package var width = -1
  package var height = -1
  package var sizing = SizingPolicy.none
  /// Where the picture lies within its rectangle, or what of it is seen: 0 at the left or top, 1 at the other end.
  package var alignment = Pair(x: 0.5, y: 0.5)
  /// The part of the frame, as it is stored, that is used; nil for all of it.
  package var source: Bounds?
  /// Pixels of the picture, as it is seen upright, that are cut off.
  package var crop = Insets()
  package var interpolation = Interpolation.bilinear

  // MARK: The rectangle's own map, about its centre: scaled, put through the matrix, turned, moved.

  package var scale = Pair(x: 1, y: 1)
  package var matrix = ""
  /// Degrees, clockwise.
  package var rotation = 0.0
  package var translation = Pair(x: 0, y: 0)
  /// Where the corners of the rectangle go, in fractions of it, as the filter `transform` takes them.
  package var corners = ""

  // MARK: The look

  package var opacity = 1.0
  package var `operator` = CompositeOperator.over
  package var mode = BlendMode.normal
  /// Of all corners, where they have none of their own.
  package var radius = 0.0
  /// From the top left clockwise; negative: as ``radius`` says.
  package var radii = [-1.0, -1.0, -1.0, -1.0]
  package var isContinuous = false
  package var borderWidth = 0.0
  package var borderColor = ARGB(0xffff_ffff)
  package var shadow = Shadow()
  /// Takes the place of the picture's colors where its alpha is not 0, and multiplies their alpha.
  package var tint = ARGB(0)
  package var mask = MaskSettings()

  package init() {}

  /// Lengths at the four sides.
  package struct Insets: Hashable, Sendable {
    package var left = 0
    package var top = 0
    package var right = 0
    package var bottom = 0
  }

  /// What lies under the rectangle, as if light fell on it.
  package struct Shadow: Hashable, Sendable {
    package var color = ARGB(0)
    /// Standard deviation of its softness.
    package var radius = 8.0
    package var x = 0.0
    package var y = 4.0
  }

  /// What of the picture is seen. Thread-safety: a value.
  package struct MaskSettings: Hashable, Sendable {
    /// A file, or the name of another pad; both empty for none.
    package var location = ""
    package var pad = ""
    package var isByAlpha = false
    package var isInverted = false
  }
}

/// A number across and one down.
package struct Pair: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// How a picture fills the rectangle of its layer.
package enum SizingPolicy: String, Hashable, Sendable, CaseIterable {
  /// Stretched to all of it.
  case none
  /// As large as fits in, in its own shape.
  case keepAspectRatio = "keep-aspect-ratio"
  /// As small as covers all of it, in its own shape; what does not fit is cut off.
  case cover
}

/// A color in one number: alpha in the highest byte, then red, green and blue.
package struct ARGB: Hashable, Sendable {
  package var value: UInt32

  package init(_ value: UInt32) { self.value = value }

  package var color: StraightColor {
    func part(_ shift: UInt32) -> Double { Double((value >> shift) & 0xff) / 255 }
    return StraightColor(red: part(16), green: part(8), blue: part(0), alpha: part(24))
  }
}
