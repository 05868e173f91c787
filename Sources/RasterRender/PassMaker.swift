internal import RasterGraph
internal import RasterVulkan

/// Makes the plans of kernels for the frames that a pass works on.
struct PassMaker {
  let pass: RenderPlan.Pass
  let frames: PassFrames
  let context: RenderContext

  private var limits: DeviceLimits { context.device.limits }

  /// A walk over whole words of a source and the destination.
  func walk(
    _ operations: [PointwiseProgram.Operation], _ index: Int, rows: Int, isHeavy: Bool
  ) throws(RasterError) -> KernelPlan {
    let source = frames.sources[index]
    let band = Extent(width: pass.extent.width, height: min(rows, pass.extent.height))
    return try KernelPlan(
      operations, from: source.layout, bandGeometry(source, band),
      to: frames.destination.layout, bandGeometry(frames.destination, band), band,
      style: context.style(isHeavy: isHeavy, isWalk: true))
  }

  /// The geometry of the first band, with no more memory behind its samples than the last one has: one kernel
  /// is for all bands, and its widest loads reach beyond the last sample.
  private func bandGeometry(_ frame: Frame, _ band: Extent) -> [PlaneGeometry] {
    let first = (pass.extent.height - 1) / band.height * band.height
    let rest = Extent(width: band.width, height: pass.extent.height - first)
    return frame.layout.planes.indices.map { plane in
      let own = BoundPlane(frame, plane, band, limits)
      let last = BoundPlane(frame, plane, firstRow: first, rest, limits)
      let slack = min(own.geometry.available - own.end, last.geometry.available - last.end)
      return PlaneGeometry(
        offset: own.geometry.offset, stride: own.geometry.stride, available: own.end + slack)
    }
  }

  /// A kernel over the whole of its inputs.
  func sampled(_ kernel: SampledKernel) throws(RasterError) -> SampledPlan {
    let target = try target()
    return try SampledPlan(
      kernel, inputs: try inputs(kernel), to: target.layout, geometry(target, pass.extent),
      pass.extent, style: context.style(isHeavy: false))
  }

  private func target() throws(RasterError) -> Frame {
    var target = frames.destination
    if case .intermediate(let index) = pass.output, let own = frames.intermediates[index].frame {
      target = own.frame
    }
    try checkSize(target, pass.extent)
    return target
  }

  /// Kernels for regions of a composition; nil where the device leaves out by itself what a branch does not need.
  ///
  /// - Parameter limit: regions that the pass may have.
  func regions(
    _ kernel: SampledKernel, limit: Int, _ report: inout RenderReport
  ) throws(RasterError) -> LayerRegions? {
    guard context.device.deviceClass == .cpu, let chain = LayerChain(kernel) else { return nil }
    let target = try target()
    let shape = LayerRegions.Shape(
      inputs: try inputs(kernel), wholeInputs: try inputs(kernel, readsWhole: true),
      target: target.layout, geometry: geometry(target, pass.extent), extent: pass.extent)
    return try LayerRegions(chain, shape, context, limit: limit, &report)
  }

  /// A kernel that measures its picture; where it writes is not a picture.
  func curves(_ kernel: SampledKernel) throws(RasterError) -> SampledPlan {
    let stride = pass.extent.halfStride
    let target = PlaneGeometry(
      offset: 0, stride: stride, available: stride * pass.extent.height + 64)
    return try SampledPlan(
      kernel, inputs: try inputs(kernel), to: .half, [target], pass.extent,
      style: context.style(isHeavy: false))
  }

  private func inputs(
    _ kernel: SampledKernel, readsWhole: Bool = false
  ) throws(RasterError) -> [SampledPlan.Input] {
    var result: [SampledPlan.Input] = []
    for input in kernel.inputs {
      let (frame, extent) = try frames.input(input)
      try checkSize(frame, extent)
      result.append(
        SampledPlan.Input(frame.layout, geometry(frame, extent), readsWhole: readsWhole))
    }
    return result
  }

  private func geometry(_ frame: Frame, _ extent: Extent) -> [PlaneGeometry] {
    frame.layout.planes.indices.map { BoundPlane(frame, $0, extent, limits).geometry }
  }

  private func tooLarge(_ extent: Extent) -> RasterError {
    RasterError(
      .invalidFrame, "A frame of \(extent) pixels is too large for \(context.device.name).",
      remedy: "Use smaller frames, or choose another device.")
  }

  /// Kernels that read at computed places need each plane as one range.
  private func checkSize(_ frame: Frame, _ extent: Extent) throws(RasterError) {
    guard extent.width <= 1 << 20, extent.height <= limits.maxWorkGroupCount.y else {
      throw tooLarge(extent)
    }
    for (plane, position) in zip(frame.layout.planes, frame.planes) {
      let rows = plane.rows(height: extent.height)
      let (span, overflow) = abs(position.stride).multipliedReportingOverflow(by: rows)
      guard !overflow, span <= min(limits.maxStorageBufferRange - 256, Int(Int32.max)) else {
        throw tooLarge(extent)
      }
    }
  }

  /// Rows that one dispatch of a walk covers: all, unless a plane is larger than a binding may be.
  func bandRows(_ index: Int) throws(RasterError) -> Int {
    guard frames.sources.indices.contains(index) else { throw tooLarge(pass.extent) }
    let (source, destination) = (frames.sources[index], frames.destination)
    let (width, height) = (pass.extent.width, pass.extent.height)
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
    else { throw tooLarge(pass.extent) }
    return rows
  }
}
