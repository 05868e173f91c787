internal import RasterGraph

/// What the user has set on a `rasterfilter`: a copy is taken once for each frame.
struct FilterSettings: Hashable, Sendable {
  var chain = ColorChain()
  /// The wanted device; nil leaves the choice to `RASTER_DEVICE`, and then to us.
  var device: String?
}

/// One property of `rasterfilter`.
enum FilterProperty: Sendable {
  /// A number that can be animated.
  case number(NumberProperty)
  case device
  case stats

  /// All properties, in the order of their GObject ids.
  static let all: [FilterProperty] =
    numbers(of: VideoBalance.self, at: \.balance)
    + numbers(of: Gamma.self, at: \.gamma)
    + numbers(of: Exposure.self, at: \.exposure, named: "exposure")
    + [.device, .stats]

  /// The parameters of a filter as properties.
  ///
  /// - Parameter name: a name for the property of a filter with one parameter, if it is not to be
  ///   that of the parameter.
  private static func numbers<Filter: PointwiseFilter>(
    of filter: Filter.Type, at path: any WritableKeyPath<ColorChain, Filter> & Sendable,
    named name: String? = nil
  ) -> [FilterProperty] {
    Filter.parameters.map { parameter in
      .number(
        NumberProperty(
          name: name ?? parameter.name, nick: parameter.nick, blurb: parameter.blurb,
          range: parameter.range, defaultValue: parameter.defaultValue,
          get: { $0[keyPath: path][keyPath: parameter.value] },
          set: { $0[keyPath: path][keyPath: parameter.value] = $1 }))
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
  let get: @Sendable (ColorChain) -> Double
  let set: @Sendable (inout ColorChain, Double) -> Void
}
