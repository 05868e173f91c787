import CGstCheck
import RasterReference

/// What the samples of a frame mean, from the caps that it has: ITU-R BT.601-7 section 2.5, BT.709-6 section 3 and
/// BT.2020-2 table 4 with the weights and the ranges that GStreamer gives for those caps.
struct SampleEncoding {
  private enum Model {
    case rgb
    case gray
    case ycbcr(red: Double, blue: Double)
  }

  private let model: Model
  /// The code of zero and the codes from zero to one, for each component.
  private let offsets: [Double]
  private let scales: [Double]

  init(_ info: GstVideoInfo) {
    var offsets = [Int32](repeating: 0, count: 4)
    var scales = [Int32](repeating: 0, count: 4)
    gst_video_color_range_offsets(info.colorimetry.range, info.finfo, &offsets, &scales)
    self.offsets = offsets.map { Double($0) }
    self.scales = scales.map { Double($0) }
    let flags = info.finfo?.pointee.flags.rawValue ?? 0
    if flags & GST_VIDEO_FORMAT_FLAG_YUV.rawValue != 0 {
      var (red, blue) = (0.0, 0.0)
      gst_video_color_matrix_get_Kr_Kb(info.colorimetry.matrix, &red, &blue)
      model = .ycbcr(red: red, blue: blue)
    } else {
      model = flags & GST_VIDEO_FORMAT_FLAG_GRAY.rawValue != 0 ? .gray : .rgb
    }
  }

  /// The color of codes, with black at 0 and white at 1.
  func color(_ codes: [Double]) -> ReferenceColor {
    let values = codes.indices.map { (codes[$0] - offsets[$0]) / scales[$0] }
    switch model {
    case .rgb: return ReferenceColor(values[0], values[1], values[2])
    case .gray: return ReferenceColor(values[0], values[0], values[0])
    case .ycbcr(let red, let blue):
      let r = values[0] + 2 * (1 - red) * values[2]
      let b = values[0] + 2 * (1 - blue) * values[1]
      return ReferenceColor(r, (values[0] - red * r - blue * b) / (1 - red - blue), b)
    }
  }

  /// The codes of a color, neither rounded nor cut.
  func codes(_ color: ReferenceColor) -> [Double] {
    let values: [Double]
    switch model {
    case .rgb: values = [color.red, color.green, color.blue]
    case .gray: values = [0.299 * color.red + 0.587 * color.green + 0.114 * color.blue]
    case .ycbcr(let red, let blue):
      let y = red * color.red + (1 - red - blue) * color.green + blue * color.blue
      values = [y, (color.blue - y) / (2 * (1 - blue)), (color.red - y) / (2 * (1 - red))]
    }
    return values.indices.map { offsets[$0] + scales[$0] * values[$0] }
  }

  /// The color whose luma, or each channel, has a code in units of 8 bits, and that has no chroma.
  func gray(_ code: Double, depth: Int) -> ReferenceColor {
    let value = (code * Double(1 << (depth - 8)) - offsets[0]) / scales[0]
    return ReferenceColor(value, value, value)
  }
}

extension SampleFrame {
  /// The picture of the frame; pixels that share a chroma sample all have it.
  ///
  /// - Parameters:
  ///   - rules: for what is done with the range.
  ///   - output: what the picture is for.
  func image(_ rules: CompositionRules, for output: GstVideoInfo) -> ReferenceImage {
    var info = info
    if rules.ignoresRange, canKeepCodes(for: output) {
      info.colorimetry.range = output.colorimetry.range
    }
    let encoding = SampleEncoding(info)
    return ReferenceImage(width: width, height: height) { x, y in
      let samples = components.map { component in
        Double(
          component.samples[
            (y >> component.halvings.y) * component.columns + (x >> component.halvings.x)])
      }
      let color = encoding.color(Array(samples.prefix(3)))
      let alpha = hasAlpha ? samples[3] / Double(components[3].largest) : 1
      return SIMD4(color.red, color.green, color.blue, alpha)
    }
  }

  /// Whether the codes of luma, and of chroma where there is any, are the same apart from their range.
  private func canKeepCodes(for output: GstVideoInfo) -> Bool {
    func has(_ flag: GstVideoFormatFlags, _ info: GstVideoInfo) -> Bool {
      (info.finfo?.pointee.flags.rawValue ?? 0) & flag.rawValue != 0
    }
    guard has(GST_VIDEO_FORMAT_FLAG_YUV, output) else { return false }
    return has(GST_VIDEO_FORMAT_FLAG_GRAY, info)
      || has(GST_VIDEO_FORMAT_FLAG_YUV, info)
        && info.colorimetry.matrix == output.colorimetry.matrix
  }

  /// The samples that a frame like this one has of a picture, cut to what can be stored but not rounded: chroma is the
  /// mean of the pixels that share it, and a frame without alpha shows the picture over black.
  func samples(of picture: ReferenceImage) -> [[Double]] {
    let encoding = SampleEncoding(info)
    var sums = components.map { [Double](repeating: 0, count: $0.samples.count) }
    var counts = sums
    for y in 0..<height {
      for x in 0..<width {
        let pixel = picture.pixels[y * width + x]
        let seen = hasAlpha ? pixel : pixel * pixel.w
        var codes = encoding.codes(ReferenceColor(seen.x, seen.y, seen.z))
        if hasAlpha { codes.append(pixel.w * Double(components[3].largest)) }
        for (index, component) in components.enumerated() {
          let place =
            (y >> component.halvings.y) * component.columns + (x >> component.halvings.x)
          sums[index][place] += codes[index]
          counts[index][place] += 1
        }
      }
    }
    return components.indices.map { index in
      zip(sums[index], counts[index]).map {
        min(max($0 / $1, 0), Double(components[index].largest))
      }
    }
  }
}
