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
    let pipeline: ComputePipeline
    let part: LayerChain.Part
    /// First block across and down.
    let first: (column: Int, line: Int)
    /// Blocks across and down.
    let size: (columns: Int, lines: Int)
    /// Bytes of the uniform block before the numbers.
    let placingSize: Int
  }

  private struct Key: Hashable {
    /// The kind of the lowest layer, which hides all below; nil where that is seen.
    let bottom: Int?
    let kinds: [Int]
    let reading: SampledKernel.RowReading
  }

  private let chain: LayerChain
  private let shape: Shape
  private let context: RenderContext
  private let limit: Int
  /// Layers of the same kind can stand for each other.
  private var kinds: [Int] = []
  private var kernels: [Key: ComputePipeline] = [:]
  private let block: Extent
  /// One of the kernels.
  var anyPipeline: ComputePipeline? { kernels.values.first }
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
    var block = Extent(width: 4, height: 1)
    for layer in chain.layers.indices {
      var plans: [SampledPlan] = []
      for reading in [SampledKernel.RowReading.whole, .cut] {
        let part = chain.part(.base, [(layer, true)], reading)
        plans.append(try LayerRegions.plan(part, shape, context))
      }
      if let target = plans.first?.target {
        block = Extent(width: target.blockWidth, height: target.blockHeight)
      }
      kinds.append(found.firstIndex(of: plans) ?? found.count)
      if kinds[layer] == found.count { found.append(plans) }
    }
    self.block = block
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
    for reading in [SampledKernel.RowReading.planes, .whole, .cut] {
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
    if reading == .planes, !canSplitPlanes(bottom, layers) { return }
    let part = chain.part(bottom, layers.map { ($0, true) }, reading)
    let (pipeline, isNew) = try context.kernel(
      for: .sampled(LayerRegions.plan(part, shape, context)))
    kernels[key] = pipeline
    if isNew { report.compiledKernels += 1 }
  }

  private func canSplitPlanes(_ bottom: LayerChain.Bottom, _ layers: [Int]) -> Bool {
    chain.canSplitPlanes(bottom, layers, shape.inputs.map(\.layout), to: shape.target)
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
    var readings: [SampledKernel.RowReading] = cell.isWhole ? [.whole, .cut] : [.cut]
    if cell.isWhole, chain.hasEvenPlaces(cell.layers, numbers) { readings.insert(.planes, at: 0) }
    for reading in readings {
      guard let pipeline = kernels[key(bottom, layers.map(\.0), reading)] else { continue }
      let part = chain.part(bottom, layers, reading)
      let planes = part.inputs.reduce(shape.target.planes.count) {
        $0 + shape.inputs[$1].layout.planes.count
      }
      let isPlaced = pipeline.pushConstantSize / 4 > PushConstants.headCount
      return Region(
        pipeline: pipeline, part: part, first: (cell.columns.lowerBound, cell.lines.lowerBound),
        size: (cell.columns.count, cell.lines.count),
        placingSize: isPlaced ? 0 : (planes * 2 + 3) / 4 * 16)
    }
    return nil
  }
}
