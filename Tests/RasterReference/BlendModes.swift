package import RasterGraph

// The twins of the blend modes, case by case as the definitions have them: W3C "Compositing and
// Blending Level 1" (2015), sections 10.1 and 10.2, and MetalPetal for the modes that it adds.

/// The color that a mode makes of two colors, both cut to 0 … 1 except by `normal`.
///
/// Not a number where the mode has no twin, so that every comparison fails.
package func blend(
  _ mode: BlendMode, backdrop: ReferenceColor, source: ReferenceColor
) -> ReferenceColor {
  if mode.name == "normal" { return source }
  let (b, s) = (cut(backdrop), cut(source))
  if let function = separableModes[mode.name] {
    return ReferenceColor(
      function(b.red, s.red), function(b.green, s.green), function(b.blue, s.blue))
  }
  if let function = wholeModes[mode.name] { return function(b, s) }
  return ReferenceColor(.nan, .nan, .nan)
}

/// A straight source over a straight backdrop: section "General Formula for Compositing and
/// Blending" with source-over as the operator.
///
/// Transparent black where the result has no alpha.
package func composite(
  _ mode: BlendMode, backdrop: ReferenceColor, backdropAlpha: Double, source: ReferenceColor,
  sourceAlpha: Double
) -> (color: ReferenceColor, alpha: Double) {
  let mixed = blend(mode, backdrop: backdrop, source: source)
  let alpha = sourceAlpha + backdropAlpha * (1 - sourceAlpha)
  guard alpha > 0 else { return (ReferenceColor(0, 0, 0), 0) }
  func channel(_ path: KeyPath<ReferenceColor, Double>) -> Double {
    let (cb, cs) = (backdrop[keyPath: path], source[keyPath: path])
    let blended = (1 - backdropAlpha) * cs + backdropAlpha * mixed[keyPath: path]
    let premultiplied = sourceAlpha * blended + (1 - sourceAlpha) * backdropAlpha * cb
    return premultiplied / alpha
  }
  return (ReferenceColor(channel(\.red), channel(\.green), channel(\.blue)), alpha)
}

/// Distances up to this count as none where a mode decides by a comparison: ``BlendMode``.
package let blendTie = 5e-7

/// The weighted sum of the channels (section 10.2, `Lum`).
package func blendLuma(_ color: ReferenceColor) -> Double {
  0.3 * color.red + 0.59 * color.green + 0.11 * color.blue
}

/// The luma of ITU-R BT.601-7, section 2.5.1, by which MetalPetal compares colors.
package func comparedLuma(_ color: ReferenceColor) -> Double {
  0.299 * color.red + 0.587 * color.green + 0.114 * color.blue
}

private func cut(_ color: ReferenceColor) -> ReferenceColor {
  func cut(_ value: Double) -> Double { min(max(value, 0), 1) }
  return ReferenceColor(cut(color.red), cut(color.green), cut(color.blue))
}

// MARK: - Separable modes: B(Cb, Cs) of one channel

private typealias Separable = @Sendable (_ cb: Double, _ cs: Double) -> Double

private let separableModes: [String: Separable] = [
  "multiply": multiply,
  "screen": screen,
  "overlay": { cb, cs in hardLight(cs, cb) },
  "darken": { cb, cs in cb < cs ? cb : cs },
  "lighten": { cb, cs in cb > cs ? cb : cs },
  "color-dodge": colorDodge,
  "color-burn": colorBurn,
  "hard-light": hardLight,
  "soft-light": softLight,
  "difference": { cb, cs in cb > cs ? cb - cs : cs - cb },
  "exclusion": { cb, cs in cb + cs - 2 * cb * cs },
  "linear-burn": { cb, cs in max(cb + cs - 1, 0) },
  "add": { cb, cs in min(cb + cs, 1) },
  "vivid-light": vividLight,
  "linear-light": { cb, cs in min(max(cb + 2 * cs - 1, 0), 1) },
  "pin-light": { cb, cs in cs > 0.5 ? max(cb, 2 * cs - 1) : min(cb, 2 * cs) },
  "hard-mix": hardMix,
  "subtract": { cb, cs in max(cb - cs, 0) },
  "divide": { cb, cs in cs == 0 ? 1 : min(cb / cs, 1) },
]

@Sendable private func multiply(_ cb: Double, _ cs: Double) -> Double { cb * cs }

@Sendable private func screen(_ cb: Double, _ cs: Double) -> Double { cb + cs - cb * cs }

@Sendable private func hardLight(_ cb: Double, _ cs: Double) -> Double {
  cs <= 0.5 ? multiply(cb, 2 * cs) : screen(cb, 2 * cs - 1)
}

@Sendable private func colorDodge(_ cb: Double, _ cs: Double) -> Double {
  if cb == 0 { return 0 }
  if cs == 1 { return 1 }
  return min(1, cb / (1 - cs))
}

@Sendable private func colorBurn(_ cb: Double, _ cs: Double) -> Double {
  if cb == 1 { return 1 }
  if cs == 0 { return 0 }
  return 1 - min(1, (1 - cb) / cs)
}

@Sendable private func softLight(_ cb: Double, _ cs: Double) -> Double {
  if cs <= 0.5 { return cb - (1 - 2 * cs) * cb * (1 - cb) }
  let root = cb <= 0.25 ? ((16 * cb - 12) * cb + 4) * cb : cb.squareRoot()
  return cb + (2 * cs - 1) * (root - cb)
}

@Sendable private func vividLight(_ cb: Double, _ cs: Double) -> Double {
  if cs == 0 { return 0 }
  if cs == 1 { return 1 }
  return cs <= 0.5 ? max(1 - (1 - cb) / (2 * cs), 0) : min(cb / (2 * (1 - cs)), 1)
}

@Sendable private func hardMix(_ cb: Double, _ cs: Double) -> Double {
  if abs(cb + cs - 1) < blendTie { return 0.5 }
  return cb + cs < 1 ? 0 : 1
}

// MARK: - Modes of whole colors: B(Cb, Cs)

private typealias Whole =
  @Sendable (_ cb: ReferenceColor, _ cs: ReferenceColor) -> ReferenceColor

private let wholeModes: [String: Whole] = [
  "hue": { cb, cs in
    withLuma(withSaturation(cs, saturation(cb)), blendLuma(cb))
  },
  "saturation": { cb, cs in
    withLuma(withSaturation(cb, saturation(cs)), blendLuma(cb))
  },
  "color": { cb, cs in withLuma(cs, blendLuma(cb)) },
  "luminosity": { cb, cs in withLuma(cb, blendLuma(cs)) },
  "darker-color": { cb, cs in
    comparedLuma(cs) - comparedLuma(cb) < -blendTie ? cs : cb
  },
  "lighter-color": { cb, cs in
    comparedLuma(cs) - comparedLuma(cb) > blendTie ? cs : cb
  },
]

/// `Sat` of section 10.2.
private func saturation(_ color: ReferenceColor) -> Double {
  max(color.red, color.green, color.blue) - min(color.red, color.green, color.blue)
}

/// `SetSat` of section 10.2: the channels in the order of their size.
private func withSaturation(_ color: ReferenceColor, _ saturation: Double) -> ReferenceColor {
  let channels = [color.red, color.green, color.blue]
  let order = channels.indices.sorted { channels[$0] < channels[$1] }
  let (low, middle, high) = (channels[order[0]], channels[order[1]], channels[order[2]])
  var result = [0.0, 0.0, 0.0]
  if high > low {
    result[order[1]] = (middle - low) * saturation / (high - low)
    result[order[2]] = saturation
  }
  return ReferenceColor(result[0], result[1], result[2])
}

/// `SetLum` of section 10.2.
private func withLuma(_ color: ReferenceColor, _ luma: Double) -> ReferenceColor {
  let distance = luma - blendLuma(color)
  return clipped(
    ReferenceColor(color.red + distance, color.green + distance, color.blue + distance))
}

/// `ClipColor` of section 10.2, from both ends.
private func clipped(_ color: ReferenceColor) -> ReferenceColor {
  let luma = blendLuma(color)
  let low = min(color.red, color.green, color.blue)
  let high = max(color.red, color.green, color.blue)
  var channels = [color.red, color.green, color.blue]
  if low < 0 {
    channels = channels.map { luma + (($0 - luma) * luma) / (luma - low) }
  }
  if high > 1 {
    channels = channels.map { luma + (($0 - luma) * (1 - luma)) / (high - luma) }
  }
  return ReferenceColor(channels[0], channels[1], channels[2])
}
