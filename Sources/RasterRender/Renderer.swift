package import RasterGraph
internal import RasterVulkan

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

/// Renders frames one after the other.
///
/// Kernels, bindings and intermediate results are kept from frame to frame and made anew only when the
/// structure of the work changes. Thread-safety: one thread at a time.
package struct Renderer: ~Copyable {
  package let context: RenderContext
  private var slot: CommandSlot
  private var prepared: PreparedPlan?
  private let stills: StillStore

  package init(_ context: RenderContext) throws(RasterError) {
    self.context = context
    stills = StillStore(context)
    slot = try translated { () throws(VulkanError) in try CommandSlot(on: context.device) }
  }

  /// Renders a plan, and returns when the bytes are written.
  ///
  /// - Parameters:
  ///   - sources: the frames of the plan's graph, in the layouts and sizes that it was planned for.
  ///   - destination: the frame to write, likewise.
  package mutating func render(
    _ plan: RenderPlan, from sources: [Frame], to destination: Frame
  ) throws(RasterError) -> RenderReport {
    var report = RenderReport(passes: plan.passes.count)
    let prepared = try prepare(plan, sources, destination, &report)
    try prepared.load(&report)
    do throws(VulkanError) {
      try slot.begin()
      var encoder = slot.encoder()
      try prepared.record(sources, destination, &encoder)
      report.deviceTime = try slot.finish()
      return report
    } catch {
      return try translated { () throws(VulkanError) in throw error }
    }
  }

  /// The kernels of a plan: those of the frame before where only numbers changed.
  private mutating func prepare(
    _ plan: RenderPlan, _ sources: [Frame], _ destination: Frame, _ report: inout RenderReport
  ) throws(RasterError) -> PreparedPlan {
    if let prepared, prepared.fits(sources, destination) {
      if prepared.plan.identity === plan.identity { return prepared }
      if prepared.adopts(plan) { return prepared }
    }
    report.newPlans += 1
    // What is no longer needed is let go of before more is asked for.
    let old = prepared?.takeIntermediates()
    prepared = nil
    let made = try PreparedPlan(
      plan, sources, destination, context, stills, reusing: old, &report)
    prepared = made
    return made
  }
}
