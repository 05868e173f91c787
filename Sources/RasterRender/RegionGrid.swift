internal import RasterGraph

/// A picture divided into rectangles of blocks in each of which the same layers are seen.
struct RegionGrid {
  struct Cell {
    /// Blocks.
    var columns: Range<Int>
    var lines: Range<Int>
    /// From the bottom up.
    var layers: [Int]
    /// Whether the lowest of the layers hides what is below.
    var isHidden: Bool
    /// Whether the layers' pictures hold all of the cell, from multiples of a block on, and it does not reach beyond
    /// the frame. Others need not be cells of their own: they are read in the same way.
    var isWhole: Bool

    func isLike(_ other: Cell) -> Bool {
      layers == other.layers && isHidden == other.isHidden && isWhole == other.isWhole
    }
  }

  private(set) var cells: [Cell] = []

  private let chain: LayerChain
  private let extent: Extent
  private let block: Extent
  private let numbers: [Float]

  /// - Parameters:
  ///   - block: pixels that are computed together.
  ///   - numbers: those of the whole kernel.
  init(_ chain: LayerChain, _ extent: Extent, _ block: Extent, _ numbers: [Float]) {
    self.chain = chain
    self.extent = extent
    self.block = block
    self.numbers = numbers
    let bounds = chain.layers.indices.flatMap { layer in
      [chain.bounds(layer, numbers), chain.opaqueBounds(layer, numbers)].compactMap { $0 }
    }.filter { !$0.isEmpty }
    let across = cuts(bounds.flatMap { [$0.left, $0.right] }, block.width, extent.width)
    let down = cuts(bounds.flatMap { [$0.top, $0.bottom] }, block.height, extent.height)
    for lines in down {
      var row: [Cell] = []
      for columns in across {
        let cell = cell(columns, lines)
        if let last = row.last, last.isLike(cell) {
          row[row.count - 1].columns = last.columns.lowerBound..<columns.upperBound
        } else {
          row.append(cell)
        }
      }
      append(row)
    }
  }

  /// The whole picture with all of its layers.
  static func whole(_ chain: LayerChain, _ extent: Extent, _ block: Extent) -> Cell {
    Cell(
      columns: 0..<(extent.width + block.width - 1) / block.width,
      lines: 0..<(extent.height + block.height - 1) / block.height,
      layers: Array(chain.layers.indices), isHidden: false, isWhole: false)
  }

  /// Adds a row of cells; those that go on one above become one with it.
  private mutating func append(_ row: [Cell]) {
    for cell in row {
      let above = cells.lastIndex {
        $0.lines.upperBound == cell.lines.lowerBound && $0.columns == cell.columns
          && $0.isLike(cell)
      }
      if let above {
        cells[above].lines = cells[above].lines.lowerBound..<cell.lines.upperBound
      } else {
        cells.append(cell)
      }
    }
  }

  /// The ranges of blocks between edges; a block that an edge goes through is a range of its own.
  private func cuts(_ edges: [Int], _ size: Int, _ length: Int) -> [Range<Int>] {
    let count = (length + size - 1) / size
    var all: Set<Int> = [0, count]
    // The last block may reach beyond the frame.
    if length % size != 0 { all.insert(count - 1) }
    for edge in edges where edge > 0 && edge < length {
      all.insert(edge / size)
      all.insert((edge + size - 1) / size)
    }
    let sorted = all.sorted()
    return zip(sorted, sorted.dropFirst()).map { $0..<$1 }
  }

  private func cell(_ columns: Range<Int>, _ lines: Range<Int>) -> Cell {
    let whole = Bounds(
      left: columns.lowerBound * block.width, top: lines.lowerBound * block.height,
      right: columns.upperBound * block.width, bottom: lines.upperBound * block.height)
    let seen = Bounds(
      left: whole.left, top: whole.top, right: min(whole.right, extent.width),
      bottom: min(whole.bottom, extent.height))
    var layers: [Int] = []
    var isHidden = false
    for layer in chain.layers.indices {
      if let own = chain.bounds(layer, numbers), !own.meets(seen) { continue }
      if let own = chain.opaqueBounds(layer, numbers), own.contains(seen) {
        layers = []
        isHidden = true
      }
      layers.append(layer)
    }
    let onBase = !isHidden || layers.count > 1
    let isWhole =
      whole == seen && chain.hasWholeRows(layers, onBase: onBase, whole, numbers)
      && chain.areAligned(layers, onBase: onBase, to: block.width, numbers)
    return Cell(
      columns: columns, lines: lines, layers: layers, isHidden: isHidden, isWhole: isWhole)
  }
}

extension Bounds {
  fileprivate func meets(_ other: Bounds) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  fileprivate func contains(_ other: Bounds) -> Bool {
    left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
  }
}
