package import CShim
package import RasterColor
package import RasterGraph

/// The formats that are processed, by GStreamer's names. The one list: caps and tests derive from it.
package enum VideoFormats {
  package static let names = [
    "RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR", "RGB", "BGR",
    "AYUV", "VUYA", "RGBA64_LE", "ARGB64_LE", "BGRA64_LE", "ABGR64_LE",
    "I420", "YV12", "NV12", "NV21", "A420", "Y42B", "NV16", "NV61", "Y444", "NV24",
    "P010_10LE", "I420_10LE", "I422_10LE", "Y444_10LE", "GRAY8", "GRAY16_LE",
  ]

  /// Whether frames of that format are processed.
  package static func contains(_ layout: PixelLayout) -> Bool { names.contains(layout.name) }
}

extension PixelLayout {
  /// The layout that GStreamer describes; nil for formats whose samples are not one or two whole bytes,
  /// the lowest first, at equal distances (packed words, tiles, palettes).
  package init?(_ format: UnsafePointer<GstVideoFormatInfo>) {
    let info = format.pointee
    let excluded =
      GST_VIDEO_FORMAT_FLAG_COMPLEX.rawValue | GST_VIDEO_FORMAT_FLAG_PALETTE.rawValue
      | GST_VIDEO_FORMAT_FLAG_TILED.rawValue
    guard info.flags.rawValue & excluded == 0, let name = info.name else { return nil }
    let count = Int(info.n_components)
    let depths = elements(info.depth, UInt32.self)
    let shifts = elements(info.shift, UInt32.self)
    let isByteWise =
      depths.prefix(count).allSatisfy { $0 == 8 }
      && shifts.prefix(count).allSatisfy { $0 == 0 }
    let isWordWise = zip(depths, shifts).prefix(count).allSatisfy {
      (9...16).contains($0) && $0 + $1 <= 16
    }
    guard (1...4).contains(count),
      isByteWise || (isWordWise && info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_LE.rawValue != 0)
    else { return nil }
    let components = Component.all(of: info, areWords: isWordWise)
    let planeOf = components.map(\.plane)
    let strides = elements(info.pixel_stride, Int32.self)
    let widths = elements(info.w_sub, UInt32.self)
    let heights = elements(info.h_sub, UInt32.self)
    let planes = (0..<Int(info.n_planes)).compactMap { plane -> Plane? in
      guard let first = planeOf.firstIndex(of: plane), strides[first] > 0 else {
        return nil
      }
      return Plane(
        pixelStride: Int(strides[first]), horizontalSubsampling: Int(widths[first]),
        verticalSubsampling: Int(heights[first]))
    }
    let hasAlpha = info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
    guard planes.count == Int(info.n_planes), hasAlpha == (count == 4) else { return nil }
    self.init(
      name: String(cString: name), planes: planes,
      colors: Array(components.prefix(hasAlpha ? 3 : count)),
      alpha: hasAlpha ? components[3] : nil)
  }
}

extension PixelLayout.Component {
  /// The components of a format, alpha last.
  fileprivate static func all(of info: GstVideoFormatInfo, areWords: Bool) -> [Self] {
    let planes = elements(info.plane, UInt32.self)
    let depths = elements(info.depth, UInt32.self)
    let shifts = elements(info.shift, UInt32.self)
    // GStreamer gives that of P010's second chroma sample in samples.
    let offsets = elements(info.poffset, UInt32.self).map {
      areWords && $0 % 2 == 1 ? Int($0) * 2 : Int($0)
    }
    return (0..<Int(info.n_components)).map {
      Self(
        plane: Int(planes[$0]), offset: offsets[$0], depth: Int(depths[$0]),
        shift: Int(shifts[$0]))
    }
  }
}

extension ColorEncoding {
  /// What the samples of a stream mean, from its caps.
  package init(_ info: GstVideoInfo) {
    let flags = info.finfo.map { $0.pointee.flags.rawValue } ?? 0
    let range: NominalRange =
      info.colorimetry.range == GST_VIDEO_COLOR_RANGE_16_235 ? .limited : .full
    if flags & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0 {
      self.init(model: .rgb, range: range)
    } else if flags & GST_VIDEO_FORMAT_FLAG_GRAY.rawValue != 0 {
      self.init(model: .gray, range: range)
    } else {
      self.init(model: .ycbcr(LumaCoefficients(info.colorimetry.matrix)), range: range)
    }
  }
}

extension TransferFunction {
  /// How the signal of a stream follows light, from its caps.
  package init(_ info: GstVideoInfo) {
    switch info.colorimetry.transfer {
    case GST_VIDEO_TRANSFER_SRGB: self = .srgb
    case GST_VIDEO_TRANSFER_GAMMA10: self = .linear
    case GST_VIDEO_TRANSFER_GAMMA18: self = .gamma(1.8)
    case GST_VIDEO_TRANSFER_GAMMA20: self = .gamma(2)
    case GST_VIDEO_TRANSFER_GAMMA22, GST_VIDEO_TRANSFER_ADOBERGB: self = .gamma(2.2)
    case GST_VIDEO_TRANSFER_GAMMA28: self = .gamma(2.8)
    default: self = .bt709
    }
  }
}

extension LightEncoding {
  /// How a stream stands for light, from its caps.
  package init(_ info: GstVideoInfo) {
    let range: DynamicRange =
      switch info.colorimetry.transfer {
      case GST_VIDEO_TRANSFER_SMPTE2084: .pq
      case GST_VIDEO_TRANSFER_ARIB_STD_B67: .hlg
      default: .standard
      }
    self.init(
      range: range, transfer: TransferFunction(info),
      isWide: info.colorimetry.primaries == GST_VIDEO_COLOR_PRIMARIES_BT2020)
  }
}

extension LumaCoefficients {
  init(_ matrix: GstVideoColorMatrix) {
    switch matrix {
    case GST_VIDEO_COLOR_MATRIX_BT709: self = .bt709
    case GST_VIDEO_COLOR_MATRIX_BT2020: self = .bt2020
    case GST_VIDEO_COLOR_MATRIX_SMPTE240M: self = .smpte240m
    case GST_VIDEO_COLOR_MATRIX_FCC: self = .fcc
    default: self = .bt601
    }
  }
}

/// The elements of a C array, which Swift imports as a tuple.
func elements<Tuple, Element>(_ tuple: Tuple, _ type: Element.Type) -> [Element] {
  withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: type)) }
}
