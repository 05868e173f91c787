package import CShim
internal import RasterGraph

/// Where the planes of a frame lie in the bytes of its GstBuffer. Has no storage on the heap.
package struct FrameGeometry: Sendable {
  /// Planes, at most 4.
  package let count: Int
  /// Bytes from the start of the buffer to the first sample of row 0, for each plane.
  package var offsets: InlineArray<4, Int>
  /// Bytes from a row to the next, for each plane.
  package var strides: InlineArray<4, Int>

  /// From the buffer's GstVideoMeta; without one, from the caps.
  package init(_ buffer: UnsafeMutablePointer<GstBuffer>, _ info: borrowing GstVideoInfo) {
    count = min(4, Int(info.finfo?.pointee.n_planes ?? 0))
    if let meta = gst_buffer_get_video_meta(buffer), Int(meta.pointee.n_planes) >= count {
      offsets = FrameGeometry.offsets(meta.pointee.offset)
      strides = FrameGeometry.strides(meta.pointee.stride)
    } else {
      offsets = FrameGeometry.offsets(info.offset)
      strides = FrameGeometry.strides(info.stride)
    }
  }

  private static func offsets(_ all: (gsize, gsize, gsize, gsize)) -> InlineArray<4, Int> {
    [
      Int(clamping: all.0), Int(clamping: all.1), Int(clamping: all.2), Int(clamping: all.3),
    ]
  }

  private static func strides(_ all: (gint, gint, gint, gint)) -> InlineArray<4, Int> {
    [Int(all.0), Int(all.1), Int(all.2), Int(all.3)]
  }

  /// The bytes of the buffer that hold a plane's samples.
  ///
  /// - Throws: `invalidFrame` where they would begin before the buffer or lie beyond all memory.
  func extent(
    of plane: Int, _ layout: PixelLayout.Plane, width: Int, height: Int
  ) throws(RasterError) -> Range<Int> {
    let rows = layout.rows(height: height)
    let rowBytes = layout.rowBytes(width: width)
    let (span, overflow) = (rows - 1).multipliedReportingOverflow(by: strides[plane])
    let (last, beyond) = offsets[plane].addingReportingOverflow(span)
    let start = min(offsets[plane], last)
    let (end, tooFar) = max(offsets[plane], last).addingReportingOverflow(rowBytes)
    guard !overflow, !beyond, !tooFar, start >= 0 else {
      throw RasterError(
        .invalidFrame,
        "Plane \(plane) of a frame has offset \(offsets[plane]) and stride \(strides[plane]), "
          + "which is outside its buffer.",
        remedy: "Check the GstVideoMeta that the element upstream attaches.")
    }
    return start..<end
  }
}
