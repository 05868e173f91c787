// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names of functions for C are those of the header.
internal import CShim
internal import RasterGraph
internal import Synchronization

extension FilterElement: StepOwner {
  func noteChange(of setting: ElementSetting?) {
    settings.withLock { $0.version &+= 1 }
    if let setting { core.settings.withLock { $0.accept(setting) } }
  }

  func report(_ error: RasterError, of setting: ElementSetting) { core.report(error, of: setting) }

  /// What happens to frames. Gathered anew only when a setting has changed.
  var work: FilterWork {
    let (version, known, chain, isLinear) = settings.withLock {
      ($0.version, $0.gathered, $0.chain, $0.isLinear)
    }
    if let known, known.version == version { return known }
    // A change meanwhile has a later version, with which the next call gathers again.
    let gathered = FilterWork(
      version: version, chain: chain, steps: steps.filters, isLinear: isLinear)
    settings.withLock { $0.gathered = gathered }
    return gathered
  }

  /// Whether anything is animated.
  var isAnimated: Bool {
    let own = transform.withMemoryRebound(to: GstObject.self, capacity: 1) {
      gst_object_has_active_control_bindings($0) != 0
    }
    return own || steps.isAnimated
  }

  /// Brings animated properties to a stream time.
  func syncValues(_ time: guint64) {
    withoutRehearsal {
      transform.withMemoryRebound(to: GstObject.self, capacity: 1) {
        _ = gst_object_sync_values($0, time)
      }
      steps.syncValues(time)
    }
  }
}

@c @implementation
func raster_filter_child_count(_ pointer: gpointer?) -> guint {
  guint(clamping: filterElement(pointer)?.steps.count ?? 0)
}

@c @implementation
func raster_filter_get_child(
  _ pointer: gpointer?, _ index: guint
) -> UnsafeMutablePointer<GObject>? {
  filterElement(pointer)?.steps.child(at: Int(index))
}
