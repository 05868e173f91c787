internal import RasterGraph
internal import RasterVulkan

/// A pass's tables and numbers in memory that the device reads quickly.
///
/// Tables are written when they are first used; the numbers when they change, which is safe since each frame
/// under way has its own. Thread-safety: one thread at a time.
struct Lookups {
  /// The tables that were loaded last, in their order.
  private(set) var tables: [BufferBinding] = []
  /// The numbers, as a uniform block; empty where it has none.
  private(set) var values: [BufferBinding] = []

  private let context: RenderContext
  private var known: [LookupTable] = []
  private var loaded: [Float] = []

  init(_ context: RenderContext) { self.context = context }

  /// Brings tables to the device, and numbers where they are not pushed.
  ///
  /// - Parameters:
  ///   - uniformSize: bytes of the uniform block; 0 for none.
  ///   - numbersAt: where the numbers begin in it, in bytes.
  /// - Returns: buffers that were allocated.
  mutating func load(
    _ wanted: [LookupTable], _ numbers: [Float], uniformSize: Int, numbersAt: Int
  ) throws(RasterError) -> Int {
    var allocations = 0
    if wanted != known { allocations += try loadTables(wanted) }
    guard uniformSize > 0 else { return allocations }
    if values.isEmpty {
      values = [try allocate(uniformSize)]
      allocations += 1
    }
    guard numbers != loaded else { return allocations }
    write(numbers, to: values[0], at: numbersAt)
    loaded = numbers
    return allocations
  }

  /// Writes numbers at the start of the uniform block.
  func place(_ numbers: [UInt32]) {
    guard let block = values.first else { return }
    numbers.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      block.buffer.address.copyMemory(from: source, byteCount: min(bytes.count, block.size))
    }
  }

  /// Tables of one size take the place of those before.
  private mutating func loadTables(_ wanted: [LookupTable]) throws(RasterError) -> Int {
    var result: [BufferBinding] = []
    var allocations = 0
    for (index, table) in wanted.enumerated() {
      if known.indices.contains(index), known[index] == table {
        result.append(tables[index])
        continue
      }
      let size = max(16, table.values.count * MemoryLayout<Float>.size)
      if tables.indices.contains(index), tables[index].size == size {
        result.append(tables[index])
      } else {
        result.append(try allocate(size))
        allocations += 1
      }
      write(table.values, to: result[index], at: 0)
    }
    tables = result
    known = wanted
    return allocations
  }

  private func write(_ numbers: [Float], to binding: BufferBinding, at offset: Int) {
    let count = min(numbers.count, (binding.size - offset) / MemoryLayout<Float>.size)
    numbers.withUnsafeBytes { bytes in
      let start = UnsafeRawBufferPointer(rebasing: bytes.prefix(count * MemoryLayout<Float>.size))
      guard let source = start.baseAddress else { return }
      (binding.buffer.address + offset).copyMemory(from: source, byteCount: start.count)
    }
  }

  private func allocate(_ size: Int) throws(RasterError) -> BufferBinding {
    let rounded = (size + 15) / 16 * 16
    let buffer = try translated { () throws(VulkanError) in
      try HostBuffer(allocating: rounded, on: context.device, nearDevice: true)
    }
    return BufferBinding(buffer, offset: 0, size: size)
  }
}

/// Pictures in memory, brought to the device once.
///
/// Thread-safety: one thread at a time.
final class StillStore {
  private let context: RenderContext
  private var known: [(still: StillImage, frame: Frame)] = []

  init(_ context: RenderContext) { self.context = context }

  /// The frames of pictures; those that are no longer wanted are let go of.
  func frames(
    _ wanted: [StillImage], _ report: inout RenderReport
  ) throws(RasterError) -> [Frame] {
    known = known.filter { wanted.contains($0.still) }
    var result: [Frame] = []
    for still in wanted {
      if let own = known.first(where: { $0.still == still }) {
        result.append(own.frame)
        continue
      }
      let frame = try upload(still)
      report.allocations += 1
      known.append((still, frame))
      result.append(frame)
    }
    return result
  }

  private func upload(_ still: StillImage) throws(RasterError) -> Frame {
    let size = still.pixels.count * MemoryLayout<UInt16>.size
    let buffer = try translated { () throws(VulkanError) in
      try HostBuffer(allocating: size + 64, on: context.device, nearDevice: true)
    }
    still.pixels.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      buffer.address.copyMemory(from: source, byteCount: bytes.count)
    }
    return Frame(
      layout: .wide,
      planes: [FramePlane(buffer: buffer, offset: 0, stride: still.extent.width * 8)])
  }
}
