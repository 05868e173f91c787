/// How the color of a source changes that of the backdrop that it lies on. One row each; properties,
/// documentation and tests derive from the list.
///
/// The definitions are those of W3C "Compositing and Blending Level 1" (2015), sections 10.1
/// (separable modes) and 10.2 (others), and MetalPetal's for the modes that the standard lacks.
/// Where both define a mode, the standard's one is used. They differ in the luma weights, which are
/// 0.3, 0.59 and 0.11 here and those of BT.601 there, and in that the standard draws colors in from
/// both ends of the range; dodge and burn have the same exceptions at 0 and 1 in both. MetalPetal's
/// own modes keep its choices: `vivid-light` follows a source of 0 or 1 whatever the backdrop is,
/// `darker-color` and `lighter-color` take the luma of BT.601 and the backdrop on a tie, and
/// `hard-mix` is 0.5 on a tie. A tie is a distance of up to 5e-7, since rounding would otherwise
/// decide, differently from device to device.
///
/// A mode gives a color alone. What alpha makes of it is in the standard's "General Formula for
/// Compositing and Blending": `Cs' = (1 - αb) × Cs + αb × B(Cb, Cs)`, then source-over of `Cs'`.
package struct BlendMode: Hashable, Sendable {
  /// The name that users write: lower case with dashes.
  package let name: String
  /// One sentence with the formula in words.
  package let blurb: String
  /// The file in `Shaders/`, without its ending.
  package let source: String
  /// The function in that file.
  ///
  /// Of a separable mode it is `vec4 f(vec4 b, vec4 s)`, called for each channel with backdrop and
  /// source of four pixels. Of any other it is `void f(inout vec4 r, inout vec4 g, inout vec4 b,
  /// vec4 sr, vec4 sg, vec4 sb)`, which turns the backdrop into the result.
  package let function: String
  /// Whether each channel of the result depends on that channel alone.
  package let isSeparable: Bool

  /// The source, whatever the backdrop: what alpha alone decides.
  package static let normal = separable(
    "normal", "Normal", "The source, whatever the backdrop")

  /// All modes: those of the standard in its order, then the others.
  package static let all: [BlendMode] = [normal] + standard + colors + others

  /// The mode of that name.
  ///
  /// - Throws: `invalidSetting` with the names that there are.
  package static func named(_ name: String) throws(RasterError) -> BlendMode {
    guard let mode = all.first(where: { $0.name == name }) else {
      let names = all.map(\.name).joined(separator: ", ")
      throw RasterError(
        .invalidSetting, "There is no blend mode \"\(name)\".",
        remedy: "Blend modes are: \(names).")
    }
    return mode
  }

  private static func separable(_ name: String, _ function: String, _ blurb: String) -> BlendMode {
    BlendMode(
      name: name, blurb: blurb, source: "Blend/\(function)", function: function, isSeparable: true)
  }

  private static func whole(
    _ name: String, _ function: String, in file: String, _ blurb: String
  ) -> BlendMode {
    BlendMode(
      name: name, blurb: blurb, source: "Blend/\(file)", function: function, isSeparable: false)
  }
}

// MARK: - The rows

extension BlendMode {
  /// W3C Compositing and Blending Level 1, section 10.1.
  private static let standard = [
    separable("multiply", "Multiply", "The product of backdrop and source"),
    separable("screen", "Screen", "The complement of the product of the complements"),
    separable(
      "overlay", "Overlay", "Multiply where the backdrop is dark, screen where it is light"),
    separable("darken", "Darken", "The darker of backdrop and source, for each channel"),
    separable("lighten", "Lighten", "The lighter of backdrop and source, for each channel"),
    separable("color-dodge", "ColorDodge", "The backdrop divided by the complement of the source"),
    separable(
      "color-burn", "ColorBurn",
      "The complement of the backdrop's complement divided by the source"),
    separable(
      "hard-light", "HardLight", "Multiply where the source is dark, screen where it is light"),
    separable(
      "soft-light", "SoftLight", "The backdrop darkened or lightened softly, as the source is"),
    separable("difference", "Difference", "The distance of backdrop and source"),
    separable("exclusion", "Exclusion", "The sum of backdrop and source less twice their product"),
  ]

  /// W3C Compositing and Blending Level 1, section 10.2.
  private static let colors = [
    whole(
      "hue", "Hue", in: "NonSeparable", "The source's hue with the backdrop's saturation and luma"),
    whole(
      "saturation", "Saturation", in: "NonSeparable",
      "The source's saturation with the backdrop's hue and luma"),
    whole(
      "color", "Color", in: "NonSeparable",
      "The source's hue and saturation with the backdrop's luma"),
    whole(
      "luminosity", "Luminosity", in: "NonSeparable",
      "The source's luma with the backdrop's hue and saturation"),
  ]

  /// MetalPetal's further modes.
  private static let others = [
    separable("linear-burn", "LinearBurn", "The sum of backdrop and source less 1"),
    separable("add", "Add", "The sum of backdrop and source"),
    whole(
      "darker-color", "DarkerColor", in: "DarkerColor",
      "The one of backdrop and source that has the lower luma"),
    whole(
      "lighter-color", "LighterColor", in: "LighterColor",
      "The one of backdrop and source that has the higher luma"),
    separable(
      "vivid-light", "VividLight",
      "Color-burn with twice a dark source, color-dodge with twice a light one less 1"),
    separable(
      "linear-light", "LinearLight", "The sum of the backdrop and twice the source, less 1"),
    separable(
      "pin-light", "PinLight",
      "Darken with twice a dark source, lighten with twice a light one less 1"),
    separable(
      "hard-mix", "HardMix",
      "0 or 1 for each channel, as the sum of backdrop and source is below or above 1; else 0.5"),
    separable("subtract", "Subtract", "The backdrop less the source"),
    separable("divide", "Divide", "The backdrop divided by the source; 1 where that is 0"),
  ]
}
