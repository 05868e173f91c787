package import RasterColor

#if canImport(Glibc)
  import Glibc
#endif

extension TransferFunction {
  /// The light of a signal: ``TransferFunction`` has the definition.
  package func light(_ signal: Double) -> Double {
    signal <= threshold
      ? signal / slope : pow(max((signal + offset) / (1 + offset), 0), exponent)
  }

  /// The signal of light.
  package func signal(_ light: Double) -> Double {
    light <= threshold / slope
      ? light * slope : (1 + offset) * pow(max(light, 0), 1 / exponent) - offset
  }
}
