import RasterGraph
import RasterRender
import RasterTestSupport
import RasterVideo
import RasterVulkan
import Synchronization
import Testing

/// Requests for frames: each ends exactly once.
@Suite(.serialized, .guarded, .timeLimit(.minutes(1))) struct RequestTests {
  /// What can happen to a request.
  enum Step: Hashable {
    case begin
    case end(RequestOutcome)
    case reset

    static let all: [Step] = [.begin, .reset] + RequestOutcome.allCases.map { .end($0) }
  }

  /// What the state should be, said in another way.
  struct Model {
    var isUnderWay = false
    var outcome: RequestOutcome?

    mutating func take(_ step: Step) -> Bool {
      switch step {
      case .begin:
        guard !isUnderWay, outcome == nil else { return false }
        isUnderWay = true
      case .end(let new):
        guard isUnderWay else { return false }
        (isUnderWay, outcome) = (false, new)
      case .reset:
        guard outcome != nil else { return false }
        outcome = nil
      }
      return true
    }
  }

  private func take(_ step: Step, _ state: RequestState) -> Bool {
    switch step {
    case .begin: state.begin()
    case .end(let outcome): state.end(outcome)
    case .reset: state.reset()
    }
  }

  @Test("every order of seven steps ends each request once")
  func orders() {
    let length = 7
    var total = 1
    for _ in 0..<length { total *= Step.all.count }
    for number in 0..<total {
      let state = RequestState()
      var (model, rest) = (Model(), number)
      var (begun, ended) = (0, 0)
      for _ in 0..<length {
        let step = Step.all[rest % Step.all.count]
        rest /= Step.all.count
        let did = take(step, state)
        guard did == model.take(step), state.outcome == model.outcome else {
          Issue.record("order \(number): \(step)")
          return
        }
        if did, step == .begin { begun += 1 }
        if did, case .end = step { ended += 1 }
      }
      guard ended == begun - (model.isUnderWay ? 1 : 0) else {
        Issue.record("order \(number): \(begun) begun, \(ended) ended")
        return
      }
    }
  }

  @Test("of three threads that end the same request, one does")
  func endsAtOnce() {
    let states = (0..<50_000).map { _ in RequestState() }
    for state in states { #expect(state.begin()) }
    let wins = Counter()
    let threads = RequestOutcome.allCases.map { outcome in
      TestThread { for state in states where state.end(outcome) { wins.increment() } }
    }
    for thread in threads { thread.join() }
    #expect(wins.count == states.count)
    #expect(states.allSatisfy { $0.outcome != nil && $0.reset() && $0.outcome == nil })
  }

  /// How requests have ended.
  private final class Ends: Sendable {
    private let counts = Mutex<[RequestOutcome: Int]>([:])
    private let errors = Counter()

    func note(_ outcome: RequestOutcome, _ error: RasterError?) {
      counts.withLock { $0[outcome, default: 0] += 1 }
      if error != nil { errors.increment() }
    }

    var all: [RequestOutcome: Int] { counts.withLock { $0 } }
    var sum: Int { all.values.reduce(0, +) }
    var errorCount: Int { errors.count }
  }

  /// Empty work for the device.
  private struct Work: ~Copyable {
    private let line: Queue
    private var slots: InlineArray<3, CommandSlot>
    private var next = 0

    init() throws {
      let device = try RenderContext.context(for: DeviceSelection("")).device
      let line = try Queue(on: device)
      slots = try InlineArray { _ throws(VulkanError) in try CommandSlot(on: device) }
      self.line = line
    }

    mutating func submit() throws -> Submission {
      defer { next = (next + 1) % slots.count }
      _ = try slots[next].finish()
      try slots[next].begin()
      return try slots[next].submit(to: line)
    }
  }

  @Test("the device, a flush and errors end 12,000 requests, each once")
  func race() throws {
    let (ends, isDone) = (Ends(), Counter())
    let queue = RequestQueue { ends.note($0, $1) }
    let flush = TestThread {
      while isDone.count == 0 {
        for _ in 0..<20 { queue.cancelAll() }
        pause(milliseconds: 1)
      }
    }
    let error = RasterError(.internalFailure, "It failed.", remedy: "Try again.")
    var work = try Work()
    for number in 0..<12_000 {
      let request = queue.begin()
      switch number % 16 {
      case 3: queue.end(request, .failed, error)
      case 9: queue.end(request, .cancelled)
      default: queue.submit(request, try work.submit())
      }
    }
    queue.drain()
    isDone.increment()
    flush.join()
    #expect(ends.sum == 12_000, "\(ends.all)")
    #expect(RequestOutcome.allCases.allSatisfy { ends.all[$0, default: 0] > 0 }, "\(ends.all)")
    #expect(ends.all[.failed] == ends.errorCount)
    // Nothing is left that could end.
    queue.cancelAll()
    #expect(ends.sum == 12_000)
  }

  @Test("a queue that ends finishes what the device has")
  func endOfQueue() throws {
    var work = try Work()
    for count in 0...RequestQueue.size {
      let ends = Ends()
      var queue: RequestQueue? = RequestQueue { ends.note($0, $1) }
      for _ in 0..<count {
        guard let queue else { return }
        queue.submit(queue.begin(), try work.submit())
      }
      queue = nil
      #expect(ends.all == (count == 0 ? [:] : [.rendered: count]))
    }
  }
}
