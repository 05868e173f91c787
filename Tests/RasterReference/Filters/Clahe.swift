package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Clahe: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    image.equalized(
      columns: Int(columns.rounded()), rows: Int(rows.rounded()), clipLimit: clipLimit,
      intensity: intensity)
  }
}

extension ReferenceImage {
  /// Lightness through the curves of tiles, hue and saturation of HSL as they were.
  func equalized(
    columns: Int, rows: Int, clipLimit: Double, intensity: Double
  ) -> ReferenceImage {
    let curves = (0..<rows).map { row in
      (0..<columns).map { curve(column: $0, of: columns, row: row, of: rows, clipLimit) }
    }
    var result = ReferenceImage(width: width, height: height) { x, y in
      let pixel = self[clamped: x, y]
      let (hue, saturation, lightness) = hsl(pixel)
      let step = Int(floor(lightness * 255 + 0.5))
      let (left, right, across) = neighbors(x, width, columns)
      let (top, bottom, down) = neighbors(y, height, rows)
      func mix(_ a: Double, _ b: Double, _ t: Double) -> Double { a + (b - a) * t }
      let wanted = mix(
        mix(curves[top][left][step], curves[top][right][step], across),
        mix(curves[bottom][left][step], curves[bottom][right][step], across), down)
      let changed = SIMD4(rgb(hue, saturation, wanted), pixel.w)
      return pixel + (changed - pixel) * intensity
    }
    result.ties = ties
    result.markTies { x, y in isWhole(hsl(self[clamped: x, y]).lightness * 255 + 0.5) }
    return result
  }

  /// The tiles before and after a pixel, by their centres, and how far it is from the one to the other.
  private func neighbors(
    _ pixel: Int, _ size: Int, _ tiles: Int
  ) -> (before: Int, after: Int, share: Double) {
    let position = (Double(pixel) + 0.5) * Double(tiles) / Double(size) - 0.5
    if position <= 0 { return (0, 0, 0) }
    if position >= Double(tiles - 1) { return (tiles - 1, tiles - 1, 0) }
    return (Int(position), Int(position) + 1, position - floor(position))
  }

  /// The cumulative histogram of a tile. Counts are whole: those above the limit, which is cut to a whole
  /// number from 1 on, are shared out, and what is left over goes to steps at equal distances.
  private func curve(
    column: Int, of columns: Int, row: Int, of rows: Int, _ clipLimit: Double
  ) -> [Double] {
    func span(_ index: Int, _ count: Int, _ size: Int) -> Range<Int> {
      let first = index * size / count
      return first..<max((index + 1) * size / count, first + 1)
    }
    let (across, down) = (span(column, columns, width), span(row, rows, height))
    let pixels = across.count * down.count
    var counts = [Int](repeating: 0, count: 256)
    for y in down {
      for x in across { counts[Int(floor(hsl(self[clamped: x, y]).lightness * 255 + 0.5))] += 1 }
    }
    let limit = Int(min(max(clipLimit * Double(pixels) / 256, 1), Double(pixels)))
    let excess = counts.reduce(0) { $0 + max(0, $1 - limit) }
    let (share, rest) = (excess / 256, excess % 256)
    var result: [Double] = []
    var sum = 0
    for step in 0..<256 {
      sum += min(counts[step], limit) + share
      if rest > 0, step % (256 / rest) == 0, step / (256 / rest) < rest { sum += 1 }
      result.append(Double(sum) / Double(pixels))
    }
    return result
  }
}

/// Hue in sixths of a turn, saturation and lightness of HSL, of colors cut to 0 … 1.
private func hsl(_ pixel: SIMD4<Double>) -> (hue: Double, saturation: Double, lightness: Double) {
  let c = [pixel.x, pixel.y, pixel.z].map { min(max($0, 0), 1) }
  let (high, low) = (max(c[0], c[1], c[2]), min(c[0], c[1], c[2]))
  let (chroma, lightness) = (high - low, (high + low) / 2)
  guard chroma > 0 else { return (0, 0, lightness) }
  let hue: Double
  if high == c[0] {
    hue = (c[1] - c[2]) / chroma
  } else if high == c[1] {
    hue = 2 + (c[2] - c[0]) / chroma
  } else {
    hue = 4 + (c[0] - c[1]) / chroma
  }
  return (hue < 0 ? hue + 6 : hue, chroma / (1 - abs(2 * lightness - 1)), lightness)
}

/// The color of hue in sixths of a turn, saturation and lightness.
private func rgb(_ hue: Double, _ saturation: Double, _ lightness: Double) -> ReferenceColor {
  let chroma = saturation * (1 - abs(2 * lightness - 1))
  let middle = chroma * (1 - abs(hue.truncatingRemainder(dividingBy: 2) - 1))
  let base = lightness - chroma / 2
  let (r, g, b): (Double, Double, Double) =
    switch Int(hue) % 6 {
    case 0: (chroma, middle, 0)
    case 1: (middle, chroma, 0)
    case 2: (0, chroma, middle)
    case 3: (0, middle, chroma)
    case 4: (middle, 0, chroma)
    default: (chroma, 0, middle)
    }
  return ReferenceColor(r + base, g + base, b + base)
}
