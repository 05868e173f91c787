internal import RasterGraph
internal import RasterShader
internal import RasterVulkan

extension PreparedPass {
  /// Bytes between uniform blocks of one buffer: the largest alignment that Vulkan lets a device ask for.
  private static let blockAlignment = 256

  /// Adds the regions of the pass to a command buffer, a dispatch each. They write different blocks, so no barrier
  /// is between them.
  func record(
    _ regions: [LayerRegions.Region], _ slot: Int, _ sources: [Frame], _ output: Frame,
    _ encoder: inout DispatchEncoder
  ) throws(VulkanError) {
    let sizes = regions.map { region in
      (region.kernel.pipeline.uniformSize + Self.blockAlignment - 1) / Self.blockAlignment
        * Self.blockAlignment
    }
    let blocks = try regionBlock(slot, size: sizes.reduce(0, +))
    var offset = 0
    for (region, size) in zip(regions, sizes) {
      begin(region.first, region.size)
      for (input, texels) in zip(region.part.inputs, region.kernel.texelPlanes) {
        bind(slot, inputs[input], sources, texels: texels)
      }
      bind(output, firstRow: 0, pass.extent, region.kernel.written)
      let numbers =
        region.part.numbers.map { $0.map { pass.numbers[$0] } ?? 0 }
        + [Float(region.first.column), Float(region.first.line)]
      end(region, numbers, blocks, offset)
      offset += size
      try dispatch(
        region.kernel.pipeline, region.kernel.target.workgroups(region.size), &encoder)
    }
  }

  /// Brings the numbers of a region to its kernel.
  private func end(
    _ region: LayerRegions.Region, _ numbers: [Float], _ blocks: HostBuffer?, _ offset: Int
  ) {
    guard region.kernel.pipeline.uniformSize > 0, let blocks else {
      appendConstants(numbers)
      return
    }
    let start = blocks.address + offset
    if region.placingSize > 0 { Self.copy(takePlaces(), to: start) }
    Self.copy(numbers, to: start + region.placingSize)
    bind(BufferBinding(blocks, offset: offset, size: region.kernel.pipeline.uniformSize))
  }

  private static func copy<Number>(_ numbers: [Number], to address: UnsafeMutableRawPointer) {
    numbers.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      address.copyMemory(from: source, byteCount: bytes.count)
    }
  }
}
