internal import CShim
internal import Glibc
internal import RasterGraph
internal import Synchronization

extension FilterElement {
  /// Lets users see a new plan: in the log, and as a Graphviz file where GST_DEBUG_DUMP_DOT_DIR is set.
  func notePlan(_ plan: RenderPlan) {
    Log.write(GST_LEVEL_INFO, transform, "new plan:\n\(plan)")
    guard let folder = Environment.value("GST_DEBUG_DUMP_DOT_DIR") else { return }
    let number = stats.withLock { $0.plans }
    let name = transform.withMemoryRebound(to: GstObject.self, capacity: 1) { object in
      gst_object_get_name(object)
    }
    defer { g_free(name) }
    let own = name.map { String(cString: $0) } ?? "rasterfilter"
    let safe = String(own.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "_" })
    let path = "\(folder)/\(safe)-plan-\(number).dot"
    guard let file = fopen(path, "w") else {
      Log.write(GST_LEVEL_INFO, transform, "cannot write \(path)")
      return
    }
    let text = plan.dot
    text.withCString { _ = fputs($0, file) }
    fclose(file)
  }
}
