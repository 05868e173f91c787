/// One number that a user sets on a filter: its name, its range and where its value is kept.
///
/// Properties, their documentation and the tests over a filter's whole range come from this.
package struct Parameter<Filter>: Sendable {
  /// Lower case with dashes.
  package let name: String
  /// A short title.
  package let nick: String
  /// One sentence with the unit and the meaning of the extremes.
  package let blurb: String
  package let range: ClosedRange<Double>
  package let defaultValue: Double
  package let value: any WritableKeyPath<Filter, Double> & Sendable

  package init(
    _ name: String, _ nick: String, _ blurb: String, _ range: ClosedRange<Double>,
    default defaultValue: Double, _ value: any WritableKeyPath<Filter, Double> & Sendable
  ) {
    self.name = name
    self.nick = nick
    self.blurb = blurb
    self.range = range
    self.defaultValue = defaultValue
    self.value = value
  }
}
