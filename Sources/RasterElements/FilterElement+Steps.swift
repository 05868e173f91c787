internal import CShim
internal import RasterGraph
internal import Synchronization

/// A step and the GstObject that users see of it.
struct StepChild: @unchecked Sendable {
  // @unchecked: the object is referenced by this value's owner and has locks of its own.
  let step: FilterStep
  let object: UnsafeMutablePointer<GstObject>
}

extension FilterElement {
  /// Replaces the list of filters; one that cannot be used is reported and changes nothing.
  func setFilters(_ text: String) {
    do throws(RasterError) {
      let children = makeChildren(try FilterList.parse(text))
      rehearse(steps: children.map(\.step.value))
      let old = steps.withLock { steps in
        let old = steps
        steps = children
        return old
      }
      settings.withLock {
        $0.filters = text
        $0.accept(.filters)
      }
      noteChange()
      for child in old { raster_step_drop(child.object) }
    } catch {
      report(error, of: .filters)
    }
  }

  /// Makes a named child of each filter: `exposure`, then `exposure-1` and so on.
  private func makeChildren(
    _ filters: [(row: Int, filter: any Filter)]
  ) -> [StepChild] {
    var counts: [String: Int] = [:]
    return transform.withMemoryRebound(to: GstObject.self, capacity: 1) { parent in
      filters.compactMap { row, filter in
        let name = type(of: filter).name
        let count = counts[name, default: 0]
        counts[name] = count + 1
        let step = FilterStep(row: row, filter, owner: self)
        let object = raster_step_new(
          raster_step_get_row_type(guint(clamping: row), name),
          count == 0 ? name : "\(name)-\(count)", Unmanaged.passRetained(step).toOpaque(), parent)
        return object.map { StepChild(step: step, object: $0) }
      }
    }
  }

  /// Lets go of all steps. Runs when the element ends.
  func dropSteps() {
    let old = steps.withLock { steps in
      let old = steps
      steps = []
      return old
    }
    for child in old { raster_step_drop(child.object) }
  }

  /// Remembers that a setting has changed: the next frame is rendered with a new program.
  ///
  /// - Parameter setting: what can be used again; nil where that is not known.
  func noteChange(of setting: FilterSettings.Setting? = nil) {
    settings.withLock {
      $0.version &+= 1
      if let setting { $0.accept(setting) }
    }
  }

  /// Tells the user of a setting that cannot be used.
  ///
  /// While the element is in NULL nobody may listen yet: then starting fails with the same words, unless
  /// the setting is mended before.
  func report(_ error: RasterError, of setting: FilterSettings.Setting) {
    Log.write(GST_LEVEL_ERROR, transform, "\(error.message) \(error.remedy)")
    let isOpen = session.withLock { $0 != nil }
    if isOpen {
      ElementError.post(error, on: transform, isFatal: false)
    } else {
      settings.withLock { $0.refuse(setting, error) }
    }
  }

  /// What happens to frames. Gathered anew only when a setting has changed.
  var work: FilterWork {
    let (version, known, chain, isLinear) = settings.withLock {
      ($0.version, $0.gathered, $0.chain, $0.isLinear)
    }
    if let known, known.version == version { return known }
    // A change meanwhile has a later version, with which the next call gathers again.
    let listed = steps.withLock { $0.map(\.step) }.map(\.value)
    let gathered = FilterWork(version: version, chain: chain, steps: listed, isLinear: isLinear)
    settings.withLock { $0.gathered = gathered }
    return gathered
  }

  /// Lets steps look at files that have changed, where the user wants that.
  func refreshSteps() {
    for child in steps.withLock({ $0 }) { child.step.refresh() }
  }

  /// Whether anything is animated.
  var isAnimated: Bool {
    let own = transform.withMemoryRebound(to: GstObject.self, capacity: 1) {
      gst_object_has_active_control_bindings($0) != 0
    }
    return own
      || steps.withLock { $0.contains { gst_object_has_active_control_bindings($0.object) != 0 } }
  }

  /// Brings animated properties to a stream time.
  func syncValues(_ time: guint64) {
    withoutRehearsal { syncAll(time) }
  }

  private func syncAll(_ time: guint64) {
    transform.withMemoryRebound(to: GstObject.self, capacity: 1) {
      _ = gst_object_sync_values($0, time)
    }
    // Referenced, since a new list may drop the objects meanwhile. Mostly there is none.
    let animated = steps.withLock { steps -> [StepChild] in
      let isAny = steps.contains { gst_object_has_active_control_bindings($0.object) != 0 }
      guard isAny else { return [] }
      let animated = steps.filter { gst_object_has_active_control_bindings($0.object) != 0 }
      for child in animated { gst_object_ref(child.object) }
      return animated
    }
    for child in animated {
      gst_object_sync_values(child.object, time)
      gst_object_unref(child.object)
    }
  }
}

@c @implementation
func raster_filter_child_count(_ pointer: gpointer?) -> guint {
  guard let element = filterElement(pointer) else { return 0 }
  return guint(clamping: element.steps.withLock { $0.count })
}

@c @implementation
func raster_filter_get_child(
  _ pointer: gpointer?, _ index: guint
) -> UnsafeMutablePointer<GObject>? {
  guard let element = filterElement(pointer) else { return nil }
  return element.steps.withLock { steps in
    guard steps.indices.contains(Int(index)) else { return nil }
    gst_object_ref(steps[Int(index)].object)
    return UnsafeMutableRawPointer(steps[Int(index)].object).assumingMemoryBound(to: GObject.self)
  }
}
