// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the C header.
internal import CShim
internal import RasterGraph
internal import RasterRender
internal import RasterVideo

// The functions that the allocator's GType calls.

@c @implementation
func raster_allocator_allocate(_ context: gpointer?, _ size: gsize) -> gpointer? {
  guard let context, let size = Int(exactly: size) else { return nil }
  let source = Unmanaged<MemorySource>.fromOpaque(context).takeUnretainedValue()
  return source.allocate(size).map { Unmanaged.passRetained($0).toOpaque() }
}

@c @implementation
func raster_allocator_release(_ context: gpointer?) {
  guard let context else { return }
  Unmanaged<MemorySource>.fromOpaque(context).release()
}

@c @implementation
func raster_memory_release(_ frame: gpointer?) {
  guard let frame else { return }
  Unmanaged<PooledMemory>.fromOpaque(frame).release()
}

@c @implementation
func raster_memory_map(_ frame: gpointer?) -> gpointer? {
  guard let frame else { return nil }
  let own = Unmanaged<PooledMemory>.fromOpaque(frame).takeUnretainedValue()
  do throws(RasterError) {
    return try own.memory.map()
  } catch {
    Log.write(GST_LEVEL_ERROR, nil, "a frame cannot be read: \(error.message) \(error.remedy)")
    return nil
  }
}

@c @implementation
func raster_memory_unmap(_ frame: gpointer?, _ wasWritten: gboolean) {
  guard let frame else { return }
  Unmanaged<PooledMemory>.fromOpaque(frame).takeUnretainedValue().memory
    .unmap(wasWritten: wasWritten != 0)
}
