/// Everything that decides the text of a kernel, and nothing that changes from frame to frame.
///
/// Plans are compared and hashed: frames with equal plans share one compiled kernel.
package struct RenderPlan: Hashable, Sendable, CustomStringConvertible {
  package let source: PixelLayout
  package let destination: PixelLayout
  package let operations: [PointwiseProgram.Operation]
  /// One for each plane of the source.
  package let sourceAccess: [SourceAccess]
  /// One for each plane of the destination.
  package let destinationAccess: [DestinationAccess]
  /// Pixels across that one invocation covers.
  package let blockWidth: Int
  /// Rows that one invocation covers.
  package let blockHeight: Int
  /// Invocations of a workgroup, all in one row of blocks.
  package let workgroupWidth: Int
  package let usesWideWords: Bool
  /// Whether the channels of a pixel are computed together: chroma is then repeated for the pixels
  /// that share it, and theirs averaged at the end.
  package let mixesChannels: Bool
  /// Whether the last chroma sample of a row has one pixel instead of two.
  package let hasHalfSample: Bool

  /// - Parameters:
  ///   - program: what happens to each pixel.
  ///   - width: pixels across, at least 1.
  ///   - height: rows, at least 1.
  ///   - input: where the planes of the source lie.
  ///   - output: where the planes of the destination lie: offsets and strides in whole words, and
  ///     no neighbor in the bytes that fill a row up to its stride.
  package init(
    _ program: PointwiseProgram, from source: PixelLayout, _ input: [PlaneGeometry],
    to destination: PixelLayout, _ output: [PlaneGeometry], width: Int, height: Int,
    style: KernelStyle
  ) throws(RasterError) {
    let size = (width, height)
    let block = RenderPlan.blockWidth(
      source.planes + destination.planes,
      RenderPlan.accesses(source, input, size) { _ in style.vectorBytes }
        + RenderPlan.accesses(destination, output, size) { _ in style.vectorBytes }, style: style)
    func widest(_ plane: PixelLayout.Plane) -> Int {
      let bytes = plane.rowBytes(width: block)
      return min(style.widestBytes, bytes & -bytes)
    }
    let reads = RenderPlan.accesses(source, input, size, widest: widest)
    let writes = RenderPlan.accesses(destination, output, size, widest: widest)
    let blocks = (width + block - 1) / block
    self.source = source
    self.destination = destination
    operations = program.operations
    sourceAccess = reads
    destinationAccess = try RenderPlan.guarded(
      writes, destination, output, width: width, height: height, paddedWidth: blocks * block)
    blockWidth = block
    blockHeight = max(source.blockHeight, destination.blockHeight)
    workgroupWidth = RenderPlan.workgroupWidth(blocks: blocks, style: style)
    usesWideWords = style.usesWideWords
    mixesChannels = program.mixesChannels
    hasHalfSample =
      program.mixesChannels && width % 2 == 1
      && destination.planes.contains { $0.horizontalSubsampling > 0 }
  }

  /// The widest access of each plane, within the bytes that `widest` allows for it.
  private static func accesses(
    _ layout: PixelLayout, _ geometry: [PlaneGeometry], _ size: (width: Int, height: Int),
    widest: (PixelLayout.Plane) -> Int
  ) -> [SourceAccess] {
    zip(layout.planes, geometry).map { plane, geometry in
      let extent = plane.extent(geometry, width: size.width, height: size.height)
      return SourceAccess(geometry, needed: extent.upperBound, widest: widest(plane))
    }
  }

  /// How planes are written, where rows are as wide as all blocks together.
  private static func guarded(
    _ accesses: [SourceAccess], _ layout: PixelLayout, _ geometry: [PlaneGeometry], width: Int,
    height: Int, paddedWidth: Int
  ) throws(RasterError) -> [DestinationAccess] {
    var result: [DestinationAccess] = []
    for ((plane, geometry), access) in zip(zip(layout.planes, geometry), accesses) {
      guard case .vectors(let bytes) = access else {
        throw RasterError(
          .invalidFrame, "The rows of the output frame do not start at multiples of 4 bytes.",
          remedy: "Let downstream offer a pool with aligned strides, or none.")
      }
      let stride = abs(geometry.stride)
      let written = plane.rowBytes(width: paddedWidth)
      let extent = plane.extent(geometry, width: width, height: height)
      let end = extent.upperBound - plane.rowBytes(width: width) + min(written, stride)
      guard end <= geometry.available else {
        throw RasterError(
          .invalidFrame, "The last row of the output frame is shorter than its stride.",
          remedy: "Let downstream offer a pool with whole rows, or none.")
      }
      result.append(DestinationAccess(bytes: bytes, isGuarded: written > stride))
    }
    return result
  }

  /// The least power of two for which every plane's share of a block is made of whole vectors.
  private static func blockWidth(
    _ planes: [PixelLayout.Plane], _ accesses: [SourceAccess], style: KernelStyle
  ) -> Int {
    var width = 1 << (planes.map(\.horizontalSubsampling).max() ?? 0)
    while width < 1024 {
      let isWhole = zip(planes, accesses).allSatisfy { plane, access in
        plane.rowBytes(width: width) % access.granularity == 0
      }
      let height = 1 << (planes.map(\.verticalSubsampling).max() ?? 0)
      let bytes = (planes.first?.rowBytes(width: width) ?? 0) * height
      if isWhole, bytes >= style.blockBytes { return width }
      width *= 2
    }
    return width
  }

  /// Splits a row of blocks evenly over workgroups, so that few invocations have nothing to do.
  private static func workgroupWidth(blocks: Int, style: KernelStyle) -> Int {
    let groups = (blocks + style.workgroupSize - 1) / style.workgroupSize
    let width = (blocks + groups - 1) / groups
    return min((width + 7) / 8 * 8, style.workgroupSize)
  }

  /// One line: formats, operations, and how memory is walked.
  package var description: String {
    let steps = operations.map { operation in
      switch operation {
      case .matrix(let shape): "matrix(\(shape))"
      case .function(let call): call.source
      case .codeLimits: "code-limits"
      case .opacity: "opacity"
      }
    }
    return "\(source.name) → \(steps.joined(separator: " → ")) → \(destination.name), "
      + "1 pass, block \(blockWidth)×\(blockHeight)"
  }
}

extension PixelLayout.Plane {
  /// The bytes of the bound range that hold samples: from the first of the lowest row to the end
  /// of the last of the highest.
  package func extent(_ geometry: PlaneGeometry, width: Int, height: Int) -> Range<Int> {
    let last = geometry.offset + (rows(height: height) - 1) * geometry.stride
    let start = min(geometry.offset, last)
    return start..<(max(geometry.offset, last) + rowBytes(width: width))
  }
}
