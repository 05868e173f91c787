internal import CShim
package import RasterGraph
internal import Synchronization

/// What happens at a pool: how many of its frames are in use, and how long threads wait for one.
///
/// Thread-safety: usable from any thread.
package final class PoolMonitor: Sendable {
  /// A wait longer than this is made known, in nanoseconds.
  package static let patience: UInt64 = 2_000_000_000

  /// Counts since the start.
  package struct Counts: Sendable {
    /// Frames that are outside the pool.
    package var inUse = 0
    /// Times that a thread waited for a frame.
    package var waits: UInt64 = 0
    /// Nanoseconds of these waits, without those that go on.
    package var waitTime: UInt64 = 0

    package init() {}
  }

  private let counts = Mutex(Counts())
  private let onStarvation: @Sendable () -> Void
  let onFailure: @Sendable (RasterError) -> Void

  /// - Parameters:
  ///   - onStarvation: called on a thread of GStreamer's clock when a wait outlasts ``patience``, and again each
  ///     time that it lasts as long once more.
  ///   - onFailure: called on the thread that wants a frame for which the device has no memory.
  package init(
    onStarvation: @escaping @Sendable () -> Void,
    onFailure: @escaping @Sendable (RasterError) -> Void
  ) {
    self.onStarvation = onStarvation
    self.onFailure = onFailure
  }

  package var current: Counts { counts.withLock { $0 } }

  package func didAcquire() -> Int {
    counts.withLock {
      $0.inUse += 1
      return $0.inUse
    }
  }

  package func didRelease() -> Int {
    counts.withLock {
      // A pool also releases those that it makes at its start.
      $0.inUse = max(0, $0.inUse - 1)
      return $0.inUse
    }
  }

  /// Begins to watch a wait.
  package func beginWait() -> PoolWait {
    let clock = gst_system_clock_obtain()
    defer { if let clock { gst_object_unref(clock) } }
    let now = clock.map { gst_clock_get_time($0) } ?? 0
    guard let clock,
      let alarm = gst_clock_new_periodic_id(
        clock, now + GstClockTime(PoolMonitor.patience), GstClockTime(PoolMonitor.patience))
    else { return PoolWait(start: now, alarm: nil) }
    _ = gst_clock_id_wait_async(
      alarm,
      { _, time, _, monitor in
        // A time of none: the wait is over.
        guard let monitor, time != guint64.max else { return 0 }
        Unmanaged<PoolMonitor>.fromOpaque(monitor).takeUnretainedValue().onStarvation()
        return 0
      }, Unmanaged.passRetained(self).toOpaque(),
      { monitor in if let monitor { Unmanaged<PoolMonitor>.fromOpaque(monitor).release() } })
    return PoolWait(start: now, alarm: alarm)
  }

  /// Ends what ``beginWait()`` began.
  package func end(_ wait: PoolWait) {
    if let alarm = wait.alarm {
      gst_clock_id_unschedule(alarm)
      gst_clock_id_unref(alarm)
    }
    let clock = gst_system_clock_obtain()
    let now = clock.map { gst_clock_get_time($0) } ?? wait.start
    if let clock { gst_object_unref(clock) }
    counts.withLock {
      $0.waits += 1
      $0.waitTime += UInt64(now > wait.start ? now - wait.start : 0)
    }
  }
}

/// A wait for a frame that goes on. Held by one thread.
package final class PoolWait {
  fileprivate let start: GstClockTime
  fileprivate let alarm: GstClockID?

  fileprivate init(start: GstClockTime, alarm: GstClockID?) {
    self.start = start
    self.alarm = alarm
  }
}
