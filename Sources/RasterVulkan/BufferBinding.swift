/// A range of a ``HostBuffer`` that a kernel sees at one binding.
package struct BufferBinding: Sendable {
  package let buffer: HostBuffer
  /// First byte, a multiple of the device's storage buffer offset alignment.
  package let offset: Int
  /// Bytes, at least 1 and at most the device's storage buffer range.
  package let size: Int

  package init(_ buffer: HostBuffer, offset: Int, size: Int) {
    self.buffer = buffer
    self.offset = offset
    self.size = size
  }
}
