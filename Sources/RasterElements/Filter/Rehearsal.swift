internal import CShim
internal import RasterGraph
internal import RasterRender
internal import Synchronization

/// What the last frames were rendered with: new settings are tried with the same before frames need them.
struct RehearsalStage: Sendable {
  let streams: FilterStreams
  let plan: RenderPlan
  let rehearsal: Rehearsal
}

/// The thread that runs.
private var thisThread: UInt { UInt(bitPattern: g_thread_self()) }

extension FilterElement {
  /// Whether a change of settings by this thread is tried before it counts: not before there were frames, and
  /// never where the streaming thread itself brings animated values.
  var rehearses: Bool {
    animatingThread.load(ordering: .acquiring) != thisThread && stage.withLock { $0 != nil }
  }

  /// Compiles what frames need with new settings, in the thread that is about to set them, so that the
  /// streaming thread does not wait for it. Those that are not named are as they are.
  ///
  /// Must be called without locks. Returns at once where the same kernels are needed as for the last frame; else
  /// it may take seconds.
  func rehearse(
    chain: ColorChain? = nil, steps: [any Filter]? = nil, isLinear: Bool? = nil
  ) {
    guard rehearses, let stage = stage.withLock({ $0 }) else { return }
    let known = settings.withLock { ($0.chain, $0.isLinear) }
    let work = FilterWork(
      version: 0, chain: chain ?? known.0,
      steps: steps ?? self.steps.filters,
      isLinear: isLinear ?? known.1)
    // Such frames are not rendered.
    if work.filters.isEmpty, stage.streams.areAlike { return }
    guard keepsSize(work, stage.streams) else { return }
    // The stream reports errors itself, when it meets them.
    guard let plan = try? work.plan(stage.streams, time: 0), !plan.hasKernels(of: stage.plan),
      let compiled = try? stage.rehearsal.run(plan)
    else { return }
    core.stats.withLock { $0.pipelines += UInt64(clamping: compiled) }
  }

  /// Whether frames will be of the size that they are of: where others lie is known when they are agreed on.
  private func keepsSize(_ work: FilterWork, _ streams: FilterStreams) -> Bool {
    guard let natural = negotiation.withLock({ $0.natural?.extent }) else { return true }
    // Where downstream wants a size of its own, that stays.
    return natural != streams.output.frame.extent
      || natural == work.image(of: streams.input.frame, time: 0).extent
  }

  /// The same for one step that is to become another filter.
  func rehearse(_ step: FilterStep, as filter: any Filter) {
    rehearse(steps: steps.steps.map { $0 === step ? filter : $0.value })
  }

  func rehearse(_ steps: [any Filter], of list: StepList) { rehearse(steps: steps) }

  /// Runs `body`, in which nothing is rehearsed.
  func withoutRehearsal(_ body: () -> Void) {
    animatingThread.store(thisThread, ordering: .releasing)
    body()
    animatingThread.store(0, ordering: .releasing)
  }

  /// Forgets how frames lay, unless those of `streams` are likely to lie likewise.
  func dropStage(unlessLike streams: FilterStreams?) {
    stage.withLock { stage in
      if let streams, let known = stage?.streams, known.hasSameFrames(as: streams) { return }
      stage = nil
    }
  }
}
