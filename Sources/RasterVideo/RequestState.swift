internal import Synchronization

/// How a request for a frame ends.
package enum RequestOutcome: UInt8, Sendable, CaseIterable {
  /// The frame is as it should be.
  case rendered = 1
  /// It is not, and an error says why.
  case failed
  /// Nobody wants it any more: a flush, or the end of the stream.
  case cancelled
}

/// The life of one request after the other: idle, under way, and ended exactly once.
///
/// A flush and the device may end a request at the same moment; the first wins, and only it is counted.
/// Thread-safety: usable from any thread.
package final class RequestState: Sendable {
  private static let idle: UInt8 = 0x10
  private static let underWay: UInt8 = 0x11

  private let state = Atomic<UInt8>(RequestState.idle)

  package init() {}

  /// Starts a request.
  ///
  /// - Returns: false where the one before was not taken back with ``reset()``.
  package func begin() -> Bool { change(from: RequestState.idle, to: RequestState.underWay) }

  /// Ends the request.
  ///
  /// - Returns: whether this call did; false where it had ended before, or never began.
  package func end(_ outcome: RequestOutcome) -> Bool {
    change(from: RequestState.underWay, to: outcome.rawValue)
  }

  /// How the request has ended; nil before.
  package var outcome: RequestOutcome? {
    RequestOutcome(rawValue: state.load(ordering: .acquiring))
  }

  /// Makes a request that has ended ready for the next one.
  ///
  /// - Returns: false where it has not ended.
  package func reset() -> Bool {
    guard let outcome else { return false }
    return change(from: outcome.rawValue, to: RequestState.idle)
  }

  private func change(from old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
