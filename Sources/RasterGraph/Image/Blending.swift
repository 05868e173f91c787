/// How two images are blended.
package struct Blending: Hashable, Sendable {
  package var mode: BlendMode
  /// 0…1, multiplies the alpha of the upper image.
  package var opacity: Double
  package var mask: Mask?
  package var `operator`: CompositeOperator
  /// A promise that the upper image is nothing outside: what saves work, and changes no pixel. What
  /// ``CompositeOperator/source`` covers ends here, too.
  ///
  /// A number of the frame, as `opacity` is: only whether there are bounds decides the kernel.
  package var bounds: Bounds?
  /// A promise that the upper image hides everything below it in here, where `opacity` is 1.
  package var opaqueBounds: Bounds?

  /// What a mask's pixel lets through.
  package enum Mask: Hashable, Sendable {
    case luma
    case alpha
    case inverseLuma
    case inverseAlpha
  }

  package init(
    mode: BlendMode, opacity: Double, mask: Mask? = nil, operator: CompositeOperator = .over,
    bounds: Bounds? = nil, opaqueBounds: Bounds? = nil
  ) {
    self.mode = mode
    self.opacity = opacity
    self.mask = mask
    self.operator = `operator`
    self.bounds = bounds
    self.opaqueBounds = opaqueBounds
  }
}

/// What becomes of the backdrop under a source, on premultiplied colors: `s` is the source after opacity, mask
/// and blend mode with alpha `as`, `b` the backdrop with alpha `ab`.
package enum CompositeOperator: Hashable, Sendable {
  /// `s + b × (1 − as)` (Porter and Duff 1984, "Compositing Digital Images").
  case over
  /// `s + b × (1 − cov)`: the backdrop is replaced where the source covers it. The coverage is that of the mask,
  /// if there is one, and nothing outside the bounds.
  case source
  /// `s + b × min(1, (1 − as) / ab)`: the X Render extension's DisjointOver. An exact cross-fade where the alphas
  /// of layers add up to 1; on an opaque backdrop the same as `over`.
  case add
}

/// A rectangle of whole pixels, half-open. May be empty or reach beyond the picture.
package struct Bounds: Hashable, Sendable {
  package var left: Int
  package var top: Int
  /// The first column that is not part of it.
  package var right: Int
  /// The first row that is not part of it.
  package var bottom: Int

  package init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  package static let empty = Bounds(left: 0, top: 0, right: 0, bottom: 0)

  package var isEmpty: Bool { left >= right || top >= bottom }
}

/// Nonlinear R'G'B' and alpha, not premultiplied, 0…1 each.
package struct StraightColor: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  package var alpha: Double

  package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
}
