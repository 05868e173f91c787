/// Where each component of a pixel lies in memory, independent of a frame's size.
///
/// Made from GStreamer's description of a format, so that no list of formats is kept here.
package struct PixelLayout: Hashable, Sendable {
  /// One component: red, green, blue, alpha; or Y', Cb', Cr'; or luma alone.
  package struct Component: Hashable, Sendable {
    /// The plane that holds the component, from 0.
    package let plane: Int
    /// Bytes from the start of a group of components to this one.
    package let offset: Int
    /// Bits per sample, 8…16. The sample is stored in the fewest whole bytes, the lowest first.
    package let depth: Int
    /// Bits below the sample in those bytes.
    package let shift: Int

    package init(plane: Int, offset: Int, depth: Int, shift: Int = 0) {
      self.plane = plane
      self.offset = offset
      self.depth = depth
      self.shift = shift
    }

    /// Bytes of a stored sample: 1 or 2.
    package var bytes: Int { depth + shift > 8 ? 2 : 1 }
    /// The largest sample.
    package var largest: Int { (1 << depth) - 1 }
  }

  /// One plane: rows of equally spaced groups of components.
  package struct Plane: Hashable, Sendable {
    /// Bytes from one group of components to the next.
    package let pixelStride: Int
    /// Pixels of the frame per group, as a power of two: 1 where the plane has half the width.
    package let horizontalSubsampling: Int
    /// Rows of the frame per row of the plane, as a power of two.
    package let verticalSubsampling: Int

    package init(pixelStride: Int, horizontalSubsampling: Int, verticalSubsampling: Int) {
      self.pixelStride = pixelStride
      self.horizontalSubsampling = horizontalSubsampling
      self.verticalSubsampling = verticalSubsampling
    }

    /// Bytes of a row that hold samples, for a frame that is `width` pixels wide.
    package func rowBytes(width: Int) -> Int {
      let scale = 1 << horizontalSubsampling
      return (width + scale - 1) / scale * pixelStride
    }

    /// Rows of the plane, for a frame that is `height` pixels high.
    package func rows(height: Int) -> Int {
      let scale = 1 << verticalSubsampling
      return (height + scale - 1) / scale
    }
  }

  /// The format's name, as GStreamer spells it in caps.
  package let name: String
  package let planes: [Plane]
  /// The color components in the order of the color model: R'G'B', Y'Cb'Cr', or luma alone.
  package let colors: [Component]
  package let alpha: Component?
  /// Whether samples are half-precision numbers instead of code values.
  package let isFloat: Bool

  package init(
    name: String, planes: [Plane], colors: [Component], alpha: Component?, isFloat: Bool = false
  ) {
    self.name = name
    self.planes = planes
    self.colors = colors
    self.alpha = alpha
    self.isFloat = isFloat
  }

  /// Intermediate results: four half floats a pixel.
  package static let half = interleaved("half floats", isFloat: true)
  /// Pictures in memory: R'G'B'A with 16 bits each.
  package static let wide = interleaved("R'G'B'A 16 bits", isFloat: false)

  private static func interleaved(_ name: String, isFloat: Bool) -> PixelLayout {
    PixelLayout(
      name: name,
      planes: [Plane(pixelStride: 8, horizontalSubsampling: 0, verticalSubsampling: 0)],
      colors: (0..<3).map { Component(plane: 0, offset: 2 * $0, depth: 16) },
      alpha: Component(plane: 0, offset: 6, depth: 16), isFloat: isFloat)
  }

  /// Whether pixels of a row share samples.
  package var isSubsampled: Bool { planes.contains { $0.horizontalSubsampling > 0 } }

  /// Bits of a color sample.
  package var depth: Int { colors.first?.depth ?? 8 }

  /// Whether planes of both have samples of the same channels for the same pixels, so that each channel
  /// can be computed by itself.
  package func isAlike(_ other: PixelLayout) -> Bool {
    func shapes(_ layout: PixelLayout) -> [[Int]] {
      layout.colors.map { component in
        let plane = layout.planes[component.plane]
        return [plane.horizontalSubsampling, plane.verticalSubsampling]
      }
    }
    return shapes(self) == shapes(other)
  }

  /// Rows of the frame that share one row of the coarsest plane.
  package var blockHeight: Int { 1 << (planes.map(\.verticalSubsampling).max() ?? 0) }
}
