package import RasterGraph
package import RasterVulkan

/// What one frame cost.
package struct RenderReport: Hashable, Sendable {
  /// Times that memory was walked.
  package var passes = 0
  /// Kernels that had to be compiled first.
  package var compiledKernels = 0
  /// Plans whose structure was new.
  package var newPlans = 0
  /// Buffers that had to be allocated.
  package var allocations = 0
  /// Time that the device took, in nanoseconds; 0 where it has no clock.
  package var deviceTime: UInt64 = 0
}

/// What each of the frames that may be under way at the same time has for itself.
typealias PerFrame<Element: ~Copyable> = InlineArray<4, Element>

/// Renders frames, several at a time.
///
/// Kernels, bindings and intermediate results are kept from frame to frame and made anew only when the
/// structure of the work changes. Thread-safety: one thread at a time.
package struct Renderer: ~Copyable {
  /// Frames that may be under way at the same time: as many as ``PerFrame`` holds.
  package static let depth = 4

  package let context: RenderContext
  private let queue: Queue
  private var slots: PerFrame<CommandSlot>
  /// The slot of the next frame.
  private var next = 0
  /// What was made for the last plan, for each of the ways in which frames lie in memory. Frames of one source
  /// mostly lie alike, but some come at another alignment.
  private var variants: [PreparedPlan] = []
  private static let mostVariants = 8
  private let stills: StillStore
  private var dependencies: [Submission] = []
  /// Nil until frames have to be brought near the device.
  private var copyLine: CopyLine?

  package init(_ context: RenderContext) throws(RasterError) {
    let queue = try translated { () throws(VulkanError) in try Queue(on: context.device) }
    slots = try translated { () throws(VulkanError) in
      try InlineArray { _ throws(VulkanError) in try CommandSlot(on: context.device) }
    }
    self.context = context
    self.queue = queue
    stills = StillStore(context)
  }

  deinit {
    // What a device that hangs may still use is given up, rather than taken from under it.
    guard !queue.isIdle else { return }
    for variant in variants { _ = Unmanaged.passRetained(variant) }
    _ = Unmanaged.passRetained(queue)
    _ = Unmanaged.passRetained(stills)
  }

  /// Renders a plan, and returns when the bytes are written.
  ///
  /// - Parameters:
  ///   - sources: the frames of the plan's graph, in the layouts and sizes that it was planned for.
  ///   - destination: the frame to write, likewise.
  package mutating func render(
    _ plan: RenderPlan, from sources: [Frame], to destination: Frame
  ) throws(RasterError) -> RenderReport {
    let slot = next
    var (_, report) = try submit(plan, from: sources, to: destination)
    report.deviceTime = try translated { () throws(VulkanError) in try slots[slot].finish() }
    return report
  }

  /// Hands a plan to the device, and returns at once unless ``depth`` frames are under way.
  ///
  /// Frames in memory that knows its ``FrameMemory`` are waited for, and waited on, by the device. All others
  /// have to stay as they are until the submission is done, and so have the buffers of all.
  /// - Returns: what to wait for, and a report with the device time of an earlier frame.
  package mutating func submit(
    _ plan: RenderPlan, from sources: [Frame], to destination: Frame
  ) throws(RasterError) -> (submission: Submission, report: RenderReport) {
    var report = RenderReport(passes: plan.passes.count)
    let slot = next
    report.deviceTime = try translated { () throws(VulkanError) in try slots[slot].finish() }
    let prepared = try prepare(plan, sources, destination, &report)
    try prepared.load(slot: slot, &report)
    do throws(VulkanError) {
      let submission = try record(prepared, slot, sources, destination)
      next = (slot + 1) % Renderer.depth
      for plane in destination.planes { plane.memory?.noteWrite(submission) }
      return (submission, report)
    } catch {
      // The caller lets go of the frames now, and copies of them may have begun.
      try? copyLine?.finish(slot: slot)
      return try translated { () throws(VulkanError) in throw error }
    }
  }

  /// Waits until all frames are done.
  ///
  /// - Returns: device time of frames that no report has named, in nanoseconds.
  package mutating func finish() throws(RasterError) -> UInt64 {
    var time: UInt64 = 0
    for slot in slots.indices {
      time += try translated { () throws(VulkanError) in try slots[slot].finish() }
    }
    return time
  }

  private mutating func record(
    _ prepared: PreparedPlan, _ slot: Int, _ sources: [Frame], _ destination: Frame
  ) throws(VulkanError) -> Submission {
    // Frames before may still use the room between passes.
    var needsBarrier = prepared.hasSharedMemory
    dependencies.removeAll(keepingCapacity: true)
    // Copies are on another line than the kernels, and these wait for the copies.
    let copies = !prepared.copies.isEmpty
    for frame in sources { note(frame, isOnOwnLine: !copies, &needsBarrier) }
    if copies { try copy(prepared.copies, sources, slot) }
    note(destination, isOnOwnLine: true, &needsBarrier)
    try slots[slot].begin()
    var encoder = slots[slot].encoder()
    if needsBarrier { encoder.barrier() }
    try prepared.record(slot: slot, sources, destination, &encoder)
    let submission = try slots[slot].submit(to: queue, after: dependencies)
    // No line of work is held on to for longer.
    dependencies.removeAll(keepingCapacity: true)
    return submission
  }

  /// Brings frames near the device, which the kernels then wait for in place of what the copies wait for.
  private mutating func copy(
    _ copies: [FrameCopy], _ sources: [Frame], _ slot: Int
  ) throws(VulkanError) {
    if copyLine == nil { copyLine = try CopyLine(on: context.device) }
    let copied = try copyLine?.submit(
      copies, sources, slot: slot, after: dependencies, context.device.limits)
    dependencies.removeAll(keepingCapacity: true)
    if let copied { dependencies.append(copied) }
  }

  /// Notes what has to be done before a frame is read or written.
  ///
  /// - Parameter isOnOwnLine: whether that is on the kernels' line, where a barrier orders the work.
  private mutating func note(_ frame: Frame, isOnOwnLine: Bool, _ needsBarrier: inout Bool) {
    for plane in frame.planes {
      guard let write = plane.memory?.pendingWrite else { continue }
      if isOnOwnLine && write.queue === queue {
        needsBarrier = true
      } else if !dependencies.contains(where: { $0.isSame(as: write) }) {
        dependencies.append(write)
      }
    }
  }

  /// The kernels of a plan: those of a frame before where only numbers changed, and where frames lie.
  private mutating func prepare(
    _ plan: RenderPlan, _ sources: [Frame], _ destination: Frame, _ report: inout RenderReport
  ) throws(RasterError) -> PreparedPlan {
    let isKnown = variants.first?.isLike(plan) ?? false
    if isKnown, let known = variants.first(where: { $0.fits(sources, destination) }) {
      known.adopt(plan)
      return known
    }
    if !isKnown { report.newPlans += 1 }
    if !isKnown || variants.count == Renderer.mostVariants {
      // What is no longer needed is let go of before more is asked for, but not while it is used.
      report.deviceTime += try finish()
    }
    let shared = variants.first?.intermediates
    if !isKnown { variants.removeAll() }
    if variants.count == Renderer.mostVariants { variants.removeFirst() }
    let made = try PreparedPlan(
      plan, sources, destination, context, stills, reusing: shared, &report)
    variants.append(made)
    return made
  }
}
