internal import RasterGraph
internal import RasterShader
internal import RasterVulkan

/// All that passes of a plan may read and write.
struct PassFrames {
  let plan: RenderPlan
  let sources: [Frame]
  let destination: Frame
  let stills: [Frame]
  let intermediates: [IntermediateBuffer]
  /// Copies near the device.
  let copies: [FrameCopy]

  /// The copy of a frame, if kernels read that.
  func copy(of frame: Int) -> FrameCopy? { copies.first { $0.index == frame } }

  /// An input of a kernel as a frame.
  func input(_ input: SampledKernel.Input) throws(RasterError) -> (frame: Frame, extent: Extent) {
    switch input {
    case .frame(let index) where sources.indices.contains(index):
      return (sources[index], plan.sourceExtents[index])
    case .still(let index) where stills.indices.contains(index):
      return (stills[index], plan.stills[index].extent)
    case .intermediate(let index) where intermediates.indices.contains(index):
      if let frame = intermediates[index].frame { return frame }
    default: break
    }
    throw RasterError(
      .internalFailure, "A pass reads a picture that is not there.",
      remedy: "Report it with the settings of the element.")
  }
}

/// A pass with its kernel. Thread-safety: one thread at a time.
final class PreparedPass {
  var pass: RenderPlan.Pass
  private let pipeline: ComputePipeline
  private let limits: DeviceLimits
  private let isFirst: Bool
  private let shape: Shape
  /// Bytes of the uniform block before the numbers: offsets and strides of planes that the push constants do not
  /// hold.
  private let placingSize: Int
  /// Set where the pass is divided into regions with kernels of their own.
  private var regions: LayerRegions?
  /// The uniform blocks of the regions' kernels, for each frame under way.
  private var regionBlocks: PerFrame<HostBuffer?> = InlineArray(repeating: nil)
  private let device: Device
  let inputs: [Input]
  /// One for each frame under way.
  private var lookups: PerFrame<Lookups>
  private var bindings: [BufferBinding] = []
  private var constants: [UInt32] = []

  /// How the picture is divided.
  private enum Shape {
    /// Blocks in bands of rows, with the bytes of the access units of both frames' planes.
    case walk(KernelTarget, units: (read: [Int], written: [Int]), bandRows: Int)
    /// Blocks, with the bytes of the access units of the planes that are written.
    case blocks(KernelTarget, written: [Int])
    case tiles(columns: Int, rows: Int)
  }

  /// What is bound for reading.
  enum Input {
    case source(Int, Extent)
    case fixed(Frame, Extent)
    /// A frame of which the device has a copy near by.
    case copied(Int, Extent, FrameCopy)
  }

  init(
    _ pass: RenderPlan.Pass, isFirst: Bool, regionLimit: Int, _ frames: PassFrames,
    _ context: RenderContext, _ report: inout RenderReport
  ) throws(RasterError) {
    self.pass = pass
    self.isFirst = isFirst
    device = context.device
    limits = context.device.limits
    lookups = InlineArray { _ in Lookups(context) }
    let maker = PassMaker(pass: pass, frames: frames, context: context)
    let (key, planes): (KernelKey, Int)
    switch pass.body {
    case .pointwise(let operations, let index, let isHeavy):
      let rows = try maker.bandRows(index)
      let plan = try maker.walk(operations, index, rows: rows, isHeavy: isHeavy)
      (key, planes) = (.pointwise(plan), 0)
      shape = .walk(plan.target, units: plan.units, bandRows: rows)
      let copy = rows < pass.extent.height ? nil : frames.copy(of: index)
      inputs = [copy.map { .copied(index, pass.extent, $0) } ?? .source(index, pass.extent)]
    case .sampled(let kernel):
      let plan = try maker.sampled(kernel)
      (key, planes) = (.sampled(plan), plan.planeCount)
      shape = .blocks(plan.target, written: plan.target.access.map(\.bytes))
      inputs = try PreparedPass.inputs(kernel, frames)
      regions = try maker.regions(kernel, limit: regionLimit, &report)
    case .curves(let kernel, let columns, let rows):
      let plan = try maker.curves(kernel)
      (key, planes) = (.curves(plan), plan.planeCount)
      shape = .tiles(columns: columns, rows: rows)
      inputs = try PreparedPass.inputs(kernel, frames)
    }
    let known = regions?.anyPipeline
    let (pipeline, isNew) = if let known { (known, false) } else { try context.kernel(for: key) }
    self.pipeline = pipeline
    let pushed = pipeline.pushConstantSize / 4
    placingSize = pushed > PushConstants.headCount ? 0 : (planes * 2 + 3) / 4 * 16
    report.compiledKernels += isNew ? 1 : 0
  }

  private static func inputs(
    _ kernel: SampledKernel, _ frames: PassFrames
  ) throws(RasterError) -> [Input] {
    var result: [Input] = []
    for input in kernel.inputs {
      let (frame, extent) = try frames.input(input)
      guard case .frame(let index) = input else {
        result.append(.fixed(frame, extent))
        continue
      }
      if let copy = frames.copy(of: index) {
        result.append(.copied(index, extent, copy))
      } else {
        result.append(.source(index, extent))
      }
    }
    return result
  }

  /// Brings tables and numbers to the device.
  func load(slot: Int, report: inout RenderReport) throws(RasterError) {
    // Regions have numbers of their own.
    guard regions == nil else { return }
    report.allocations += try lookups[slot].load(
      pass.tables, pass.numbers, uniformSize: pipeline.uniformSize, numbersAt: placingSize)
  }

  /// Adds the pass to a command buffer.
  func record(
    slot: Int, _ sources: [Frame], _ destination: Frame, _ intermediates: [IntermediateBuffer],
    _ encoder: inout DispatchEncoder
  ) throws(VulkanError) {
    switch shape {
    case .walk(let target, let units, let rows):
      for first in stride(from: 0, to: pass.extent.height, by: rows) {
        let band = Extent(
          width: pass.extent.width, height: min(rows, pass.extent.height - first))
        begin(target.blocks(band), band)
        bind(slot, inputs[0], sources, firstRow: first, band, units: units.read)
        bind(destination, firstRow: first, band, units.written)
        end(slot, intermediates)
        try dispatch(target, band, &encoder)
      }
    case .blocks(let target, let written):
      if !isFirst { encoder.barrier() }
      if let regions {
        let output = output(destination, intermediates)
        let all = regions.regions(pass.numbers)
        return try record(all, slot, sources, output, &encoder)
      }
      begin(target.blocks(pass.extent), pass.extent)
      for input in inputs { bind(slot, input, sources) }
      bind(output(destination, intermediates), firstRow: 0, pass.extent, written)
      end(slot, intermediates)
      try dispatch(target, pass.extent, &encoder)
    case .tiles(let columns, let rows):
      if !isFirst { encoder.barrier() }
      begin((columns, rows), pass.extent)
      for input in inputs { bind(slot, input, sources) }
      if case .intermediate(let index) = pass.output {
        let buffer = intermediates[index].buffer
        bindings.append(BufferBinding(buffer, offset: 0, size: buffer.size))
        append(0, 0)
      }
      end(slot, intermediates)
      try dispatch((columns, rows), &encoder)
    }
  }

  private func dispatch(
    _ target: KernelTarget, _ extent: Extent, _ encoder: inout DispatchEncoder
  ) throws(VulkanError) {
    try dispatch(target.workgroups(target.blocks(extent)), &encoder)
  }

  private func dispatch(
    _ groups: (columns: Int, lines: Int), _ encoder: inout DispatchEncoder
  ) throws(VulkanError) {
    try dispatch(pipeline, groups, &encoder)
  }

  func dispatch(
    _ pipeline: ComputePipeline, _ groups: (columns: Int, lines: Int),
    _ encoder: inout DispatchEncoder
  ) throws(VulkanError) {
    let (bindings, constants) = (bindings, constants)
    try encoder.dispatch(
      pipeline, bindings: bindings.span, pushConstants: constants.span.bytes,
      groups: (UInt32(clamping: groups.columns), UInt32(clamping: groups.lines)))
  }
}

// MARK: - Bindings

extension PreparedPass {
  private func begin(_ blocks: (columns: Int, lines: Int), _ extent: Extent) {
    bindings.removeAll(keepingCapacity: true)
    constants.removeAll(keepingCapacity: true)
    append(blocks.columns - 1, blocks.lines - 1)
    append(extent.height - 1, extent.width - 1)
  }

  /// Adds tables and numbers.
  private func end(_ slot: Int, _ intermediates: [IntermediateBuffer]) {
    switch pass.body {
    case .pointwise: bindings.append(contentsOf: lookups[slot].tables)
    case .sampled(let kernel), .curves(let kernel, _, _):
      for table in kernel.tables {
        switch table {
        case .values(let index): bindings.append(lookups[slot].tables[index])
        case .intermediate(let index):
          let buffer = intermediates[index].buffer
          bindings.append(BufferBinding(buffer, offset: 0, size: buffer.size))
        }
      }
    }
    if pipeline.uniformSize > 0 {
      bindings.append(contentsOf: lookups[slot].values)
      if placingSize > 0 { lookups[slot].place(takePlaces()) }
    } else {
      appendConstants(pass.numbers)
    }
  }

  func appendConstants(_ numbers: [Float]) {
    for number in numbers { constants.append(number.bitPattern) }
  }

  /// Offsets and strides of the planes, which then are no push constants.
  func takePlaces() -> [UInt32] {
    defer { constants.removeSubrange(PushConstants.headCount...) }
    return Array(constants.dropFirst(PushConstants.headCount))
  }

  func bind(_ binding: BufferBinding) { bindings.append(binding) }

  /// Room for the uniform blocks of regions; nil where they need none. The frame that used it before is done.
  func regionBlock(_ slot: Int, size: Int) throws(VulkanError) -> HostBuffer? {
    guard size > 0 else { return nil }
    if let known = regionBlocks[slot], known.size >= size { return known }
    let made = try HostBuffer(allocating: 2 * size, on: device, nearDevice: true)
    regionBlocks[slot] = made
    return made
  }

  /// Begins the constants of a region, by blocks.
  func begin(_ first: (column: Int, line: Int), _ size: (columns: Int, lines: Int)) {
    begin((first.column + size.columns, first.line + size.lines), pass.extent)
  }

  private func output(_ destination: Frame, _ intermediates: [IntermediateBuffer]) -> Frame {
    guard case .intermediate(let index) = pass.output, let own = intermediates[index].frame else {
      return destination
    }
    return own.frame
  }

  func bind(
    _ slot: Int, _ input: Input, _ sources: [Frame], firstRow: Int = 0, _ band: Extent? = nil,
    units: [Int]? = nil, texels: [Bool] = []
  ) {
    switch input {
    case .source(let index, let extent):
      let frame = sources[index]
      bind(frame, firstRow: firstRow, band ?? extent, units, texels: texels)
    case .fixed(let frame, let extent):
      bind(frame, firstRow: 0, extent, frame.layout.isFloat ? [8] : nil, texels: texels)
    case .copied(let index, let extent, let copy):
      let frame = sources[index]
      for (plane, buffer) in copy.planes[slot].enumerated() {
        let geometry = BoundPlane(frame, plane, extent, limits).geometry
        let unit = units?[plane] ?? 1
        bindings.append(BufferBinding(buffer, offset: 0, size: buffer.size))
        append(geometry.offset / unit, geometry.stride / unit)
      }
    }
  }

  /// Adds the planes of a frame from a row on, in units of their access: bytes where there are none.
  func bind(
    _ frame: Frame, firstRow: Int, _ extent: Extent, _ units: [Int]?, texels: [Bool] = []
  ) {
    for index in frame.layout.planes.indices {
      let bound = BoundPlane(frame, index, firstRow: firstRow, extent, limits)
      let unit = units?[index] ?? 1
      bindings.append(
        BufferBinding(
          frame.planes[index].buffer, offset: bound.start, size: bound.geometry.available))
      // Texels are those of the whole buffer.
      let start = texels.isEmpty || !texels[index] ? 0 : bound.start
      append((start + bound.geometry.offset) / unit, bound.geometry.stride / unit)
    }
  }

  private func append(_ first: Int, _ second: Int) {
    constants.append(UInt32(bitPattern: Int32(clamping: first)))
    constants.append(UInt32(bitPattern: Int32(clamping: second)))
  }
}

extension KernelPlan {
  /// Bytes of the access units of both frames' planes.
  fileprivate var units: (read: [Int], written: [Int]) {
    let read = sourceAccess.map { access in
      if case .vectors(let bytes) = access { bytes } else { 1 }
    }
    return (read, target.access.map(\.bytes))
  }
}
