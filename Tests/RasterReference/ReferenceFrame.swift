package import RasterColor
package import RasterGraph

/// A frame of samples of 8 to 16 bits, each component by itself: the twin of what a kernel does to memory.
package struct ReferenceFrame: Sendable {
  package let layout: PixelLayout
  package let encoding: ColorEncoding
  package let width: Int
  package let height: Int
  /// Samples of each color component, row by row without gaps, at the component's own size.
  package var colors: [[Int]]
  /// Samples of the alpha component; empty where there is none.
  package var alpha: [Int]

  package init(
    layout: PixelLayout, encoding: ColorEncoding, width: Int, height: Int, colors: [[Int]],
    alpha: [Int]
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
        result.colors[component][index] = Int(min(max(mean.rounded(), 0), largest))
      }
    }
    result.alpha = alpha.map { sample in
      let value = active.reduce(Double(sample) / largestAlpha) { $1.reference(alpha: $0) }
      return Int((min(max(value, 0), 1) * largestAlpha).rounded())
    }
    return result
  }

  /// The largest sample of a color.
  package var largest: Double { Double(layout.colors[0].largest) }
  /// The largest sample of alpha.
  package var largestAlpha: Double { Double(layout.alpha?.largest ?? 255) }

  /// The index of a component's sample that a pixel has.
  func index(of component: Int, _ column: Int, _ row: Int) -> Int {
    let plane = layout.planes[layout.colors[component].plane]
    return (row >> plane.verticalSubsampling) * size(of: component).columns
      + (column >> plane.horizontalSubsampling)
  }

  /// The color of a pixel.
  func color(_ column: Int, _ row: Int) -> ReferenceColor {
    let samples = colors.indices.map {
      shallow(Double(colors[$0][index(of: $0, column, row)]), $0)
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

  /// The stored sample of a color, neither rounded nor cut.
  func code(of color: ReferenceColor, _ component: Int) -> Double {
    deep(shallowCode(of: color, component), component)
  }

  /// A sample in units of 8-bit code values. The codes of the limited range grow by a power of two with the
  /// depth; those of the full range reach to the largest one, with the middle of chroma at half of a power
  /// of two (ITU-R BT.2100-2, table 9).
  private func shallow(_ sample: Double, _ component: Int) -> Double {
    let more = (largest + 1) / 256
    guard encoding.range == .full else { return sample / more }
    return isChroma(component)
      ? 128 + (sample - 128 * more) * 255 / largest : sample * 255 / largest
  }

  /// The way back from ``shallow(_:_:)``.
  private func deep(_ code: Double, _ component: Int) -> Double {
    let more = (largest + 1) / 256
    guard encoding.range == .full else { return code * more }
    return isChroma(component)
      ? 128 * more + (code - 128) * largest / 255 : code * largest / 255
  }

  private func isChroma(_ component: Int) -> Bool {
    if case .ycbcr = encoding.model { component > 0 } else { false }
  }

  private func shallowCode(of color: ReferenceColor, _ component: Int) -> Double {
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
