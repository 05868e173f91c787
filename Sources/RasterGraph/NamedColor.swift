/// A color as users write it.
struct NamedColor: Hashable, Sendable {
  /// Nonlinear R'G'B' and alpha in 0…1.
  let channels: [Double]

  var isOpaque: Bool { channels.last == 1 }

  private static let names: [String: UInt32] = [
    "black": 0xff00_0000, "white": 0xffff_ffff, "red": 0xffff_0000, "green": 0xff00_8000,
    "lime": 0xff00_ff00, "blue": 0xff00_00ff, "yellow": 0xffff_ff00, "cyan": 0xff00_ffff,
    "magenta": 0xffff_00ff, "gray": 0xff80_8080, "orange": 0xffff_a500, "transparent": 0,
  ]

  static let form =
    "a name (\(names.keys.sorted().joined(separator: ", "))), 0xRRGGBB, 0xAARRGGBB, #RRGGBB or "
    + "#RRGGBBAA"

  /// Black where the text is no color; settings are checked before.
  init(_ text: String) { channels = NamedColor.parse(text) ?? [0, 0, 0, 1] }

  private static func parse(_ text: String) -> [Double]? {
    if let known = names[text.lowercased()] { return split(known) }
    if text.hasPrefix("0x"), let number = UInt32(text.dropFirst(2), radix: 16) {
      switch text.count {
      case 8: return split(number | 0xff00_0000)
      case 10: return split(number)
      default: return nil
      }
    }
    if text.hasPrefix("#"), let number = UInt32(text.dropFirst(), radix: 16) {
      switch text.count {
      case 7: return split(number | 0xff00_0000)
      case 9: return split(number >> 8 | number << 24)
      default: return nil
      }
    }
    return nil
  }

  private static func split(_ argb: UInt32) -> [Double] {
    [16, 8, 0, 24].map { Double((argb >> UInt32($0)) & 0xff) / 255 }
  }

  /// What is wrong with the colors of a filter.
  static func problem(_ filter: String, _ texts: [String]) -> RasterError? {
    guard let wrong = texts.first(where: { parse($0) == nil }) else { return nil }
    return RasterError(
      .invalidSetting, "\(filter): \"\(wrong)\" is not a color.", remedy: "Write \(form).")
  }
}

extension Parameter {
  /// A color.
  static func color(
    _ name: String, _ nick: String, _ blurb: String, default defaultValue: String,
    _ path: any WritableKeyPath<Filter, String> & Sendable
  ) -> Parameter {
    .text(name, nick, "\(blurb): \(NamedColor.form)", default: defaultValue, path)
  }
}
