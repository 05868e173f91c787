/// What kind of value a parameter has, and which values are allowed.
package enum ParameterKind: Hashable, Sendable {
  /// A number that can be animated.
  case number(ClosedRange<Double>, default: Double)
  case toggle(default: Bool)
  /// Words whose form the filter checks.
  case text(default: String)
  /// One of a few words.
  case choice([String], default: String)
}

/// The value of a parameter of any kind.
package enum ParameterValue: Hashable, Sendable {
  case number(Double)
  case toggle(Bool)
  case text(String)
}

/// One thing that a user sets on a filter: its name, its range and where its value is kept.
///
/// Properties, their documentation and the tests over a filter's whole range come from this.
package struct Parameter<Filter>: Sendable {
  /// Lower case with dashes.
  package let name: String
  /// A short title.
  package let nick: String
  /// One sentence with the unit and the meaning of the extremes.
  package let blurb: String
  package let kind: ParameterKind
  package let get: @Sendable (Filter) -> ParameterValue
  /// Ignores a value of another kind.
  package let set: @Sendable (inout Filter, ParameterValue) -> Void

  /// A number.
  package static func number(
    _ name: String, _ nick: String, _ blurb: String, _ range: ClosedRange<Double>,
    default defaultValue: Double, _ path: any WritableKeyPath<Filter, Double> & Sendable
  ) -> Parameter {
    Parameter(
      name: name, nick: nick, blurb: blurb, kind: .number(range, default: defaultValue),
      get: { .number($0[keyPath: path]) },
      set: { if case .number(let value) = $1 { $0[keyPath: path] = value } })
  }

  /// A choice between yes and no.
  package static func toggle(
    _ name: String, _ nick: String, _ blurb: String, default defaultValue: Bool,
    _ path: any WritableKeyPath<Filter, Bool> & Sendable
  ) -> Parameter {
    Parameter(
      name: name, nick: nick, blurb: blurb, kind: .toggle(default: defaultValue),
      get: { .toggle($0[keyPath: path]) },
      set: { if case .toggle(let value) = $1 { $0[keyPath: path] = value } })
  }

  /// Words.
  package static func text(
    _ name: String, _ nick: String, _ blurb: String, default defaultValue: String = "",
    _ path: any WritableKeyPath<Filter, String> & Sendable
  ) -> Parameter {
    Parameter(
      name: name, nick: nick, blurb: blurb, kind: .text(default: defaultValue),
      get: { .text($0[keyPath: path]) },
      set: { if case .text(let value) = $1 { $0[keyPath: path] = value } })
  }

  /// One of a few words.
  package static func choice(
    _ name: String, _ nick: String, _ blurb: String, _ words: [String],
    default defaultValue: String, _ path: any WritableKeyPath<Filter, String> & Sendable
  ) -> Parameter {
    Parameter(
      name: name, nick: nick, blurb: blurb, kind: .choice(words, default: defaultValue),
      get: { .text($0[keyPath: path]) },
      set: { if case .text(let value) = $1 { $0[keyPath: path] = value } })
  }
}
