internal import RasterGraph
internal import RasterVulkan

/// A program's tables and numbers in memory that the device reads quickly.
///
/// Tables are written when they are first used; the numbers when they change, which is safe since a
/// frame is waited for before the next begins. Thread-safety: one thread at a time.
struct Lookups: ~Copyable {
  /// The tables of the program that was loaded last, in its order.
  private(set) var tables: [BufferBinding] = []
  /// Its numbers, as a uniform block; empty where it has none.
  private(set) var values: [BufferBinding] = []

  private let context: RenderContext
  private var known: [LookupTable] = []
  private var loaded: [Float] = []

  init(_ context: RenderContext) { self.context = context }

  /// Brings the tables of a program to the device, and its numbers where they are not pushed.
  mutating func load(_ program: PointwiseProgram, withValues: Bool) throws(RasterError) {
    if program.tables != known { try loadTables(program.tables) }
    guard withValues, program.values != loaded else { return }
    if program.values.count != loaded.count {
      // A block is made of vec4s.
      let count = (program.values.count + 3) / 4 * 4
      values = [try allocate(count)]
    }
    values[0].buffer.address.withMemoryRebound(to: Float.self, capacity: program.values.count) {
      for (index, value) in program.values.enumerated() { $0[index] = value }
    }
    loaded = program.values
  }

  private mutating func loadTables(_ wanted: [LookupTable]) throws(RasterError) {
    var result: [BufferBinding] = []
    for table in wanted {
      if let index = known.firstIndex(of: table) {
        result.append(tables[index])
        continue
      }
      let binding = try allocate(table.values.count)
      binding.buffer.address.withMemoryRebound(to: Float.self, capacity: table.values.count) {
        for (index, value) in table.values.enumerated() { $0[index] = value }
      }
      result.append(binding)
    }
    tables = result
    known = wanted
  }

  private func allocate(_ count: Int) throws(RasterError) -> BufferBinding {
    let size = max(16, count * MemoryLayout<Float>.size)
    let buffer = try translated { () throws(VulkanError) in
      try HostBuffer(allocating: size, on: context.device, nearDevice: true)
    }
    return BufferBinding(buffer, offset: 0, size: size)
  }
}
