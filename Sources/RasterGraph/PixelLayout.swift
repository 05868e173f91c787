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
    /// Bits per sample. The sample is stored in the fewest whole bytes.
    package let depth: Int

    package init(plane: Int, offset: Int, depth: Int) {
      self.plane = plane
      self.offset = offset
      self.depth = depth
    }
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

  package init(name: String, planes: [Plane], colors: [Component], alpha: Component?) {
    self.name = name
    self.planes = planes
    self.colors = colors
    self.alpha = alpha
  }

  /// Rows of the frame that share one row of the coarsest plane.
  package var blockHeight: Int { 1 << (planes.map(\.verticalSubsampling).max() ?? 0) }
}
