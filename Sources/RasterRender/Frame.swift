package import RasterGraph
package import RasterVulkan

/// One plane of a frame, in a buffer that the device uses in place.
package struct FramePlane: Sendable {
  package var buffer: HostBuffer
  /// Bytes from the start of the buffer to the first sample of row 0.
  package var offset: Int
  /// Bytes from a row to the next; negative where rows are stored bottom up.
  package var stride: Int
  /// Who says when the bytes were written last; nil where the CPU has written them before and reads them
  /// only when the work is done.
  package var memory: FrameMemory?

  package init(buffer: HostBuffer, offset: Int, stride: Int, memory: FrameMemory? = nil) {
    self.buffer = buffer
    self.offset = offset
    self.stride = stride
    self.memory = memory
  }
}

/// A frame as the renderer sees it: a layout and where its planes are.
package struct Frame: Sendable {
  package var layout: PixelLayout
  package var planes: [FramePlane]

  package init(layout: PixelLayout, planes: [FramePlane]) {
    self.layout = layout
    self.planes = planes
  }

  /// Whether all of it is in memory of a discrete device.
  var isNearDevice: Bool { planes.allSatisfy { $0.memory?.isOnDevice == true } }
}

/// Where a plane begins within the range of its buffer that is bound, for rows from `firstRow` on.
struct BoundPlane {
  /// First byte of the range in the buffer.
  let start: Int
  let geometry: PlaneGeometry
  /// Bytes of the range up to the last sample.
  let end: Int

  /// - Parameters:
  ///   - firstRow: the first row of the frame that the band covers, a multiple of the rows that share one
  ///     of the plane.
  ///   - extent: width of the frame and rows of the band, at least 1.
  init(
    _ frame: Frame, _ index: Int, firstRow: Int = 0, _ extent: Extent, _ limits: DeviceLimits
  ) {
    let (plane, position) = (frame.layout.planes[index], frame.planes[index])
    let rows = plane.rows(height: extent.height)
    let first = position.offset + (firstRow >> plane.verticalSubsampling) * position.stride
    let lowest = min(first, first + (rows - 1) * position.stride)
    start = lowest / limits.storageBufferOffsetAlignment * limits.storageBufferOffsetAlignment
    geometry = PlaneGeometry(
      offset: first - start, stride: position.stride,
      available: min(position.buffer.size - start, limits.maxStorageBufferRange))
    end = plane.extent(geometry, width: extent.width, height: extent.height).upperBound
  }
}
