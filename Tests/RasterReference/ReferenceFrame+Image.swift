internal import RasterGraph

/// What a frame should hold, before rounding.
package struct ReferenceSamples: Sendable {
  /// Of each color component, then alpha where there is one: samples cut to what can be stored.
  package var components: [[Double]]
  /// How much an error counts: the alpha of the pixels where the frame has one. The color of a pixel that
  /// is hardly there is only as exact as it can be seen.
  package var weights: [[Double]]
  /// Whether rounding decides a sample.
  package var ties: [[Bool]]
}

extension ReferenceFrame {
  /// The picture of the frame, chroma repeated for the pixels that share it.
  package var image: ReferenceImage {
    ReferenceImage(width: width, height: height) { x, y in
      SIMD4(color(x, y), alpha.isEmpty ? 1 : Double(alpha[y * width + x]) / 255)
    }
  }

  /// The samples that a frame of this kind has of a picture: chroma is the mean of the pixels that share it.
  package func samples(of picture: ReferenceImage) -> ReferenceSamples {
    let hasAlpha = layout.alpha != nil
    let image = hasAlpha ? picture : picture.flattened
    var result = ReferenceSamples(components: [], weights: [], ties: [])
    for component in layout.colors.indices {
      let (columns, rows) = size(of: component)
      var sums = [Double](repeating: 0, count: columns * rows)
      var (counts, weights) = (sums, sums)
      var ties = [Bool](repeating: false, count: columns * rows)
      for y in 0..<height {
        for x in 0..<width {
          let (pixel, place) = (y * width + x, index(of: component, x, y))
          sums[place] += code(of: image.pixels[pixel].color, component)
          counts[place] += 1
          weights[place] += hasAlpha ? min(max(image.pixels[pixel].w, 0), 1) : 1
          if !image.ties.isEmpty, image.ties[pixel] { ties[place] = true }
        }
      }
      result.components.append(zip(sums, counts).map { min(max($0 / $1, 0), 255) })
      result.weights.append(zip(weights, counts).map { $0 / $1 })
      result.ties.append(ties)
    }
    guard hasAlpha else { return result }
    result.components.append(image.pixels.map { min(max($0.w, 0), 1) * 255 })
    result.weights.append(image.pixels.map { _ in 1 })
    result.ties.append(
      image.ties.isEmpty ? [Bool](repeating: false, count: image.pixels.count) : image.ties)
    return result
  }
}
