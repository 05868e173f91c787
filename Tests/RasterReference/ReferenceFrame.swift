package import RasterColor
package import RasterGraph

/// A frame of 8-bit samples, each component by itself: the twin of what a kernel does to memory.
package struct ReferenceFrame: Sendable {
  package let layout: PixelLayout
  package let encoding: ColorEncoding
  package let width: Int
  package let height: Int
  /// Samples of each color component, row by row without gaps, at the component's own size.
  package var colors: [[UInt8]]
  /// Samples of the alpha component; empty where there is none.
  package var alpha: [UInt8]

  package init(
    layout: PixelLayout, encoding: ColorEncoding, width: Int, height: Int, colors: [[UInt8]],
    alpha: [UInt8]
  ) {
    self.layout = layout
    self.encoding = encoding
    self.width = width
    self.height = height
    self.colors = colors
    self.alpha = alpha
  }

  /// Columns and rows of a component.
  package func size(of component: Int) -> (columns: Int, rows: Int) {
    let plane = layout.planes[layout.colors[component].plane]
    return (plane.rowBytes(width: width) / plane.pixelStride, plane.rows(height: height))
  }

  /// The frame after a chain of filters; those at their defaults change nothing.
  ///
  /// Pixels that share a chroma sample are computed with it, and it becomes the mean of theirs.
  package func applying(_ filters: [any ReferenceFilter]) -> ReferenceFrame {
    let active = filters.filter { !$0.isIdentity }
    var result = self
    var sums = colors.map { [Double](repeating: 0, count: $0.count) }
    var counts = sums
    for row in 0..<height {
      for column in 0..<width {
        var color = color(column, row)
        for filter in active {
          color = filter.reference(color, weights: encoding.lumaCoefficients)
        }
        for component in colors.indices {
          let index = index(of: component, column, row)
          sums[component][index] += code(of: color, component)
          counts[component][index] += 1
        }
      }
    }
    for component in colors.indices {
      for index in sums[component].indices {
        let mean = sums[component][index] / counts[component][index]
        result.colors[component][index] = UInt8(min(max(mean.rounded(), 0), 255))
      }
    }
    result.alpha = alpha.map { sample in
      let value = active.reduce(Double(sample) / 255) { $1.reference(alpha: $0) }
      return UInt8(min(max((value * 255).rounded(), 0), 255))
    }
    return result
  }

  /// The index of a component's sample that a pixel has.
  func index(of component: Int, _ column: Int, _ row: Int) -> Int {
    let plane = layout.planes[layout.colors[component].plane]
    return (row >> plane.verticalSubsampling) * size(of: component).columns
      + (column >> plane.horizontalSubsampling)
  }

  /// The color of a pixel.
  func color(_ column: Int, _ row: Int) -> ReferenceColor {
    let samples = colors.indices.map { Double(colors[$0][index(of: $0, column, row)]) }
    let isLimited = encoding.range == .limited
    switch encoding.model {
    case .rgb:
      let values = samples.map { isLimited ? ($0 - 16) / 219 : $0 / 255 }
      return ReferenceColor(values[0], values[1], values[2])
    case .gray:
      let value = isLimited ? (samples[0] - 16) / 219 : samples[0] / 255
      return ReferenceColor(value, value, value)
    case .ycbcr(let weights):
      // In units of the limited range, whatever the range of the frame.
      return ReferenceColor(
        luma: isLimited ? samples[0] : 16 + samples[0] * 219 / 255,
        cb: isLimited ? samples[1] : 128 + (samples[1] - 128) * 224 / 255,
        cr: isLimited ? samples[2] : 128 + (samples[2] - 128) * 224 / 255, weights: weights)
    }
  }

  /// The stored sample of a color, neither rounded nor cut.
  func code(of color: ReferenceColor, _ component: Int) -> Double {
    let isLimited = encoding.range == .limited
    switch encoding.model {
    case .rgb:
      let channel = [color.red, color.green, color.blue][component]
      return isLimited ? 16 + 219 * channel : 255 * channel
    case .gray, .ycbcr:
      let codes = color.codes(weights: encoding.lumaCoefficients)
      let own = [codes.luma, codes.cb, codes.cr][component]
      if isLimited { return own }
      return component == 0 ? (own - 16) * 255 / 219 : 128 + (own - 128) * 255 / 224
    }
  }
}
