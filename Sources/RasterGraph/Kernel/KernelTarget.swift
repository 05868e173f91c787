/// How a kernel divides a picture into blocks and writes them.
package struct KernelTarget: Hashable, Sendable {
  package let layout: PixelLayout
  /// One for each plane.
  package let access: [DestinationAccess]
  /// Pixels across that one invocation covers.
  package let blockWidth: Int
  /// Rows that one invocation covers.
  package let blockHeight: Int
  /// Invocations of a workgroup across.
  package let workgroupWidth: Int
  /// Invocations of a workgroup down.
  package let workgroupHeight: Int
  /// Whether rows are read as texels where their places allow it.
  package let readsTexels: Bool
  /// Whether floats become integers by way of their bits.
  package let convertsByBits: Bool
  /// Whether a workgroup goes on along its row of blocks to the end.
  package let walksRows: Bool
  package let usesWideWords: Bool
  /// Whether chroma is computed for every pixel, and then averaged over those that share it.
  package let averagesChroma: Bool
  /// Whether the last chroma sample of a row has one pixel instead of two.
  package let hasHalfSample: Bool

  /// - Parameters:
  ///   - geometry: where the planes lie: offsets and strides in whole words, and no neighbor in the bytes
  ///     that fill a row up to its stride.
  ///   - blockWidth: pixels whose part of each plane is made of whole words.
  ///   - grouping: how blocks are put together in workgroups.
  package init(
    _ layout: PixelLayout, _ geometry: [PlaneGeometry], _ extent: Extent, blockWidth: Int,
    blockHeight: Int, averagesChroma: Bool, grouping: Grouping = .rows,
    style: KernelStyle
  ) throws(RasterError) {
    let blocks = (extent.width + blockWidth - 1) / blockWidth
    self.layout = layout
    access = try KernelTarget.access(
      layout, geometry, extent, blockWidth: blockWidth, paddedWidth: blocks * blockWidth, style)
    self.blockWidth = blockWidth
    self.blockHeight = blockHeight
    self.averagesChroma = averagesChroma
    switch grouping {
    case .rows where style.walksRows:
      (workgroupWidth, workgroupHeight) = (KernelTarget.walkWidth, 1)
      walksRows = true
    case .rows, .parts:
      workgroupWidth = KernelTarget.workgroupWidth(blocks: blocks, style: style)
      workgroupHeight = 1
      walksRows = false
    case .tiles:
      (workgroupWidth, workgroupHeight) = (style.tile.width, style.tile.height)
      walksRows = false
    }
    usesWideWords = style.usesWideWords
    convertsByBits = style.convertsByBits
    readsTexels = style.readsTexels
    hasHalfSample =
      averagesChroma && extent.width % 2 == 1
      && layout.planes.contains { $0.horizontalSubsampling > 0 }
  }

  /// How the blocks of a picture are put together in workgroups.
  package enum Grouping: Sendable {
    /// Rows, along which workgroups walk where that is better.
    case rows
    /// Parts of rows that are as long as the picture's width allows.
    case parts
    /// As compact as can be.
    case tiles
  }

  /// Workgroups for blocks across and down.
  package func workgroups(_ blocks: (columns: Int, lines: Int)) -> (columns: Int, lines: Int) {
    (
      walksRows ? 1 : (blocks.columns + workgroupWidth - 1) / workgroupWidth,
      (blocks.lines + workgroupHeight - 1) / workgroupHeight
    )
  }

  /// Blocks across and down.
  package func blocks(_ extent: Extent) -> (columns: Int, lines: Int) {
    (
      (extent.width + blockWidth - 1) / blockWidth, (extent.height + blockHeight - 1) / blockHeight
    )
  }

  /// How planes are written, where rows are as wide as all blocks together.
  private static func access(
    _ layout: PixelLayout, _ geometry: [PlaneGeometry], _ extent: Extent, blockWidth: Int,
    paddedWidth: Int, _ style: KernelStyle
  ) throws(RasterError) -> [DestinationAccess] {
    var result: [DestinationAccess] = []
    for (plane, geometry) in zip(layout.planes, geometry) {
      let needed = plane.extent(geometry, width: extent.width, height: extent.height)
      let access = SourceAccess(
        geometry, needed: needed.upperBound,
        widest: style.widest(bytes: plane.rowBytes(width: blockWidth)))
      guard case .vectors(let bytes) = access else {
        throw RasterError(
          .invalidFrame, "The rows of the output frame do not start at multiples of 4 bytes.",
          remedy: "Let downstream offer a pool with aligned strides, or none.")
      }
      let stride = abs(geometry.stride)
      let written = plane.rowBytes(width: paddedWidth)
      let end =
        needed.upperBound - plane.rowBytes(width: extent.width) + min(written, stride)
      guard end <= geometry.available else {
        throw RasterError(
          .invalidFrame, "The last row of the output frame is shorter than its stride.",
          remedy: "Let downstream offer a pool with whole rows, or none.")
      }
      result.append(DestinationAccess(bytes: bytes, isGuarded: written > stride))
    }
    return result
  }

  /// Invocations that lavapipe computes at once.
  private static let walkWidth = 8

  /// Splits a row of blocks evenly over workgroups, so that few invocations have nothing to do.
  private static func workgroupWidth(blocks: Int, style: KernelStyle) -> Int {
    let groups = (blocks + style.workgroupSize - 1) / style.workgroupSize
    let width = (blocks + groups - 1) / groups
    return min((width + 7) / 8 * 8, style.workgroupSize)
  }
}

extension KernelStyle {
  /// Bytes of the widest access that a run of bytes is a multiple of.
  func widest(bytes: Int) -> Int { min(widestBytes, bytes & -bytes) }
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
