package import CShim
package import RasterGraph
package import RasterRender
internal import RasterVulkan

/// Makes the planes of GstBuffers visible to the device: in place where it can, else by a copy.
///
/// Thread-safety: one thread at a time.
package struct SourceBinder: ~Copyable {
  /// Memories that were imported so far.
  package private(set) var importCount: UInt64 = 0
  /// Planes that had to be copied so far.
  package private(set) var copyCount: UInt64 = 0

  private let context: RenderContext
  private var mapped: [(memory: UnsafeMutablePointer<GstMemory>, map: GstMapInfo)] = []
  /// One for each plane that ever had to be copied.
  private var staging: [Int: HostBuffer] = [:]

  package init(_ context: RenderContext) { self.context = context }

  deinit {
    for index in mapped.indices {
      var map = mapped[index].map
      gst_memory_unmap(mapped[index].memory, &map)
    }
  }

  /// The frame in `buffer`, valid until ``release()``; the buffer has to stay alive until then.
  ///
  /// - Throws: `invalidFrame` where the buffer is too small for its caps, `outOfMemory` where a copy
  ///   has no room.
  package mutating func bind(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: borrowing GstVideoInfo, _ layout: PixelLayout
  ) throws(RasterError) -> Frame {
    let geometry = FrameGeometry(buffer, info)
    guard geometry.offsets.count == layout.planes.count else {
      throw RasterError(
        .invalidFrame,
        "A frame has \(geometry.offsets.count) planes and its caps say "
          + "\(layout.planes.count).",
        remedy: "Check the GstVideoMeta that the element upstream attaches.")
    }
    var frame = Frame(layout: layout, planes: [])
    frame.planes.reserveCapacity(layout.planes.count)
    for (index, plane) in layout.planes.enumerated() {
      let extent = try geometry.extent(
        of: index, plane, width: Int(info.width), height: Int(info.height))
      frame.planes.append(try bind(buffer, index, extent, geometry))
    }
    return frame
  }

  /// Ends the use of the frame that was bound last.
  package mutating func release() {
    for index in mapped.indices { gst_memory_unmap(mapped[index].memory, &mapped[index].map) }
    mapped.removeAll(keepingCapacity: true)
  }

  private mutating func bind(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ plane: Int, _ extent: Range<Int>,
    _ geometry: FrameGeometry
  ) throws(RasterError) -> FramePlane {
    var index: UInt32 = 0
    var count: UInt32 = 0
    var skip: gsize = 0
    guard
      gst_buffer_find_memory(
        buffer, gsize(extent.lowerBound), gsize(extent.count), &index, &count, &skip) != 0
    else {
      throw RasterError(
        .invalidFrame,
        "A buffer of \(gst_buffer_get_size(buffer)) bytes is too small: plane \(plane) of its caps "
          + "ends at byte \(extent.upperBound).",
        remedy: "Check the caps, or the GstVideoMeta, that the element upstream sends.")
    }
    let first = geometry.offsets[plane] - extent.lowerBound
    if count == 1, let memory = gst_buffer_peek_memory(buffer, index),
      let (shared, start) = bindInPlace(memory, Int(clamping: skip))
    {
      return FramePlane(buffer: shared, offset: start + first, stride: geometry.strides[plane])
    }
    let copy = try stage(buffer, plane, extent)
    return FramePlane(buffer: copy, offset: first, stride: geometry.strides[plane])
  }

  /// The device's view of a memory, and where its byte `skip` is in that; nil if there is none.
  private mutating func bindInPlace(
    _ memory: UnsafeMutablePointer<GstMemory>, _ skip: Int
  ) -> (HostBuffer, Int)? {
    if let own = raster_memory_get_buffer(memory) {
      let buffer = Unmanaged<HostBuffer>.fromOpaque(own).takeUnretainedValue()
      if buffer.device === context.device {
        return (buffer, Int(clamping: memory.pointee.offset) + skip)
      }
    }
    guard context.device.limits.importAlignment > 0 else { return nil }
    var map = GstMapInfo()
    guard gst_memory_map(memory, &map, GST_MAP_READ) != 0 else { return nil }
    let bytes = UnsafeMutableRawBufferPointer(start: map.data, count: Int(clamping: map.size))
    var imported: UInt64 = 0
    guard let base = bytes.baseAddress,
      let buffer = ImportCache.of(memory).buffer(
        over: bytes, for: context, didImport: { imported += 1 })
    else {
      gst_memory_unmap(memory, &map)
      return nil
    }
    importCount += imported
    mapped.append((memory, map))
    return (buffer, base - buffer.address + skip)
  }

  private mutating func stage(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ plane: Int, _ extent: Range<Int>
  ) throws(RasterError) -> HostBuffer {
    let target: HostBuffer
    // 64 bytes more let the kernel use its widest loads up to the last sample.
    if let known = staging[plane], known.size >= extent.count + 64 {
      target = known
    } else {
      target = try translated { () throws(VulkanError) in
        try HostBuffer(allocating: extent.count + 64, on: context.device)
      }
      staging[plane] = target
    }
    let count = gsize(extent.count)
    guard gst_buffer_extract(buffer, gsize(extent.lowerBound), target.address, count) == count
    else {
      throw RasterError(
        .invalidFrame, "A buffer cannot be read.",
        remedy: "Check that the element upstream sends memory that can be mapped.")
    }
    copyCount += 1
    return target
  }
}
