// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the C header.
internal import CShim
internal import RasterVideo

// The functions that the pool's GType calls.

private func poolMonitor(_ pointer: gpointer?) -> PoolMonitor? {
  pointer.map { Unmanaged<PoolMonitor>.fromOpaque($0).takeUnretainedValue() }
}

@c @implementation
func raster_pool_begin_wait(_ monitor: gpointer?) -> gpointer? {
  poolMonitor(monitor).map { Unmanaged.passRetained($0.beginWait()).toOpaque() }
}

@c @implementation
func raster_pool_end_wait(_ monitor: gpointer?, _ wait: gpointer?) {
  guard let wait else { return }
  let ended = Unmanaged<PoolWait>.fromOpaque(wait).takeRetainedValue()
  poolMonitor(monitor)?.end(ended)
}

@c @implementation
func raster_pool_did_acquire(_ monitor: gpointer?) -> guint {
  guint(clamping: poolMonitor(monitor)?.didAcquire() ?? 0)
}

@c @implementation
func raster_pool_did_release(_ monitor: gpointer?) -> guint {
  guint(clamping: poolMonitor(monitor)?.didRelease() ?? 0)
}

@c @implementation
func raster_pool_release(_ monitor: gpointer?) {
  guard let monitor else { return }
  Unmanaged<PoolMonitor>.fromOpaque(monitor).release()
}
