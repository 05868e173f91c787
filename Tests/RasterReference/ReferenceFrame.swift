package import RasterColor
package import RasterGraph

extension ColorChain {
  /// The chain in double precision; filters at their defaults change nothing.
  package func reference(_ color: ReferenceColor, weights: LumaCoefficients) -> ReferenceColor {
    var color = color
    if !exposure.isIdentity { color = exposure.reference(color) }
    if !balance.isIdentity { color = balance.reference(color, weights: weights) }
    if !gamma.isIdentity { color = gamma.reference(color, weights: weights) }
    return color
  }
}

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

  /// The frame after a chain of filters.
  package func applying(_ chain: ColorChain) -> ReferenceFrame {
    var result = self
    for component in colors.indices {
      let (columns, rows) = size(of: component)
      for row in 0..<rows {
        for column in 0..<columns {
          let color = color(column, row, of: component)
          let changed = chain.reference(color, weights: encoding.lumaCoefficients)
          result.colors[component][row * columns + column] = code(of: changed, component)
        }
      }
    }
    return result
  }

  /// The color at a sample of a component; the other components are those at the same place.
  private func color(_ column: Int, _ row: Int, of component: Int) -> ReferenceColor {
    let own = size(of: component)
    let samples = colors.indices.map { other -> Double in
      let (columns, rows) = size(of: other)
      let x = min(column * columns / own.columns, columns - 1)
      let y = min(row * rows / own.rows, rows - 1)
      return Double(colors[other][y * columns + x])
    }
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

  /// The stored sample of a color, rounded and cut.
  private func code(of color: ReferenceColor, _ component: Int) -> UInt8 {
    let isLimited = encoding.range == .limited
    let value: Double
    switch encoding.model {
    case .rgb:
      let channel = [color.red, color.green, color.blue][component]
      value = isLimited ? 16 + 219 * channel : 255 * channel
    case .gray, .ycbcr:
      let codes = color.codes(weights: encoding.lumaCoefficients)
      let own = [codes.luma, codes.cb, codes.cr][component]
      value =
        isLimited
        ? own : (component == 0 ? (own - 16) * 255 / 219 : 128 + (own - 128) * 255 / 224)
    }
    return UInt8(min(max(value.rounded(), 0), 255))
  }
}
