// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the C header.
internal import CShim
internal import RasterVideo
internal import RasterVulkan

// The functions that the allocator's GType calls.

@c @implementation
func raster_allocator_allocate(
  _ context: gpointer?, _ size: gsize, _ address: UnsafeMutablePointer<gpointer?>?
) -> gpointer? {
  guard let context, let size = Int(exactly: size) else { return nil }
  let source = Unmanaged<MemorySource>.fromOpaque(context).takeUnretainedValue()
  guard let buffer = source.allocate(size) else { return nil }
  address?.pointee = buffer.address
  return Unmanaged.passRetained(buffer).toOpaque()
}

@c @implementation
func raster_allocator_release(_ context: gpointer?) {
  guard let context else { return }
  Unmanaged<MemorySource>.fromOpaque(context).release()
}

@c @implementation
func raster_memory_release(_ buffer: gpointer?) {
  guard let buffer else { return }
  Unmanaged<HostBuffer>.fromOpaque(buffer).release()
}
