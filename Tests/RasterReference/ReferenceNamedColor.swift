/// A color of a text: `black`, `white` or `#RRGGBB` with or without `AA`, as straight R'G'B'A.
func referenceColor(_ text: String) -> SIMD4<Double> {
  switch text {
  case "black": return SIMD4(0, 0, 0, 1)
  case "white": return SIMD4(1, 1, 1, 1)
  default: break
  }
  let digits = text.drop { $0 == "#" }
  let codes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { start in
    UInt8(digits.dropFirst(start).prefix(2), radix: 16)
  }
  guard text.hasPrefix("#"), codes.count == 3 || codes.count == 4 else {
    return SIMD4(repeating: .nan)
  }
  let values = codes.map { Double($0) / 255 } + [1]
  return SIMD4(values[0], values[1], values[2], values[3])
}
