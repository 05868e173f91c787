package import CShim
package import RasterGraph
package import RasterRender
internal import RasterVulkan
internal import Synchronization

/// Makes the planes of GstBuffers visible to the device: in place where it can, else by a copy.
///
/// Thread-safety: one thread at a time.
package struct FrameBinder: ~Copyable {
  /// Memories that were imported so far.
  package private(set) var importCount: UInt64 = 0
  /// Planes that had to be copied so far.
  package private(set) var copyCount: UInt64 = 0

  /// What the device does with a frame.
  package enum Access {
    case read, write
  }

  /// Which plane of which frame a copy is of.
  private struct StagingPlace: Hashable {
    var request: Int
    var frame: Int
    var plane: Int
  }

  private let context: RenderContext
  /// One for each plane that ever had to be copied, for each request.
  private var staging: [StagingPlace: HostBuffer] = [:]
  private var imports: ImportLimit
  /// Of all frames of the process, the one that is bound now.
  private var frameNumber: UInt64 = 0
  private static let frames = Atomic<UInt64>(0)

  package init(_ context: RenderContext) {
    self.context = context
    imports = ImportLimit(context)
  }

  /// Whether a buffer has all bytes that its caps, or its GstVideoMeta, say.
  package static func isWhole(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: borrowing GstVideoInfo, _ layout: PixelLayout
  ) -> Bool {
    let geometry = FrameGeometry(buffer, info)
    let size = Int(clamping: gst_buffer_get_size(buffer))
    guard geometry.count == layout.planes.count else { return false }
    for index in 0..<geometry.count {
      let extent = try? geometry.extent(
        of: index, layout.planes[index], width: Int(info.width), height: Int(info.height))
      guard let extent, extent.upperBound <= size else { return false }
    }
    return true
  }

  /// Fills in where the planes of `buffer` are. Until the request ends, its memory stays mapped where it is not
  /// ours, and a buffer that is read is kept.
  ///
  /// - Parameter number: tells the frames that one request reads apart.
  /// - Throws: `invalidFrame` where the buffer is too small for its caps, `outOfMemory` where a copy
  ///   has no room.
  package mutating func bind(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: borrowing GstVideoInfo,
    _ access: Access, to frame: inout Frame, number: Int = 0, for request: RenderRequest
  ) throws(RasterError) {
    let geometry = FrameGeometry(buffer, info)
    guard geometry.count == frame.layout.planes.count else {
      throw RasterError(
        .invalidFrame,
        "A frame has \(geometry.count) planes and its caps say "
          + "\(frame.layout.planes.count).",
        remedy: "Check the GstVideoMeta that the element upstream attaches.")
    }
    frameNumber = FrameBinder.frames.wrappingAdd(1, ordering: .relaxed).newValue
    if access == .read { request.retain(buffer) }
    frame.planes.removeAll(keepingCapacity: true)
    for index in 0..<geometry.count {
      let extent = try geometry.extent(
        of: index, frame.layout.planes[index], width: Int(info.width), height: Int(info.height))
      let place = StagingPlace(request: request.index, frame: number, plane: index)
      frame.planes.append(try bind(buffer, place, extent, geometry, access, request))
    }
  }

  private mutating func bind(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ place: StagingPlace, _ extent: Range<Int>,
    _ geometry: FrameGeometry, _ access: Access, _ request: RenderRequest
  ) throws(RasterError) -> FramePlane {
    let plane = place.plane
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
    let (first, stride) = (geometry.offsets[plane] - extent.lowerBound, geometry.strides[plane])
    if count == 1, let memory = gst_buffer_peek_memory(buffer, index),
      let found = bindInPlace(memory, Int(clamping: skip), access, request)
    {
      return FramePlane(
        buffer: found.buffer, offset: found.start + first, stride: stride, memory: found.memory)
    }
    guard access == .read else {
      throw RasterError(
        .invalidFrame, "The memory that downstream offers cannot be written by the device.",
        remedy: "Put a queue behind the element, or report it with GST_DEBUG=raster*:6.")
    }
    let copy = try stage(buffer, place, extent)
    return FramePlane(buffer: copy, offset: first, stride: stride)
  }

  /// The device's view of a memory, and where its byte `skip` is in that; nil if there is none.
  private mutating func bindInPlace(
    _ memory: UnsafeMutablePointer<GstMemory>, _ skip: Int, _ access: Access,
    _ request: RenderRequest
  ) -> (buffer: HostBuffer, start: Int, memory: FrameMemory?)? {
    if let own = PooledMemory.of(memory)?.memory, own.buffer.device === context.device {
      return (own.buffer, Int(clamping: memory.pointee.offset) + skip, own)
    }
    guard context.device.limits.importAlignment > 0 else { return nil }
    var map = GstMapInfo()
    guard gst_memory_map(memory, &map, access == .read ? GST_MAP_READ : GST_MAP_WRITE) != 0
    else { return nil }
    guard let data = map.data else {
      gst_memory_unmap(memory, &map)
      return nil
    }
    // The whole of a memory, so that all its parts share one import.
    let base = UnsafeMutableRawPointer(data) - Int(clamping: memory.pointee.offset)
    let bytes = UnsafeMutableRawBufferPointer(
      start: base, count: Int(clamping: memory.pointee.maxsize))
    let cache = ImportCache.of(memory.pointee.parent ?? memory)
    // A frame that is written has nowhere else to go.
    let isCopiedFirst = access == .read && context.device.deviceClass == .discrete
    var isNew = false
    guard
      let buffer = cache.buffer(
        over: bytes, for: context, recycledOnly: isCopiedFirst, frame: frameNumber,
        didImport: { isNew = true })
    else {
      gst_memory_unmap(memory, &map)
      return nil
    }
    if isNew {
      importCount += 1
      imports.note(cache)
    }
    request.keep(memory, map)
    return (buffer, UnsafeMutableRawPointer(data) - buffer.address + skip, nil)
  }

  private mutating func stage(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ place: StagingPlace, _ extent: Range<Int>
  ) throws(RasterError) -> HostBuffer {
    let target: HostBuffer
    // 64 bytes more let the kernel use its widest loads up to the last sample.
    if let known = staging[place], known.size >= extent.count + 64 {
      target = known
    } else {
      target = try translated { () throws(VulkanError) in
        try HostBuffer(allocating: extent.count + 64, on: context.device)
      }
      staging[place] = target
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

/// Keeps the number of imports within bounds: each makes the driver hold on to pages.
private struct ImportLimit: ~Copyable {
  /// More frames than any element upstream cycles through.
  private static let most = 256

  private let context: RenderContext
  private var recent: [Entry] = []
  private var next = 0

  private struct Entry {
    weak var cache: ImportCache?
  }

  init(_ context: RenderContext) { self.context = context }

  /// Notes an import, and lets go of the oldest where there are too many.
  mutating func note(_ cache: ImportCache) {
    guard recent.count == ImportLimit.most else {
      recent.append(Entry(cache: cache))
      return
    }
    recent[next].cache?.drop(for: context)
    recent[next] = Entry(cache: cache)
    next = (next + 1) % ImportLimit.most
  }
}
