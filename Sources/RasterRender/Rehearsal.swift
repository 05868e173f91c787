package import RasterGraph
internal import RasterVulkan

/// Compiles what a plan needs before a frame has to wait for it.
///
/// Knows where the frames of a stream lie in their memory, since kernels depend on that, but holds none of
/// them. Thread-safety: usable from any thread.
package struct Rehearsal: Sendable {
  private let context: RenderContext
  private let sources: [FrameOutline]
  private let destination: FrameOutline

  /// A rehearsal for frames that lie like these.
  package init(_ context: RenderContext, from sources: [Frame], to destination: Frame) {
    self.context = context
    self.sources = sources.map { FrameOutline($0) }
    self.destination = FrameOutline(destination)
  }

  /// Makes all kernels of a plan, so that its first frame finds them ready. Takes as long as compiling does:
  /// seconds on a CPU.
  ///
  /// - Returns: how many kernels were compiled.
  package func run(_ plan: RenderPlan) throws(RasterError) -> Int {
    let compiled = try prepare(plan)
    if compiled > 0, context.device.deviceClass == .cpu { try renderApart(plan) }
    return compiled
  }

  private func prepare(_ plan: RenderPlan) throws(RasterError) -> Int {
    var report = RenderReport()
    let frames = try frames(for: context)
    _ = try PreparedPlan(
      plan, frames.sources, frames.destination, context, StillStore(context), reusing: nil,
      &report)
    return report.compiledKernels
  }

  /// Renders a frame on a device of its own.
  ///
  /// A CPU driver makes machine code when a kernel first runs, in the thread that works for the queue: on the
  /// stream's device frames would wait for it. Mesa keeps the code in files, where the other device finds it.
  private func renderApart(_ plan: RenderPlan) throws(RasterError) {
    let twin = try context.makeTwin()
    let frames = try frames(for: twin)
    var renderer = try Renderer(twin)
    _ = try renderer.render(plan, from: frames.sources, to: frames.destination)
  }

  private func frames(
    for context: RenderContext
  ) throws(RasterError) -> (sources: [Frame], destination: Frame) {
    var made: [Frame] = []
    for source in sources { made.append(try source.makeFrame(for: context)) }
    return (made, try destination.makeFrame(for: context))
  }
}

/// Where the planes of a frame lie in its memory, without the memory.
private struct FrameOutline: Sendable {
  private let layout: PixelLayout
  private var memories: [(size: Int, isOnDevice: Bool)] = []
  private var planes: [(memory: Int, offset: Int, stride: Int)] = []

  init(_ frame: Frame) {
    layout = frame.layout
    var buffers: [HostBuffer] = []
    for plane in frame.planes {
      let index = buffers.firstIndex { $0 === plane.buffer } ?? buffers.count
      if index == buffers.count {
        buffers.append(plane.buffer)
        memories.append((plane.buffer.size, plane.memory?.isOnDevice == true))
      }
      planes.append((index, plane.offset, plane.stride))
    }
  }

  /// A frame in new memory; its contents are undefined.
  func makeFrame(for context: RenderContext) throws(RasterError) -> Frame {
    var made: [FrameMemory] = []
    for memory in memories {
      made.append(try FrameMemory(size: memory.size, onDevice: memory.isOnDevice, context))
    }
    return Frame(
      layout: layout,
      planes: planes.map { plane in
        let memory = made[plane.memory]
        return FramePlane(
          buffer: memory.buffer, offset: plane.offset, stride: plane.stride, memory: memory)
      })
  }
}
