internal import CShim
internal import RasterGraph
internal import Synchronization

extension ElementCore {
  /// Lets users see a new plan: in the log, and as a Graphviz file where GST_DEBUG_DUMP_DOT_DIR is set.
  func notePlan(_ plan: RenderPlan) {
    Log.write(GST_LEVEL_INFO, element, "new plan:\n\(plan)")
    guard let folder = Environment.value("GST_DEBUG_DUMP_DOT_DIR") else { return }
    let number = stats.withLock { $0.plans }
    let name = element.withMemoryRebound(to: GstObject.self, capacity: 1) { object in
      gst_object_get_name(object)
    }
    defer { g_free(name) }
    let own = name.map { String(cString: $0) } ?? "raster"
    let safe = String(own.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "_" })
    let path = "\(folder)/\(safe)-plan-\(number).dot"
    if g_file_set_contents(path, plan.dot, -1, nil) == 0 {
      Log.write(GST_LEVEL_INFO, element, "cannot write \(path)")
    }
  }
}
