internal import CShim
internal import RasterGraph
internal import Synchronization

/// A step and the GstObject that users see of it.
struct StepChild: @unchecked Sendable {
  // @unchecked: the object is referenced by this value's owner and has locks of its own.
  let step: FilterStep
  let object: UnsafeMutablePointer<GstObject>
}

/// Who has a list of steps, and is told what happens to them. Thread-safety: usable from any thread.
protocol StepOwner: AnyObject, Sendable {
  /// Whether a change of settings by this thread is tried before it counts.
  var rehearses: Bool { get }
  /// Compiles what frames need with a new list; called without locks.
  func rehearse(_ steps: [any Filter], of list: StepList)
  /// The same where one step is to become another filter.
  func rehearse(_ step: FilterStep, as filter: any Filter)
  /// Called when the next frame has to be rendered with a new program.
  ///
  /// - Parameter setting: what can be used again; nil where that is not known.
  func noteChange(of setting: ElementSetting?)
  /// Called with a setting that cannot be used.
  func report(_ error: RasterError, of setting: ElementSetting)
}

/// A weak reference to whoever has a list.
struct StepOwnerReference: Sendable {
  weak let value: (any StepOwner)?
}

/// The filters of a `filters` property, and the objects that users see of them.
///
/// Thread-safety: usable from any thread.
final class StepList: @unchecked Sendable {
  // @unchecked: the pointer is set once, to an object that outlives the list.
  private let parent: UnsafeMutablePointer<GstObject>
  private let ownerReference = Mutex(StepOwnerReference(value: nil))
  /// In their order.
  private let children = Mutex<[StepChild]>([])
  /// The list that was set last and could be used.
  private let words = Mutex("")

  /// - Parameter parent: the object that the steps are children of.
  init(of parent: UnsafeMutablePointer<GstObject>) { self.parent = parent }

  /// Tells `owner` from now on. Called once, by it.
  func belongs(to owner: any StepOwner) {
    ownerReference.withLock { $0 = StepOwnerReference(value: owner) }
  }

  private var owner: StepOwnerReference { ownerReference.withLock { $0 } }

  /// The names of all filters, as documentation lists them.
  static var names: String { FilterRegistry.all.map { $0.name }.joined(separator: ", ") }

  var text: String { words.withLock { $0 } }

  /// The filters as they are now.
  var filters: [any Filter] { steps.map(\.value) }

  var steps: [FilterStep] { children.withLock { $0.map(\.step) } }

  /// Replaces the list; one that cannot be used is reported and changes nothing.
  func set(_ text: String) {
    do throws(RasterError) {
      let made = makeChildren(try FilterList.parse(text))
      if let owner = owner.value, owner.rehearses {
        owner.rehearse(made.map(\.step.value), of: self)
      }
      let old = exchange(made)
      words.withLock { $0 = text }
      owner.value?.noteChange(of: .filters(ObjectIdentifier(self)))
      for child in old { raster_step_drop(child.object) }
    } catch {
      owner.value?.report(error, of: .filters(ObjectIdentifier(self)))
    }
  }

  /// Lets go of all steps. Runs when the parent ends.
  func drop() { for child in exchange([]) { raster_step_drop(child.object) } }

  private func exchange(_ new: [StepChild]) -> [StepChild] {
    children.withLock { children in
      let old = children
      children = new
      return old
    }
  }

  /// Makes a named child of each filter: `exposure`, then `exposure-1` and so on.
  private func makeChildren(
    _ filters: [(row: Int, filter: any Filter)]
  ) -> [StepChild] {
    var counts: [String: Int] = [:]
    return filters.compactMap { row, filter in
      let name = type(of: filter).name
      let count = counts[name, default: 0]
      counts[name] = count + 1
      let step = FilterStep(row: row, filter, list: self, owner: owner)
      let object = raster_step_new(
        raster_step_get_row_type(guint(clamping: row), name),
        count == 0 ? name : "\(name)-\(count)", Unmanaged.passRetained(step).toOpaque(), parent)
      return object.map { StepChild(step: step, object: $0) }
    }
  }
}

// MARK: - Before a frame

extension StepList {
  /// Lets steps look at files that have changed, where the user wants that.
  func refresh() { for child in children.withLock({ $0 }) { child.step.refresh() } }

  /// Whether anything is animated.
  var isAnimated: Bool {
    children.withLock { $0.contains { gst_object_has_active_control_bindings($0.object) != 0 } }
  }

  /// Brings animated values to a stream time.
  func syncValues(_ time: guint64) {
    // Referenced, since a new list may drop the objects meanwhile. Mostly there is none.
    let animated = children.withLock { children -> [StepChild] in
      let isAny = children.contains { gst_object_has_active_control_bindings($0.object) != 0 }
      guard isAny else { return [] }
      let animated = children.filter { gst_object_has_active_control_bindings($0.object) != 0 }
      for child in animated { gst_object_ref(child.object) }
      return animated
    }
    for child in animated {
      gst_object_sync_values(child.object, time)
      gst_object_unref(child.object)
    }
  }
}

// MARK: - GstChildProxy

extension StepList {
  var count: Int { children.withLock { $0.count } }

  /// A new reference to a child; nil beyond the last.
  func child(at index: Int) -> UnsafeMutablePointer<GObject>? {
    children.withLock { children in
      guard children.indices.contains(index) else { return nil }
      gst_object_ref(children[index].object)
      return UnsafeMutableRawPointer(children[index].object).assumingMemoryBound(to: GObject.self)
    }
  }
}
