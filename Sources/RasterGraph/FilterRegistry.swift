/// All filters. One row each; properties, documentation and tests derive from it.
package enum FilterRegistry {
  package static let all: [any Filter.Type] = [
    Blend.self, BlendWithMask.self, BoxBlur.self, Bulge.self, Checkerboard.self, Clahe.self,
    ColorInvert.self, ColorMatrix.self, Crop.self, Exposure.self, Flip.self, Gamma.self,
    GaussianBlur.self, HistogramEqualize.self, LinearGradient.self, Lut.self, Opacity.self,
    Pixellate.self,
    Rotate.self, Saturation.self, Scale.self, Shader.self, Sobel.self, SolidColor.self,
    ToneCurve.self,
    Transform.self, Unsharp.self, Vibrance.self, VideoBalance.self,
  ]

  /// The filter of that name at its defaults.
  ///
  /// - Throws: `invalidSetting` with the names that there are.
  package static func make(_ name: String) throws(RasterError) -> any Filter {
    guard let type = all.first(where: { $0.name == name }) else {
      let names = all.map { $0.name }.joined(separator: ", ")
      throw RasterError(
        .invalidSetting, "There is no filter \"\(name)\".", remedy: "Filters are: \(names).")
    }
    return type.init()
  }
}

/// A parameter without the type of its filter.
package struct ParameterDescriptor: Hashable, Sendable {
  package let name: String
  package let nick: String
  package let blurb: String
  package let kind: ParameterKind

  /// The blurb with the words that may be chosen.
  package var fullBlurb: String {
    guard case .choice(let words, _) = kind else { return blurb }
    return "\(blurb); one of: \(words.joined(separator: ", "))"
  }
}

extension Filter {
  /// The parameters, without the type of the filter.
  package static var descriptors: [ParameterDescriptor] {
    parameters.map {
      ParameterDescriptor(name: $0.name, nick: $0.nick, blurb: $0.blurb, kind: $0.kind)
    }
  }

  /// The value of the parameter at an index of ``descriptors``; nil beyond them.
  package func value(at index: Int) -> ParameterValue? {
    Self.parameters.indices.contains(index) ? Self.parameters[index].get(self) : nil
  }

  /// Sets the parameter at an index of ``descriptors``.
  ///
  /// - Throws: `invalidSetting` where the value is of another kind, out of range, or not
  ///   understood; the filter then stays as it was.
  package mutating func set(_ value: ParameterValue, at index: Int) throws(RasterError) {
    guard Self.parameters.indices.contains(index) else { return }
    let parameter = Self.parameters[index]
    try Self.check(value, parameter.kind, parameter.name)
    var changed = self
    parameter.set(&changed, value)
    if let problem = changed.problem { throw problem }
    self = changed
  }

  private static func check(
    _ value: ParameterValue, _ kind: ParameterKind, _ field: String
  ) throws(RasterError) {
    switch (kind, value) {
    case (.number(let range, _), .number(let number)):
      guard range.contains(number) else {
        throw RasterError(
          .invalidSetting, "\(name): \(field)=\(number) is out of range.",
          remedy: "Set it to \(range.lowerBound) … \(range.upperBound).")
      }
    case (.toggle, .toggle), (.text, .text): break
    case (.choice(let words, _), .text(let word)):
      guard words.contains(word) else {
        throw RasterError(
          .invalidSetting, "\(name): \(field) cannot be \"\(word)\".",
          remedy: "Set it to one of: \(words.joined(separator: ", ")).")
      }
    default:
      throw RasterError(
        .invalidSetting, "\(name): \(field) cannot be \(value.words).",
        remedy: "Set it to \(kind.words).")
    }
  }
}

extension ParameterKind {
  /// What a user should write.
  package var words: String {
    switch self {
    case .number(let range, _): "a number in \(range.lowerBound) … \(range.upperBound)"
    case .toggle: "true or false"
    case .text: "a string"
    case .choice(let words, _): "one of: \(words.joined(separator: ", "))"
    }
  }
}

extension ParameterValue {
  fileprivate var words: String {
    switch self {
    case .number(let number): "the number \(number)"
    case .toggle(let toggle): "\(toggle)"
    case .text(let text): "the string \"\(text)\""
    }
  }
}
