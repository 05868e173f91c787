internal import RasterGraph

/// What users set on every element of this plugin.
struct ElementSettings: Sendable {
  /// Frames that may exist for downstream; 0 for as many as it takes.
  var maxBuffers = 0
  /// The wanted device; nil leaves the choice to `RASTER_DEVICE`, and then to us.
  var device: String?
  /// What was wrong with settings while the element was in NULL, the last value of each.
  private(set) var refused: [(setting: ElementSetting, error: RasterError)] = []

  /// Notes that a setting cannot be used.
  mutating func refuse(_ setting: ElementSetting, _ error: RasterError) {
    accept(setting)
    refused.append((setting, error))
  }

  /// Notes that a setting can be used. A list that can be takes its old steps' values with it.
  mutating func accept(_ setting: ElementSetting) {
    refused.removeAll { own in
      if own.setting == setting { return true }
      if case .filters(let list) = setting, case .value(list, _, _) = own.setting { return true }
      return false
    }
  }
}

/// What a user sets; each has one value, or is refused for one reason.
enum ElementSetting: Hashable, Sendable {
  /// A list of filters, by its ``StepList``.
  case filters(ObjectIdentifier)
  /// A property of the element or of a pad, by what has it and its name.
  case property(ObjectIdentifier, String)
  /// A value of a step: the list, the step, and the value's place among the filter's.
  case value(list: ObjectIdentifier, step: ObjectIdentifier, Int)
}
