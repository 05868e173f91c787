internal import CGstCheck
internal import Glibc
internal import Synchronization
package import Testing

/// Runs each test of a suite with GStreamer started, under a watchdog, and fails it where GLib,
/// GStreamer or our elements wrote a warning.
package struct Guarded: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true
  /// Whether a warning makes the test fail.
  var forbidsWarnings = true
  /// Seconds after which a test counts as hanging. Sanitizers and validation layers need a lot.
  var seconds: UInt64 = 120

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    GStreamer.start()
    _ = Diagnostics.take()
    try await Watchdog.watch(test.name, seconds: seconds) { try await function() }
    guard forbidsWarnings else { return }
    for line in Diagnostics.take() { Issue.record("unexpected warning: \(line)") }
  }
}

extension Trait where Self == Guarded {
  /// GStreamer, a watchdog, and no warning.
  package static var guarded: Guarded { Guarded() }
}

/// Ends the process when a test hangs: a thread that waits inside GStreamer or Vulkan can be ended
/// in no other way.
enum Watchdog {
  private struct Watch {
    var name: String
    var end: ContinuousClock.Instant
  }

  private static let watches = Mutex<[UInt64: Watch]>([:])
  private static let lastID = Atomic<UInt64>(0)

  // One thread for all tests; it lives as long as the process.
  private static let thread = TestThread {
    while true {
      usleep(200_000)
      let now = ContinuousClock.now
      guard let late = watches.withLock({ $0.values.first { $0.end < now } }) else { continue }
      let text = "test hangs: \(late.name)\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
      abort()
    }
  }

  /// Runs `body`, and aborts the process where that takes longer.
  static func watch(
    _ name: String, seconds: UInt64, _ body: () async throws -> Void
  ) async rethrows {
    _ = thread
    let id = lastID.add(1, ordering: .relaxed).newValue
    let end = ContinuousClock.now + .seconds(seconds)
    watches.withLock { $0[id] = Watch(name: name, end: end) }
    defer { watches.withLock { $0[id] = nil } }
    try await body()
  }
}

/// A thread of its own: the threads of Swift's pool are too few to be blocked.
package final class TestThread: @unchecked Sendable {
  // @unchecked: the handle is set once and joined once, by whoever owns this.
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var handle = pthread_t()

  package init(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    pthread_create(
      &handle, nil,
      { body in
        guard let body else { return nil }
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
      }, body)
  }

  /// Waits until it has ended. Must be called at most once.
  package func join() { pthread_join(handle, nil) }
}

/// Carries a value that the compiler cannot prove to be safe to another thread.
///
/// GStreamer's objects have locks of their own.
package struct Shared<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}

/// Seconds that `body` takes.
package func secondsTaken(_ body: () throws -> Void) rethrows -> Double {
  let time = try ContinuousClock().measure(body)
  return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
}

/// Waits for a condition that another thread makes true.
///
/// - Returns: false where it stayed false for `seconds`.
package func waits(_ seconds: Double = 20, until condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < end {
    if condition() { return true }
    usleep(2_000)
  }
  return condition()
}

/// Waits.
package func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

/// A number that several threads count up.
package final class Counter: Sendable {
  private let value = Atomic(0)

  package init() {}

  package var count: Int { value.load(ordering: .acquiring) }

  package func increment() { value.add(1, ordering: .acquiringAndReleasing) }
}
