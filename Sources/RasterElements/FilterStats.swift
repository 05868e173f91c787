internal import CShim

/// What a `rasterfilter` has done since READY→PAUSED; the `stats` property shows it.
struct FilterStats: Hashable, Sendable {
  var frames: UInt64 = 0
  var passesPerFrame: UInt64 = 0
  var imports: UInt64 = 0
  var copies: UInt64 = 0
  var pipelines: UInt64 = 0
  /// Plans whose structure was new.
  var plans: UInt64 = 0
  /// Buffers of the device that were allocated between and beside frames.
  var allocations: UInt64 = 0
  /// Nanoseconds of device time of all frames.
  var deviceTime: UInt64 = 0
  var device = ""

  /// Adds what a frame cost.
  mutating func add(_ frame: FilterStats) {
    frames += frame.frames
    passesPerFrame = frame.passesPerFrame
    imports += frame.imports
    copies += frame.copies
    pipelines += frame.pipelines
    plans += frame.plans
    allocations += frame.allocations
    deviceTime += frame.deviceTime
  }

  /// A new GstStructure that the caller owns.
  func makeStructure() -> UnsafeMutablePointer<GstStructure>? {
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
    raster_structure_set_string(structure, "device", device)
    return structure
  }
}
