import RasterGraph

extension Filter {
  /// The list that the filter's picture shows.
  static var exampleList: String { example.isEmpty ? name : "\(name), \(example)" }

  /// What docs/filters.md has about the filter.
  static var section: String {
    """
    ### \(name)

    \(blurb).

    ![\(name)](filters/\(name).png)

    ```sh
    \(FilterPage.launch(exampleList))
    ```

    \(descriptors.isEmpty ? "It has no values." : table)
    """
  }

  private static var table: String {
    """
    | value | type and range | default | meaning | animated |
    |---|---|---|---|---|

    """
      + descriptors.map { parameter in
        let cells = [
          "`\(parameter.name)`", parameter.kind.type, parameter.kind.standard, parameter.blurb,
          parameter.kind.isAnimated ? "yes" : "no",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
      }.joined(separator: "\n")
  }
}

extension ParameterKind {
  fileprivate var type: String {
    switch self {
    case .number(let range, _): "number \(short(range.lowerBound)) … \(short(range.upperBound))"
    case .toggle: "true or false"
    case .text: "text"
    case .choice(let words, _): "one of " + words.map { "`\($0)`" }.joined(separator: ", ")
    }
  }

  /// The default.
  fileprivate var standard: String {
    switch self {
    case .number(_, let number): short(number)
    case .toggle(let toggle): "\(toggle)"
    case .text(let text), .choice(_, let text): text.isEmpty ? "empty" : "`\(text)`"
    }
  }

  fileprivate var isAnimated: Bool {
    if case .number = self { true } else { false }
  }
}

/// A number as short as it can be.
private func short(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
