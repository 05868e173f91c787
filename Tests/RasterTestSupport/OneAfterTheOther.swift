package import Testing

/// Lets suites of elements run one after the other, whatever their targets: some of their tests change the
/// environment of the process, look at all that was logged, or measure time.
package struct OneAfterTheOther: SuiteTrait, TestScoping {
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Turn.shared.take()
    do {
      try await function()
    } catch {
      await Turn.shared.pass()
      throw error
    }
    await Turn.shared.pass()
  }
}

extension Trait where Self == OneAfterTheOther {
  /// Not beside another suite that has this trait.
  package static var oneAfterTheOther: OneAfterTheOther { OneAfterTheOther() }
}

/// Whose turn it is.
private actor Turn {
  static let shared = Turn()

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
