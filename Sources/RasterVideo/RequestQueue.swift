internal import CShim
package import RasterGraph
internal import RasterRender
package import RasterVulkan
internal import Glibc
internal import Synchronization

/// The requests of one element that are under way, and the thread that ends them when the device is done.
///
/// Input buffers go back upstream as soon as the device has read them, also when no other frame follows.
/// Thread-safety: usable from any thread; ``begin()`` to ``submit(_:_:)`` belong to one.
package final class RequestQueue: @unchecked Sendable {
  // @unchecked: the thread's handle is set once.
  /// Called once for each request, with the error where it failed; on the thread of the queue, or on that which
  /// ended it.
  package typealias End = @Sendable (RequestOutcome, RasterError?) -> Void

  private let core: Core
  private let thread: UnsafeMutablePointer<GThread>?

  /// What the thread needs; it may outlive the queue by a moment.
  fileprivate final class Core: Sendable {
    let requests: [RenderRequest]
    let onEnd: End
    /// Requests that are free.
    let free = Semaphore(RequestQueue.size)
    /// Requests that wait for the device, one for each in `line`, and one more at the end.
    let submitted = Semaphore(0)
    let line = Mutex(Line())

    init(_ onEnd: @escaping End) {
      requests = (0..<RequestQueue.size).map { RenderRequest(index: $0) }
      self.onEnd = onEnd
    }
  }

  /// The order of requests; each has its turn again and again.
  fileprivate struct Line {
    var begun = 0
    var ended = 0
  }

  /// Requests that may be under way. As many as the renderer has room for: so it never has to wait itself.
  package static let size = Renderer.depth

  package init(onEnd: @escaping End) {
    core = Core(onEnd)
    thread = g_thread_new(
      "raster-done",
      { data in
        if let data { Unmanaged<Core>.fromOpaque(data).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(core).toOpaque())
  }

  deinit {
    core.submitted.signal()
    g_thread_join(thread)
  }

  /// A request for the next frame. Waits while all are under way.
  package func begin() -> RenderRequest {
    core.free.wait()
    let request = core.line.withLock { line in
      let request = core.requests[line.begun % RequestQueue.size]
      line.begun += 1
      return request
    }
    _ = request.state.begin()
    return request
  }

  /// Hands over a request that the device works on.
  package func submit(_ request: RenderRequest, _ submission: Submission) {
    request.submission = submission
    core.submitted.signal()
  }

  /// Ends a request that the device never got: it takes its turn behind those that it has.
  package func end(_ request: RenderRequest, _ outcome: RequestOutcome, _ error: RasterError? = nil)
  {
    if request.state.end(outcome) { core.onEnd(outcome, error) }
    core.submitted.signal()
  }

  /// Calls off all requests that are under way. The device finishes what it has, but nobody is told.
  package func cancelAll() {
    for request in core.requests where request.state.end(.cancelled) {
      core.onEnd(.cancelled, nil)
    }
  }

  /// Waits until no request is under way.
  package func drain() {
    for _ in 0..<RequestQueue.size { core.free.wait() }
    for _ in 0..<RequestQueue.size { core.free.signal() }
  }
}

extension RequestQueue.Core {
  /// Ends requests in their order until the queue ends.
  fileprivate func run() {
    while let request = next() {
      finish(request)
      line.withLock { $0.ended += 1 }
      free.signal()
    }
  }

  /// The next request that was handed over; nil at the end.
  private func next() -> RenderRequest? {
    submitted.wait()
    return line.withLock { line in
      line.ended < line.begun ? requests[line.ended % RequestQueue.size] : nil
    }
  }

  private func finish(_ request: RenderRequest) {
    var failure: RasterError?
    do throws(RasterError) {
      if let submission = request.submission {
        try translated { () throws(VulkanError) in try submission.wait() }
      }
    } catch {
      failure = error
    }
    let outcome: RequestOutcome = failure == nil ? .rendered : .failed
    let isFirst = request.state.end(outcome)
    if failure != nil, request.submission?.isDone == false { request.abandon() }
    request.release()
    _ = request.state.reset()
    if isFirst { onEnd(outcome, failure) }
  }
}

/// A counting semaphore of the C library.
fileprivate final class Semaphore: @unchecked Sendable {
  // @unchecked: the C library guards it, at an address that never changes.
  private let handle: UnsafeMutablePointer<sem_t>

  init(_ count: Int) {
    handle = .allocate(capacity: 1)
    handle.initialize(to: sem_t())
    sem_init(handle, 0, UInt32(count))
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  func signal() { sem_post(handle) }

  func wait() {
    // A signal handler may interrupt the call.
    while sem_wait(handle) != 0 {}
  }
}
