internal import RasterGraph
internal import RasterShader
internal import RasterVulkan

/// The kernels of a composition on a device that computes both sides of branches: one for each number of layers
/// that lie on each other, run over the regions where they do.
///
/// All are made at once, so that layers which move need no new one. Thread-safety: one thread at a time.
final class LayerRegions {
  /// What all kernels have in common.
  struct Shape {
    let inputs: [SampledPlan.Input]
    /// The same for kernels that read whole rows.
    let wholeInputs: [SampledPlan.Input]
    let target: PixelLayout
    let geometry: [PlaneGeometry]
    let extent: Extent
  }

  /// A kernel over blocks of the picture.
  struct Region {
    let kernel: Kernel
    let part: LayerChain.Part
    /// First block of the kernel across and down.
    let first: (column: Int, line: Int)
    /// Blocks of the kernel across and down.
    let size: (columns: Int, lines: Int)
    /// Bytes of the uniform block before the numbers.
    let placingSize: Int
  }

  struct Kernel {
    let pipeline: ComputePipeline
    let target: KernelTarget
    /// Bytes of the access units of the planes that are written.
    let written: [Int]
    /// For each input and plane whether it is read as texels.
    let texelPlanes: [[Bool]]
  }

  private struct Key: Hashable {
    /// The kind of the lowest layer, which hides all below; nil where that is seen.
    let bottom: Int?
    let kinds: [Int]
    let reading: SampledKernel.RowReading
  }

  private struct PartKey: Hashable {
    let bottom: LayerChain.Bottom
    let layers: [Int]
    let areSeen: [Bool]
    let reading: SampledKernel.RowReading
  }

  private let chain: LayerChain
  private let shape: Shape
  private let context: RenderContext
  private let limit: Int
  /// Layers of the same kind can stand for each other.
  private var kinds: [Int] = []
  private var kernels: [Key: Kernel] = [:]
  /// The largest block that a kernel has.
  private var block = Extent(width: 4, height: 1)
  /// One of the kernels.
  var anyPipeline: ComputePipeline? { kernels.values.first?.pipeline }
  /// What moving layers need again and again.
  private var parts: [PartKey: LayerChain.Part] = [:]
  private static let partLimit = 256
  private var known: (numbers: [Float], regions: [Region])?

  init(
    _ chain: LayerChain, _ shape: Shape, _ context: RenderContext, limit: Int,
    _ report: inout RenderReport
  ) throws(RasterError) {
    self.chain = chain
    self.shape = shape
    self.context = context
    self.limit = limit
    var found: [[SampledPlan]] = []
    for layer in chain.layers.indices {
      var plans: [SampledPlan] = []
      for reading in [SampledKernel.RowReading.whole, .cut] {
        let part = chain.part(.base, [(layer, true)], reading)
        plans.append(try LayerRegions.plan(part, shape, context))
      }
      kinds.append(found.firstIndex(of: plans) ?? found.count)
      if kinds[layer] == found.count { found.append(plans) }
    }
    try prepare(&report)
  }

  private static func plan(
    _ part: LayerChain.Part, _ shape: Shape, _ context: RenderContext
  ) throws(RasterError) -> SampledPlan {
    let inputs = part.kernel.reading.isWhole ? shape.wholeInputs : shape.inputs
    return try SampledPlan(
      part.kernel, inputs: part.inputs.map { inputs[$0] }, to: shape.target, shape.geometry,
      shape.extent, style: context.style(isHeavy: false))
  }

  // MARK: - Kernels

  /// Numbers of layers on each other that have kernels of their own.
  private var counts: [Int] {
    let all = chain.layers.count
    return [1, 2, 4].filter { $0 < all } + [all]
  }

  private var hasOneKind: Bool { Set(kinds).count == 1 }

  private func prepare(_ report: inout RenderReport) throws(RasterError) {
    for reading in [SampledKernel.RowReading.planes, .cutPlanes, .whole, .cut] {
      try add(.base, [], reading, &report)
      for kind in Set(kinds) {
        guard let layer = kinds.firstIndex(of: kind) else { continue }
        try add(.base, [layer], reading, &report)
        if chain.layers[layer].call.hasOpaqueBounds { try add(.layer(layer), [], reading, &report) }
      }
    }
    if hasOneKind {
      for count in counts {
        try add(.base, Array(0..<count), .cut, &report)
        if count <= 4 { try add(.base, Array(0..<count), .cutPlanes, &report) }
        if count <= 2 { try add(.base, Array(0..<count), .whole, &report) }
      }
    } else {
      try add(.base, Array(kinds.indices), .cut, &report)
    }
  }

  private func key(
    _ bottom: LayerChain.Bottom, _ layers: [Int], _ reading: SampledKernel.RowReading
  ) -> Key {
    var kind: Int?
    if case .layer(let layer) = bottom { kind = kinds[layer] }
    return Key(bottom: kind, kinds: layers.map { kinds[$0] }, reading: reading)
  }

  private func add(
    _ bottom: LayerChain.Bottom, _ layers: [Int], _ reading: SampledKernel.RowReading,
    _ report: inout RenderReport
  ) throws(RasterError) {
    let key = key(bottom, layers, reading)
    guard kernels[key] == nil else { return }
    switch reading {
    case .planes, .cutPlanes: guard canSplitPlanes(bottom, layers, reading) else { return }
    // Planes apart take less.
    case .whole: guard !canSplitPlanes(bottom, layers, .planes) else { return }
    case .cut, .branching: break
    }
    let part = chain.part(bottom, layers.map { ($0, true) }, reading)
    let plan = try LayerRegions.plan(part, shape, context)
    let (pipeline, isNew) = try context.kernel(for: .sampled(plan))
    kernels[key] = Kernel(
      pipeline: pipeline, target: plan.target, written: plan.target.access.map(\.bytes),
      texelPlanes: plan.inputs.indices.map { plan.texelPlanes($0) })
    block = Extent(
      width: max(block.width, plan.target.blockWidth),
      height: max(block.height, plan.target.blockHeight))
    if isNew { report.compiledKernels += 1 }
  }

  private func canSplitPlanes(
    _ bottom: LayerChain.Bottom, _ layers: [Int], _ reading: SampledKernel.RowReading
  ) -> Bool {
    shape.wholeInputs.allSatisfy { $0.canLoadBlocks(at: reading) }
      && chain.canSplitPlanes(bottom, layers, shape.inputs.map(\.layout), to: shape.target)
  }

  // MARK: - Regions

  /// The regions of a frame: one with all layers where there would be too many.
  func regions(_ numbers: [Float]) -> [Region] {
    if let known, known.numbers == numbers { return known.regions }
    var cells = RegionGrid(chain, shape.extent, block, numbers).cells
    if cells.count > limit { cells = [RegionGrid.whole(chain, shape.extent, block)] }
    let regions = cells.compactMap { region($0, numbers) }
    known = (numbers, regions)
    return regions
  }

  private func region(_ cell: RegionGrid.Cell, _ numbers: [Float]) -> Region? {
    var (bottom, layers) = (LayerChain.Bottom.base, cell.layers.map { ($0, true) })
    if cell.isHidden, let first = cell.layers.first, cell.layers.count == 1 {
      (bottom, layers) = (.layer(first), [])
    } else if hasOneKind, let last = cell.layers.last {
      let count = counts.first { $0 >= layers.count } ?? layers.count
      layers += [(Int, Bool)](repeating: (last, false), count: count - layers.count)
    } else if layers.count > 1 {
      layers = chain.layers.indices.map { ($0, cell.layers.contains($0)) }
    }
    for reading in [SampledKernel.RowReading.planes, .cutPlanes, .whole, .cut] {
      guard let kernel = kernels[key(bottom, layers.map(\.0), reading)],
        canRead(reading, cell, numbers)
      else { continue }
      return region(kernel, part(bottom, layers, reading), cell)
    }
    return nil
  }

  private func part(
    _ bottom: LayerChain.Bottom, _ layers: [(Int, Bool)], _ reading: SampledKernel.RowReading
  ) -> LayerChain.Part {
    let key = PartKey(
      bottom: bottom, layers: layers.map(\.0), areSeen: layers.map(\.1), reading: reading)
    if let known = parts[key] { return known }
    if parts.count >= LayerRegions.partLimit { parts.removeAll() }
    let made = chain.part(bottom, layers, reading)
    parts[key] = made
    return made
  }

  private func canRead(
    _ reading: SampledKernel.RowReading, _ cell: RegionGrid.Cell, _ numbers: [Float]
  ) -> Bool {
    if reading.arePlanesApart, !chain.hasEvenPlaces(cell.layers, numbers) { return false }
    return !reading.isWhole || cell.isWhole
  }

  private func region(
    _ kernel: Kernel, _ part: LayerChain.Part, _ cell: RegionGrid.Cell
  ) -> Region {
    let planes = part.inputs.reduce(shape.target.planes.count) {
      $0 + shape.inputs[$1].layout.planes.count
    }
    let isPlaced = kernel.pipeline.pushConstantSize / 4 > PushConstants.headCount
    let across = block.width / kernel.target.blockWidth
    let down = block.height / kernel.target.blockHeight
    let (columns, lines) = kernel.target.blocks(shape.extent)
    let (first, line) = (cell.columns.lowerBound * across, cell.lines.lowerBound * down)
    return Region(
      kernel: kernel, part: part, first: (first, line),
      size: (
        min(cell.columns.upperBound * across, columns) - first,
        min(cell.lines.upperBound * down, lines) - line
      ),
      placingSize: isPlaced ? 0 : (planes * 2 + 3) / 4 * 16)
  }
}
