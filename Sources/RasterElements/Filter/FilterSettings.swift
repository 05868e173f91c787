internal import RasterGraph

/// What the user has set on a `rasterfilter`: a copy is taken once for each frame.
struct FilterSettings: Sendable {
  var chain = ColorChain()
  /// Counts the changes of all settings, those of steps included.
  var version: UInt64 = 0
  /// The filters as they were at a version.
  var gathered: FilterWork?
  /// Whether scaling, blurring and blending work on light.
  var isLinear = false
}

/// One property of `rasterfilter`.
enum FilterProperty: Sendable {
  /// A number that can be animated.
  case number(NumberProperty)
  case filters
  case workingSpace
  case device
  case maxBuffers
  case stats

  /// All properties, in the order of their GObject ids.
  static let all: [FilterProperty] =
    numbers(of: VideoBalance.self, at: \.balance)
    + numbers(of: Gamma.self, at: \.gamma)
    + numbers(of: Exposure.self, at: \.exposure, named: "exposure")
    + [.filters, .workingSpace, .device, .maxBuffers, .stats]

  /// The parameters of a filter as properties.
  ///
  /// - Parameter name: a name for the property of a filter with one parameter, if it is not to be
  ///   that of the parameter.
  private static func numbers<Filter: RasterGraph.Filter>(
    of filter: Filter.Type, at path: any WritableKeyPath<ColorChain, Filter> & Sendable,
    named name: String? = nil
  ) -> [FilterProperty] {
    Filter.parameters.compactMap { parameter in
      guard case .number(let range, let defaultValue) = parameter.kind else { return nil }
      return .number(
        NumberProperty(
          name: name ?? parameter.name, nick: parameter.nick, blurb: parameter.blurb,
          range: range, defaultValue: defaultValue,
          get: { parameter.get($0[keyPath: path]) },
          set: { parameter.set(&$0[keyPath: path], $1) }))
    }
  }
}

/// A property that is a number of the color chain.
struct NumberProperty: Sendable {
  let name: String
  let nick: String
  let blurb: String
  let range: ClosedRange<Double>
  let defaultValue: Double
  let get: @Sendable (ColorChain) -> ParameterValue
  let set: @Sendable (inout ColorChain, ParameterValue) -> Void
}
