internal import RasterVulkan
internal import Synchronization

/// What the driver keeps of the pipelines of a device, carried from process to process in a file.
///
/// Where two processes write at once, the last one wins; the other's pipelines are compiled once
/// more. Thread-safety: usable from any thread.
final class PipelineStore: Sendable {
  let cache: PipelineCache

  private struct State {
    var hasNew = false
    /// What the file holds, as far as this process knows.
    var saved: Digest?
    var lastSave = ContinuousClock.now
  }

  private let directory: CacheDirectory?
  private let key: CacheKey
  private let state: Mutex<State>

  /// - Parameter directory: where the file is; nil keeps nothing.
  init(_ device: Device, in directory: CacheDirectory?) {
    self.directory = directory
    key = CacheKey(.pipelines, [device.driver.description])
    let known = directory?.read(key) ?? []
    cache = PipelineCache(on: device, startingWith: known)
    state = Mutex(State(saved: known.isEmpty ? nil : known.withUnsafeBytes { Digest($0) }))
  }

  deinit { save() }

  /// Notes that a pipeline was made. Saves at once where the last time was seconds ago: the time is
  /// nothing beside that of compiling; while a stream starts, many come one after the other.
  func didMakePipeline() {
    let isDue = state.withLock { state in
      state.hasNew = true
      return ContinuousClock.now - state.lastSave > .seconds(5)
    }
    if isDue { save() }
  }

  /// Writes the file where pipelines were made since the last time.
  func save() {
    guard let directory, !cache.device.isLost else { return }
    state.withLock { state in
      guard state.hasNew else { return }
      state.hasNew = false
      state.lastSave = .now
      guard let data = cache.data(limit: key.kind.limit) else {
        // Too much to keep: the next process begins anew.
        return directory.remove(key)
      }
      data.withUnsafeBytes { bytes in
        let digest = Digest(bytes)
        guard digest != state.saved else { return }
        if directory.write(bytes, for: key) { state.saved = digest }
      }
    }
  }
}
