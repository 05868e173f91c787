package import CGstCheck
internal import CShim
package import RasterVideo

extension VideoFormats {
  /// The formats whose samples are bytes.
  package static let eightBit = names.filter { name in
    !["64_LE", "10LE", "16_LE"].contains { name.hasSuffix($0) }
  }
}

/// The planes of a video format at one size, without any padding.
package struct VideoLayout: Hashable, Sendable {
  package struct Plane: Hashable, Sendable {
    /// Bytes of a row that hold samples.
    package let rowBytes: Int
    package let rows: Int
    /// Bytes from a pixel to the next.
    package let pixelStride: Int
    /// Which bytes of a pixel hold a component; the others may have any value.
    package let usedBytes: [Bool]

    package var size: Int { rowBytes * rows }
  }

  package let format: String
  package let width: Int
  package let height: Int
  package let planes: [Plane]

  package init(_ format: String, _ width: Int, _ height: Int) {
    self.format = format
    self.width = width
    self.height = height
    planes = VideoLayout.planes(VideoLayout.info(format, width, height), width, height)
  }

  /// The caps of frames at 25 per second.
  ///
  /// - Parameter colorimetry: as in caps; nil for the default of the format.
  package func caps(colorimetry: String? = nil) -> String {
    "video/x-raw, format=(string)\(format), width=(int)\(width), height=(int)\(height), "
      + "framerate=(fraction)25/1" + (colorimetry.map { ", colorimetry=(string)\($0)" } ?? "")
  }

  /// What GStreamer says about the default layout of such frames.
  package var info: GstVideoInfo { VideoLayout.info(format, width, height) }

  private static func info(_ format: String, _ width: Int, _ height: Int) -> GstVideoInfo {
    var info = GstVideoInfo()
    gst_video_info_set_format(
      &info, raster_video_format_from_string(format), UInt32(width), UInt32(height))
    return info
  }

  private static func planes(_ info: GstVideoInfo, _ width: Int, _ height: Int) -> [Plane] {
    guard let format = info.finfo?.pointee else { return [] }
    let planeOf = array(format.plane, UInt32.self)
    let (strides, offsets) = (
      array(format.pixel_stride, Int32.self), array(format.poffset, UInt32.self)
    )
    let (horizontal, vertical) = (
      array(format.w_sub, UInt32.self), array(format.h_sub, UInt32.self)
    )
    return (0..<Int(format.n_planes)).compactMap { plane in
      let components = (0..<Int(format.n_components)).filter { planeOf[$0] == plane }
      guard let first = components.first else { return nil }
      let stride = Int(strides[first])
      let used = (0..<stride).map { byte in components.contains { Int(offsets[$0]) == byte } }
      let scale = (x: 1 << Int(horizontal[first]), y: 1 << Int(vertical[first]))
      return Plane(
        rowBytes: (width + scale.x - 1) / scale.x * stride, rows: (height + scale.y - 1) / scale.y,
        pixelStride: stride, usedBytes: used)
    }
  }
}

/// The elements of a C array, which Swift imports as a tuple.
func array<Tuple, Element>(_ tuple: Tuple, _ type: Element.Type) -> [Element] {
  withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: type)) }
}
