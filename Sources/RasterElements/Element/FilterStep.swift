internal import CShim
internal import RasterGraph
internal import Synchronization

/// One step of a `filters` list: a filter whose values the user may change at any time.
///
/// Thread-safety: usable from any thread.
final class FilterStep: Sendable {
  /// The row in ``FilterRegistry/all``.
  let row: Int
  private let filter: Mutex<any Filter>
  /// Held by who changes the filter, so that no change is lost.
  private let changes = Mutex(())
  /// The list that the step belongs to.
  private let list: ObjectIdentifier
  /// Told of every change and of every refused value. The step must not keep it alive.
  private let owner: StepOwnerReference

  init(row: Int, _ filter: any Filter, list: StepList, owner: StepOwnerReference) {
    self.row = row
    self.filter = Mutex(filter)
    self.list = ObjectIdentifier(list)
    self.owner = owner
  }

  var value: any Filter { filter.withLock { $0 } }

  /// Sets a parameter; a value that cannot be used is reported and changes nothing. Takes as long as compiling
  /// where frames need other kernels with it.
  func set(_ value: ParameterValue, at index: Int) {
    let setting = setting(index)
    // A copy is changed, which may read files, while frames go on with the old values.
    do throws(RasterError) {
      // Before `changes` is held, which the streaming thread may want meanwhile.
      if let owner = owner.value, owner.rehearses {
        owner.rehearse(self, as: try changed(value, at: index))
      }
      try changes.withLock { _ throws(RasterError) in
        let result = try changed(value, at: index)
        filter.withLock { $0 = result }
      }
      owner.value?.noteChange(of: setting)
    } catch {
      owner.value?.report(error, of: setting)
    }
  }

  private func setting(_ index: Int) -> ElementSetting {
    .value(list: list, step: ObjectIdentifier(self), index)
  }

  private func changed(
    _ value: ParameterValue, at index: Int
  ) throws(RasterError) -> any Filter {
    var changed = self.value
    try changed.set(value, at: index)
    try changed.load(ElementResources())
    return changed
  }

  /// Looks whether files have changed that the user wants to be watched.
  func refresh() {
    guard value.watchesFiles else { return }
    do throws(RasterError) {
      let hasChanged = try changes.withLock { _ throws(RasterError) in
        var changed = value
        // Kept also where it fails: the filter then knows the file that it cannot use.
        defer {
          let result = changed
          filter.withLock { $0 = result }
        }
        return try changed.refresh(ElementResources())
      }
      if hasChanged { owner.value?.noteChange(of: nil) }
    } catch {
      owner.value?.report(error, of: setting(0))
    }
  }
}

/// The text of a `filters` property, which GStreamer's own parser reads.
enum FilterList {
  /// The filters of a list of structures apart by semicolons, with their rows in the registry.
  ///
  /// - Throws: `invalidSetting` that names what is wrong and what would be right.
  static func parse(_ text: String) throws(RasterError) -> [(row: Int, filter: any Filter)] {
    var result: [(row: Int, filter: any Filter)] = []
    for part in split(text) {
      guard let structure = gst_structure_from_string(part, nil) else {
        throw RasterError(
          .invalidSetting, "filters: \"\(part)\" is not a filter with its values.",
          remedy: "Write filters apart by semicolons, as: exposure, ev=0.5; saturation, amount=1.2")
      }
      defer { gst_structure_free(structure) }
      let name = gst_structure_get_name(structure).map { String(cString: $0) } ?? ""
      var filter = try FilterRegistry.make(name)
      try apply(structure, part, to: &filter)
      try filter.load(ElementResources())
      let row = FilterRegistry.all.firstIndex { $0.name == name } ?? 0
      result.append((row, filter))
    }
    return result
  }

  /// Splits at the semicolons that are not within quotation marks.
  private static func split(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      if character == ";", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { String($0.drop { $0.isWhitespace }) }.filter { !$0.isEmpty }
  }

  private static func apply(
    _ structure: UnsafeMutablePointer<GstStructure>, _ part: String, to filter: inout any Filter
  ) throws(RasterError) {
    let descriptors = type(of: filter).descriptors
    for position in 0..<UInt32(clamping: gst_structure_n_fields(structure)) {
      guard let field = raster_structure_field(structure, position) else { continue }
      let name = String(cString: field)
      guard let index = descriptors.firstIndex(where: { $0.name == name }) else {
        let fields = descriptors.map { $0.name }.joined(separator: ", ")
        throw RasterError(
          .invalidSetting, "\(type(of: filter).name) has no \"\(name)\".",
          remedy: fields.isEmpty ? "It has no values." : "It has: \(fields).")
      }
      guard let value = value(structure, field, descriptors[index].kind, part) else {
        throw RasterError(
          .invalidSetting, "\(type(of: filter).name): \(name) is of the wrong type.",
          remedy: "Set it to \(descriptors[index].kind.words).")
      }
      try filter.set(value, at: index)
    }
  }

  private static func value(
    _ structure: UnsafeMutablePointer<GstStructure>, _ field: UnsafePointer<CChar>,
    _ kind: ParameterKind, _ part: String
  ) -> ParameterValue? {
    switch kind {
    case .number:
      var number = 0.0
      return raster_structure_get_double(structure, field, &number) != 0 ? .number(number) : nil
    case .toggle:
      var toggle: gboolean = 0
      return gst_structure_get_boolean(structure, field, &toggle) != 0 ? .toggle(toggle != 0) : nil
    case .text, .choice:
      if let text = gst_structure_get_string(structure, field) {
        return .text(String(cString: text))
      }
      // Words that look like a number are one to the parser, which forgets how they were written.
      return written(String(cString: field), in: part).map { .text($0) }
    }
  }

  /// The value of a field as it stands in the text, without quotation marks.
  private static func written(_ field: String, in part: String) -> String? {
    for piece in part.split(separator: ",") {
      let sides = piece.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].filter({ !$0.isWhitespace }) == field else { continue }
      return String(sides[1].filter { !$0.isWhitespace && $0 != "\"" })
    }
    return nil
  }
}
