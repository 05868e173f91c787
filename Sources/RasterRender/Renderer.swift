package import RasterGraph
internal import RasterShader
internal import RasterVulkan

/// What one frame cost.
package struct RenderReport: Hashable, Sendable {
  /// Times that the frame's memory was walked.
  package var passes = 0
  /// Kernels that had to be compiled first.
  package var compiledKernels = 0
  /// Time that the device took, in nanoseconds; 0 where it has no clock.
  package var deviceTime: UInt64 = 0
}

/// Renders frames one after the other.
///
/// Plan, kernel and bindings are kept from frame to frame and made anew only when the structure of
/// the work changes. Thread-safety: one thread at a time.
package struct Renderer: ~Copyable {
  package let context: RenderContext
  private var slot: CommandSlot
  private var prepared: Prepared?
  private var bindings: [BufferBinding] = []
  private var constants: [UInt32] = []
  private var lookups: Lookups

  private struct Key: Hashable {
    var operations: [PointwiseProgram.Operation]
    var source: PixelLayout
    var destination: PixelLayout
    var geometry: [PlaneGeometry]
    var width: Int
    var height: Int
  }

  private struct Prepared {
    let key: Key
    let plan: RenderPlan
    let pipeline: ComputePipeline
  }

  package init(_ context: RenderContext) throws(RasterError) {
    self.context = context
    lookups = Lookups(context)
    slot = try translated { () throws(VulkanError) in try CommandSlot(on: context.device) }
  }

  /// Renders `source` into `destination`, and returns when the bytes are written.
  ///
  /// - Parameters:
  ///   - width: pixels across of both frames, at least 1.
  ///   - height: rows of both frames, at least 1.
  package mutating func render(
    _ program: PointwiseProgram, from source: Frame, to destination: Frame, width: Int, height: Int
  ) throws(RasterError) -> RenderReport {
    var report = RenderReport(passes: 1)
    let rows = try bandRows(source, destination, width: width, height: height)
    let (plan, pipeline) = try prepare(
      program, source, destination, width, min(height, rows), &report)
    try lookups.load(program, withValues: pipeline.hasUniforms)
    report.deviceTime = try submit { (renderer, encoder) throws(VulkanError) in
      for first in stride(from: 0, to: height, by: rows) {
        let count = min(rows, height - first)
        renderer.bind(
          plan, program, source, destination, rows: (first, count), width,
          hasUniforms: pipeline.hasUniforms)
        let columns = (width + plan.blockWidth - 1) / plan.blockWidth
        let lines = (count + plan.blockHeight - 1) / plan.blockHeight
        let groups = (columns + plan.workgroupWidth - 1) / plan.workgroupWidth
        try encoder.dispatch(
          pipeline, bindings: renderer.bindings.span, pushConstants: renderer.constants.span.bytes,
          groups: (UInt32(clamping: groups), UInt32(clamping: lines)))
      }
    }
    return report
  }

  private mutating func submit(
    _ record: (inout Renderer, inout DispatchEncoder) throws(VulkanError) -> Void
  ) throws(RasterError) -> UInt64 {
    do throws(VulkanError) {
      try slot.begin()
      var encoder = slot.encoder()
      try record(&self, &encoder)
      return try slot.finish()
    } catch {
      return try translated { () throws(VulkanError) in throw error }
    }
  }
}

// MARK: - Preparing

extension Renderer {
  /// The plan and the kernel for a frame: those of the frame before where nothing changed.
  private mutating func prepare(
    _ program: PointwiseProgram, _ source: Frame, _ destination: Frame, _ width: Int,
    _ height: Int, _ report: inout RenderReport
  ) throws(RasterError) -> (RenderPlan, ComputePipeline) {
    let input = geometry(source, width: width, height: height)
    let output = geometry(destination, width: width, height: height)
    let key = Key(
      operations: program.operations, source: source.layout, destination: destination.layout,
      geometry: input + output, width: width, height: height)
    if let prepared, prepared.key == key { return (prepared.plan, prepared.pipeline) }
    let plan = try RenderPlan(
      program, from: source.layout, input, to: destination.layout, output, width: width,
      height: height, style: context.style(for: program))
    let (pipeline, isNew) = try context.kernel(for: plan)
    if isNew { report.compiledKernels += 1 }
    prepared = Prepared(key: key, plan: plan, pipeline: pipeline)
    return (plan, pipeline)
  }

  private func geometry(_ frame: Frame, width: Int, height: Int) -> [PlaneGeometry] {
    zip(frame.layout.planes, frame.planes).map { plane, position in
      BoundPlane(
        position, firstRow: 0, rows: plane.rows(height: height), limits: context.device.limits
      ).geometry
    }
  }

  /// Rows that one dispatch covers: all, unless a plane is larger than a binding may be.
  private func bandRows(
    _ source: Frame, _ destination: Frame, width: Int, height: Int
  ) throws(RasterError) -> Int {
    let limits = context.device.limits
    let blockHeight = max(source.layout.blockHeight, destination.layout.blockHeight)
    var lines = min(limits.maxWorkGroupCount.y, (height + blockHeight - 1) / blockHeight)
    for frame in [source, destination] {
      for (plane, position) in zip(frame.layout.planes, frame.planes) {
        let bytesPerLine = max(1, abs(position.stride) * plane.rows(height: blockHeight))
        // The range starts a little before the plane and ends a little behind it.
        let usable = limits.maxStorageBufferRange - limits.storageBufferOffsetAlignment - 64
        lines = min(lines, (usable - plane.rowBytes(width: width)) / bytesPerLine)
      }
    }
    let rows = lines * blockHeight
    guard rows > 0, (height + rows - 1) / rows <= CommandSlot.maxDispatches,
      width <= limits.maxWorkGroupCount.x
    else {
      throw RasterError(
        .invalidFrame,
        "A frame of \(width)×\(height) pixels is too large for \(context.device.name).",
        remedy: "Use smaller frames, or choose another device.")
    }
    return rows
  }

  /// Fills `bindings` and `constants` for a band of rows.
  private mutating func bind(
    _ plan: RenderPlan, _ program: PointwiseProgram, _ source: Frame, _ destination: Frame,
    rows: (first: Int, count: Int), _ width: Int, hasUniforms: Bool
  ) {
    let (first, count) = rows
    let limits = context.device.limits
    bindings.removeAll(keepingCapacity: true)
    constants.removeAll(keepingCapacity: true)
    let columns = (width + plan.blockWidth - 1) / plan.blockWidth
    let lines = (count + plan.blockHeight - 1) / plan.blockHeight
    append(columns - 1, lines - 1, count - 1)
    if plan.hasHalfSample { append(width - 1) }
    for (index, access) in plan.sourceAccess.enumerated() {
      let unit =
        switch access {
        case .vectors(let bytes): bytes
        case .unaligned: 1
        }
      bind(source.planes[index], source.layout.planes[index], first, count, unit, limits)
    }
    for (index, access) in plan.destinationAccess.enumerated() {
      bind(
        destination.planes[index], destination.layout.planes[index], first, count, access.bytes,
        limits)
    }
    bindings.append(contentsOf: lookups.tables)
    if hasUniforms {
      bindings.append(contentsOf: lookups.values)
    } else {
      for value in program.values { constants.append(value.bitPattern) }
    }
  }

  private mutating func bind(
    _ plane: FramePlane, _ layout: PixelLayout.Plane, _ first: Int, _ count: Int, _ unit: Int,
    _ limits: DeviceLimits
  ) {
    let bound = BoundPlane(
      plane, firstRow: first >> layout.verticalSubsampling, rows: layout.rows(height: count),
      limits: limits)
    bindings.append(
      BufferBinding(plane.buffer, offset: bound.start, size: bound.geometry.available))
    append(bound.geometry.offset / unit, bound.geometry.stride / unit)
  }

  private mutating func append(_ numbers: Int...) {
    for number in numbers { constants.append(UInt32(bitPattern: Int32(clamping: number))) }
  }
}
