/// How kernels are shaped for a kind of device: the one place that says so.
package struct KernelStyle: Hashable, Sendable {
  /// Bytes of the loads and stores that blocks are made of: 4, 8, 16 or 32.
  package let vectorBytes: Int
  /// Bytes of the widest load and store, used in planes of which a block has that much in a row.
  package let widestBytes: Int
  /// Whether vectors are made of 64-bit words, which halves the number of memory accesses where
  /// each costs a loop over the lanes.
  package let usesWideWords: Bool
  /// Bytes of the first plane that an invocation covers at least.
  package let blockBytes: Int
  /// Invocations of a workgroup.
  package let workgroupSize: Int
  /// Invocations across and down of a workgroup that leaves out layers which are not there.
  package let tile: Extent
  /// Whether invocations go on along the row instead of being many.
  package let walksRows: Bool
  /// Whether rows that start at multiples of 16 bytes are read as texels of that size: lavapipe loads these for all lanes
  /// at once.
  package var readsTexels = false
  /// Whether floats become integers by way of their bits, where lavapipe converts a lane at a time.
  package var convertsByBits = false

  package init(
    vectorBytes: Int, widestBytes: Int, usesWideWords: Bool, blockBytes: Int, workgroupSize: Int,
    walksRows: Bool = false, tile: Extent = Extent(width: 16, height: 16)
  ) {
    self.tile = tile
    self.walksRows = walksRows
    self.vectorBytes = vectorBytes
    self.widestBytes = widestBytes
    self.usesWideWords = usesWideWords
    self.blockBytes = blockBytes
    self.workgroupSize = workgroupSize
  }

  /// For GPUs: neighboring invocations take neighboring words, so that loads coalesce, and no
  /// invocation comes back for more of the same row, which would cross PCIe twice.
  package static let gpu = KernelStyle(
    vectorBytes: 4, widestBytes: 16, usesWideWords: false, blockBytes: 4, workgroupSize: 128)

  /// For walks over whole words on GPUs: workgroups as large as that fill both directions of the bus best.
  ///
  /// - Parameter limit: invocations that a workgroup may have on the device.
  package static func gpuWalk(limit: Int) -> KernelStyle {
    KernelStyle(
      vectorBytes: gpu.vectorBytes, widestBytes: gpu.widestBytes, usesWideWords: false,
      blockBytes: gpu.blockBytes, workgroupSize: limit >= 512 ? 512 : gpu.workgroupSize)
  }

  /// For lavapipe, which turns each load into a loop over its lanes, and computes eight invocations at once, of which
  /// each eight cost something to start: few, wide loads, and eight invocations that walk along a row, so that memory
  /// is read in its order.
  package static let cpu = KernelStyle(
    vectorBytes: 32, widestBytes: 32, usesWideWords: true, blockBytes: 64, workgroupSize: 256,
    walksRows: true)

  /// For lavapipe and programs with much arithmetic: small blocks, since straight code for a large one
  /// takes LLVM minutes to compile, and memory is not what counts then.
  package static let heavyCPU = KernelStyle(
    vectorBytes: 4, widestBytes: 32, usesWideWords: true, blockBytes: 16, workgroupSize: 256,
    walksRows: true)

  /// For lavapipe without 64-bit integers.
  package static let narrowCPU = KernelStyle(
    vectorBytes: 16, widestBytes: 16, usesWideWords: false, blockBytes: 64, workgroupSize: 256,
    walksRows: true)
}
