internal import CShim
internal import RasterGraph
internal import RasterRender
internal import RasterVideo
internal import RasterVulkan
internal import Synchronization

/// The pools of an element: where its frames come from, and what upstream was offered.
struct ElementPools {
  /// Offers that are remembered for an input; upstream uses the last.
  private static let mostOffers = 4

  private(set) var output: FramePool?
  private var isFlushing = false
  private var inputs: [ObjectIdentifier?: Input] = [:]
  /// Waits at output pools of this stream that are no longer used.
  private var earlier = PoolMonitor.Counts()

  /// What the source of one input was offered.
  private struct Input {
    var isFlushing = false
    var offers: [FramePool] = []
  }

  /// What happened at the output pools since the start.
  var counts: PoolMonitor.Counts {
    var counts = output?.monitor.current ?? PoolMonitor.Counts()
    counts.waits += earlier.waits
    counts.waitTime += earlier.waitTime
    return counts
  }

  /// Starts counting anew.
  mutating func start() { earlier = PoolMonitor.Counts() }

  /// Takes the frames that go downstream from `pool`.
  mutating func use(_ pool: FramePool) {
    pool.setFlushing(isFlushing)
    earlier = counts
    output = pool
  }

  /// Remembers a pool that upstream may use, so that a flush reaches it.
  ///
  /// - Parameter input: the pad; nil where there is one.
  mutating func offer(_ pool: FramePool, to input: ObjectIdentifier?) {
    var own = inputs[input, default: Input()]
    own.offers.append(pool)
    if own.offers.count > ElementPools.mostOffers { own.offers.removeFirst() }
    inputs[input] = own
  }

  /// Notes that nobody may wait for a frame, or all may again; says which pools have to be told.
  mutating func noteFlush(_ flushing: Bool, ofInputs: Bool) -> [FramePool] {
    isFlushing = flushing
    let own = output.map { [$0] } ?? []
    return ofInputs ? own + inputs.keys.flatMap { noteFlush(flushing, of: $0) } : own
  }

  /// The same for the source of one input.
  mutating func noteFlush(_ flushing: Bool, of input: ObjectIdentifier?) -> [FramePool] {
    inputs[input, default: Input()].isFlushing = flushing
    return inputs[input]?.offers ?? []
  }

  /// Forgets an input that is gone.
  mutating func forget(_ input: ObjectIdentifier) { inputs[input] = nil }

  mutating func drop() {
    earlier = counts
    output = nil
    inputs = [:]
  }
}

extension ElementCore {
  /// Makes the pool that output frames come from, as downstream wants them.
  func decideAllocation(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    guard let context else { return false }
    let answer = AllocationAnswer(query, for: context)
    let wanted = settings.withLock { $0.maxBuffers }
    let bound = PoolBound.frames(wanted: wanted, held: answer.heldBuffers)
    guard let purpose = purpose(of: query, context, bound: bound) else { return false }
    do throws(RasterError) {
      let pool = try FramePool.forOutput(purpose, answer, monitor(of: .output(purpose.bound)))
      pools.withLock { $0.use(pool) }
      return true
    } catch {
      fail(error)
      return false
    }
  }

  /// Offers upstream a pool of memory that the device reads in place, and memory of the device itself.
  ///
  /// - Parameter input: the pad that asks; nil where there is one.
  func proposeAllocation(
    _ query: UnsafeMutablePointer<GstQuery>, for input: ObjectIdentifier? = nil
  ) {
    guard let context else { return }
    raster_query_add_device(query, guint(clamping: context.device.number))
    var needsPool: gboolean = 0
    gst_query_parse_allocation(query, nil, &needsPool)
    guard let purpose = purpose(of: query, context, bound: PoolBound.least) else { return }
    let size = UInt32(clamping: purpose.info.size)
    guard needsPool != 0,
      let offer = try? FramePool.forInput(purpose, monitor(of: .input(purpose.bound)))
    else {
      gst_query_add_allocation_pool(query, nil, size, 0, 0)
      return
    }
    gst_query_add_allocation_pool(query, offer.pool, size, 0, UInt32(clamping: purpose.bound))
    pools.withLock { $0.offer(offer, to: input) }
  }

  private func purpose(
    of query: UnsafeMutablePointer<GstQuery>, _ context: RenderContext, bound: Int
  ) -> FramePool.Purpose? {
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_query_parse_allocation(query, &caps, nil)
    var info = GstVideoInfo()
    guard let caps, gst_video_info_from_caps(&info, caps) != 0 else { return nil }
    return FramePool.Purpose(caps: caps, info: info, context: context, bound: bound)
  }
}

// MARK: - Starvation

/// A pool that somebody waits at, with its bound.
enum WatchedPool {
  case output(Int)
  case input(Int)
}

extension ElementCore {
  private func monitor(of pool: WatchedPool) -> PoolMonitor {
    // A pool may outlive its element: upstream or downstream holds it.
    let owner = WeakElement(element)
    let call = { @Sendable [weak self] (body: (ElementCore) -> Void) in
      owner.whileThere { self.map(body) }
    }
    return PoolMonitor(
      onStarvation: { call { $0.noteStarvation(of: pool) } },
      onFailure: { error in
        // Upstream does not know why. Whoever takes frames of the output pool asks it.
        if case .input = pool { call { $0.fail(error) } }
      })
  }
}

/// An element that may be gone. Thread-safety: usable from any thread.
private final class WeakElement: @unchecked Sendable {
  // @unchecked: GLib guards the reference.
  private let reference: UnsafeMutablePointer<GWeakRef>

  init(_ element: UnsafeMutablePointer<GstElement>) {
    reference = .allocate(capacity: 1)
    reference.initialize(to: GWeakRef())
    g_weak_ref_init(reference, element)
  }

  deinit {
    g_weak_ref_clear(reference)
    reference.deallocate()
  }

  /// Calls `body` where the element is still there, and keeps it meanwhile.
  func whileThere(_ body: () -> Void) {
    guard let element = g_weak_ref_get(reference) else { return }
    body()
    g_object_unref(element)
  }
}
