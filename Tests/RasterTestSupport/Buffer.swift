package import CGstCheck
internal import CShim
internal import Glibc

/// A reference to a GstBuffer.
///
/// Thread-safety: the reference count is atomic; tests write a buffer only before they share it.
package final class Buffer: @unchecked Sendable {
  package let pointer: UnsafeMutablePointer<GstBuffer>

  /// Takes over the caller's reference.
  package init(owning pointer: UnsafeMutablePointer<GstBuffer>) { self.pointer = pointer }

  /// Adds a reference.
  package convenience init(_ pointer: UnsafeMutablePointer<GstBuffer>) {
    self.init(owning: gst_buffer_ref(pointer))
  }

  deinit { gst_buffer_unref(pointer) }

  /// A copy of the times, the offsets and the like.
  package var fields: GstBuffer { withExtendedLifetime(self) { pointer.pointee } }

  package var flags: UInt32 { fields.mini_object.flags }

  /// A copy of all bytes.
  package var bytes: [UInt8] {
    let size = gst_buffer_get_size(pointer)
    return [UInt8](unsafeUninitializedCapacity: Int(size)) { target, count in
      count = Int(gst_buffer_extract(pointer, 0, target.baseAddress, size))
    }
  }

  /// A buffer with the same bytes and metas in ordinary memory.
  package var deepCopy: Buffer? { gst_buffer_copy_deep(pointer).map { Buffer(owning: $0) } }

  /// Whether the CPU gets to see the bytes.
  package var canBeRead: Bool {
    var map = GstMapInfo()
    guard gst_buffer_map(pointer, &map, GST_MAP_READ) != 0 else { return false }
    gst_buffer_unmap(pointer, &map)
    return true
  }

  /// References that exist to the buffer.
  package var referenceCount: Int { Int(raster_test_buffer_references(pointer)) }

  /// Whether all memory is of the project's own kind.
  package var isOfOwnMemory: Bool {
    memories.allSatisfy { gst_memory_is_type($0, "RasterMemory") != 0 }
  }

  /// The memories of the buffer; valid as long as the buffer.
  package var memories: [UnsafeMutablePointer<GstMemory>] {
    (0..<gst_buffer_n_memory(pointer)).compactMap { gst_buffer_peek_memory(pointer, $0) }
  }

  /// Where the planes are: as the GstVideoMeta says, or else as the size implies.
  func geometry(_ layout: VideoLayout) -> (offsets: [Int], strides: [Int]) {
    guard let meta = gst_buffer_get_video_meta(pointer) else {
      let info = layout.info
      return (
        array(info.offset, UInt.self).map { Int($0) },
        array(info.stride, Int32.self).map { Int($0) }
      )
    }
    return (
      array(meta.pointee.offset, UInt.self).map { Int($0) },
      array(meta.pointee.stride, Int32.self).map { Int($0) }
    )
  }

  /// How many metas of a type the buffer has.
  package func metaCount(_ api: GType) -> Int {
    Int(gst_buffer_get_n_meta(pointer, api))
  }

  /// Writes `bytes` at `offset`.
  package func fill(_ offset: Int, _ bytes: [UInt8]) {
    gst_buffer_fill(pointer, gsize(offset), bytes, gsize(bytes.count))
  }
}

/// Where in a buffer, and in which memories, the planes of a frame lie.
package struct Placement: Sendable {
  package enum Memories: Hashable, Sendable, CaseIterable {
    /// One for all.
    case one
    /// One for each plane.
    case onePerPlane
    /// The first plane lies in two.
    case splitPlane
    /// A part of a larger memory, from an odd byte on.
    case part
    /// Bytes that may only be read.
    case readOnly
  }

  package let layout: VideoLayout
  package var offsets: [Int]
  package var strides: [Int]
  package var size: Int
  package var memories = Memories.one
  package var hasVideoMeta = false

  /// GStreamer's default layout.
  package init(_ layout: VideoLayout) {
    self.layout = layout
    let info = layout.info
    let count = layout.planes.count
    offsets = array(info.offset, UInt.self).prefix(count).map { Int($0) }
    strides = array(info.stride, Int32.self).prefix(count).map { Int($0) }
    size = Int(info.size)
  }

  /// Planes one after the other, said in a GstVideoMeta.
  ///
  /// - Parameters:
  ///   - padding: bytes between the rows.
  ///   - lead: bytes before each plane.
  package init(_ layout: VideoLayout, padding: Int, lead: Int) {
    self.layout = layout
    (offsets, strides, size, hasVideoMeta) = ([], [], 0, true)
    for plane in layout.planes {
      offsets.append(size + lead)
      strides.append(plane.rowBytes + padding)
      size += lead + plane.rows * (plane.rowBytes + padding)
    }
  }

  /// A new buffer with the picture.
  package func buffer(of picture: Picture) -> Buffer {
    let buffer = Buffer(owning: gst_buffer_new())
    for memory in makeMemories(bytes(of: picture)) {
      gst_buffer_append_memory(buffer.pointer, memory)
    }
    if hasVideoMeta { addVideoMeta(to: buffer) }
    return buffer
  }

  /// The bytes of the whole buffer; those between the rows are noise.
  private func bytes(of picture: Picture) -> [UInt8] {
    var random = RandomBytes(seed: 77)
    var bytes = (0..<size).map { _ in random.next() }
    for (index, plane) in layout.planes.enumerated() {
      for row in 0..<plane.rows {
        let start = offsets[index] + row * strides[index]
        bytes.replaceSubrange(
          start..<start + plane.rowBytes,
          with: picture.planes[index][row * plane.rowBytes..<(row + 1) * plane.rowBytes])
      }
    }
    return bytes
  }

  private func makeMemories(_ bytes: [UInt8]) -> [UnsafeMutablePointer<GstMemory>] {
    switch memories {
    case .one: return [makeMemory(bytes[...])]
    case .onePerPlane:
      let ends = offsets.dropFirst() + [bytes.count]
      var start = 0
      return ends.map { end in
        defer { start = end }
        return makeMemory(bytes[start..<end])
      }
    case .splitPlane:
      let cut = offsets[0] + strides[0] * (layout.planes[0].rows / 2) + 1
      return [makeMemory(bytes[..<cut]), makeMemory(bytes[cut...])]
    case .part:
      let whole = makeMemory(([7, 7, 7] + bytes + [7, 7, 7, 7, 7])[...])
      defer { gst_memory_unref(whole) }
      return [gst_memory_share(whole, 3, bytes.count)]
    case .readOnly:
      let memory = makeMemory(bytes[...])
      cast(memory, to: GstMiniObject.self).pointee.flags |= GST_MEMORY_FLAG_READONLY.rawValue
      return [memory]
    }
  }

  private func makeMemory(_ bytes: ArraySlice<UInt8>) -> UnsafeMutablePointer<GstMemory> {
    let copy = g_memdup2(Array(bytes), gsize(bytes.count))
    return gst_memory_new_wrapped(
      GstMemoryFlags(rawValue: 0), copy, gsize(bytes.count), 0, gsize(bytes.count), copy, g_free)
  }

  /// Says in a GstVideoMeta where the planes are; nothing checks that they are in the buffer.
  package func addVideoMeta(to buffer: Buffer) {
    var allOffsets = [UInt](repeating: 0, count: 4)
    var allStrides = [Int32](repeating: 0, count: 4)
    for index in offsets.indices {
      (allOffsets[index], allStrides[index]) = (UInt(offsets[index]), Int32(strides[index]))
    }
    gst_buffer_add_video_meta_full(
      buffer.pointer, GST_VIDEO_FRAME_FLAG_NONE, raster_video_format_from_string(layout.format),
      UInt32(layout.width), UInt32(layout.height), UInt32(offsets.count), &allOffsets, &allStrides)
  }
}

/// Pages of a file that the process may not write.
package final class ReadOnlyPages {
  private let address: UnsafeMutableRawPointer
  private let size: Int

  /// Nil where the system refuses.
  private init?(_ bytes: [UInt8]) {
    var path = Array("/tmp/raster-test-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { return nil }
    unlink(path)
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { return nil }
    let pages = mmap(nil, bytes.count, PROT_READ, MAP_SHARED, file, 0)
    guard let pages, pages != MAP_FAILED else { return nil }
    (address, size) = (pages, bytes.count)
  }

  deinit { munmap(address, size) }

  /// A buffer over such pages, which go with it.
  package static func buffer(_ bytes: [UInt8]) -> Buffer? {
    guard let pages = ReadOnlyPages(bytes) else { return nil }
    let size = gsize(bytes.count)
    let memory = gst_memory_new_wrapped(
      GST_MEMORY_FLAG_READONLY, pages.address, size, 0, size,
      Unmanaged.passRetained(pages).toOpaque(),
      { pages in if let pages { Unmanaged<ReadOnlyPages>.fromOpaque(pages).release() } })
    let buffer = Buffer(owning: gst_buffer_new())
    gst_buffer_append_memory(buffer.pointer, memory)
    return buffer
  }
}
