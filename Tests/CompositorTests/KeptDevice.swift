import RasterTestSupport
import Testing

/// Keeps the device open while a suite runs, so that its tests, each of which makes elements of its own, share
/// what was compiled.
struct KeptDevice: SuiteTrait, TestScoping {
  let isRecursive = false

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let device = isStock ? nil : try OpenDevice()
    try await function()
    withExtendedLifetime(device) {}
  }
}

extension Trait where Self == KeptDevice {
  /// One device for all tests of a suite.
  static var keptDevice: KeptDevice { KeptDevice() }
}
