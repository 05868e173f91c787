internal import CShim
internal import RasterVideo
internal import Synchronization

/// What an element has done since READY→PAUSED; the `stats` property shows it.
struct ElementStats: Hashable, Sendable {
  /// Requests that were begun.
  var frames: UInt64 = 0
  var passesPerFrame: UInt64 = 0
  var imports: UInt64 = 0
  var copies: UInt64 = 0
  var pipelines: UInt64 = 0
  /// Plans whose structure was new.
  var plans: UInt64 = 0
  /// Buffers of the device that were allocated between and beside frames.
  var allocations: UInt64 = 0
  /// Nanoseconds of device time of the frames that are done, but for the last few.
  var deviceTime: UInt64 = 0
  /// Requests by how they ended; what is missing is under way.
  var rendered: UInt64 = 0
  var failed: UInt64 = 0
  var cancelled: UInt64 = 0
  var device = ""

  init(device: String = "") { self.device = device }

  /// Adds what a frame cost.
  mutating func add(_ frame: ElementStats) {
    passesPerFrame = frame.passesPerFrame
    imports += frame.imports
    copies += frame.copies
    pipelines += frame.pipelines
    plans += frame.plans
    allocations += frame.allocations
    deviceTime += frame.deviceTime
  }

  /// A new GstStructure that the caller owns.
  ///
  /// - Parameter pools: where output frames come from.
  func makeStructure(_ pools: ElementPools) -> UnsafeMutablePointer<GstStructure>? {
    guard let structure = gst_structure_new_empty("raster-stats") else { return nil }
    func set(_ field: String, _ value: UInt64) {
      raster_structure_set_uint64(structure, field, guint64(value))
    }
    set("frames", frames)
    set("passes-per-frame", passesPerFrame)
    set("imports", imports)
    set("copies", copies)
    set("pipelines", pipelines)
    set("plans", plans)
    set("allocations", allocations)
    set("gpu-time", deviceTime)
    set("gpu-time-per-frame", frames > 0 ? deviceTime / frames : 0)
    set("rendered", rendered)
    set("failed", failed)
    set("cancelled", cancelled)
    let (pool, counts) = (pools.output, pools.counts)
    set("pool-bound", UInt64(clamping: pool?.bound ?? 0))
    set("pool-size", UInt64(clamping: pool?.memories?.live ?? 0))
    set("pool-peak", UInt64(clamping: pool?.memories?.peak ?? 0))
    set("pool-in-use", UInt64(clamping: counts.inUse))
    set("pool-waits", counts.waits)
    set("pool-wait-time", counts.waitTime)
    raster_structure_set_string(structure, "device", device)
    return structure
  }
}

extension ElementCore {
  /// The `stats` property: a new GstStructure that the caller owns.
  func makeStatistics() -> UnsafeMutablePointer<GstStructure>? {
    let pools = pools.withLock { $0 }
    return stats.withLock { $0 }.makeStructure(pools)
  }
}
