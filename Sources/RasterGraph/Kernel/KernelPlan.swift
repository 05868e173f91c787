/// A kernel that walks whole words of planes: everything that decides its text, and nothing that changes
/// from frame to frame.
///
/// Plans are compared and hashed: frames with equal plans share one compiled kernel.
package struct KernelPlan: Hashable, Sendable, CustomStringConvertible {
  package let source: PixelLayout
  package let operations: [PointwiseProgram.Operation]
  /// One for each plane of the source.
  package let sourceAccess: [SourceAccess]
  package let target: KernelTarget
  /// Whether the channels of a pixel are computed together: chroma is then repeated for the pixels
  /// that share it, and theirs averaged at the end.
  package let mixesChannels: Bool

  /// - Parameters:
  ///   - operations: what happens to each pixel.
  ///   - input: where the planes of the source lie.
  ///   - output: where the planes of the destination lie, as ``KernelTarget`` needs them.
  package init(
    _ operations: [PointwiseProgram.Operation], from source: PixelLayout,
    _ input: [PlaneGeometry], to destination: PixelLayout, _ output: [PlaneGeometry],
    _ extent: Extent, style: KernelStyle
  ) throws(RasterError) {
    let block = KernelPlan.blockWidth(
      source.planes + destination.planes,
      KernelPlan.accesses(source, input, extent) { _ in style.vectorBytes }
        + KernelPlan.accesses(destination, output, extent) { _ in style.vectorBytes },
      style: style)
    self.source = source
    self.operations = operations
    sourceAccess = KernelPlan.accesses(source, input, extent) { plane in
      style.widest(bytes: plane.rowBytes(width: block))
    }
    // Planes of other sizes or channels of other meaning meet in the pixels.
    mixesChannels = PointwiseProgram.mixesChannels(operations) || !source.isAlike(destination)
    target = try KernelTarget(
      destination, output, extent, blockWidth: block,
      blockHeight: max(source.blockHeight, destination.blockHeight),
      averagesChroma: mixesChannels, style: style)
  }

  /// The widest access of each plane, within the bytes that `widest` allows for it.
  private static func accesses(
    _ layout: PixelLayout, _ geometry: [PlaneGeometry], _ size: Extent,
    widest: (PixelLayout.Plane) -> Int
  ) -> [SourceAccess] {
    zip(layout.planes, geometry).map { plane, geometry in
      let extent = plane.extent(geometry, width: size.width, height: size.height)
      return SourceAccess(geometry, needed: extent.upperBound, widest: widest(plane))
    }
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

  /// One line: formats, operations, and how memory is walked.
  package var description: String {
    let steps = operations.map(\.label)
    return "\(source.name) → \(steps.joined(separator: " → ")) → \(target.layout.name), "
      + "1 pass, block \(target.blockWidth)×\(target.blockHeight)"
  }
}

/// A kernel that computes pixels by functions of the position, over given frames.
package struct SampledPlan: Hashable, Sendable {
  package let kernel: SampledKernel
  /// One for each input of the kernel.
  package let inputs: [Input]
  package let target: KernelTarget

  /// Planes of the inputs and of the target.
  package var planeCount: Int {
    inputs.reduce(target.layout.planes.count) { $0 + $1.layout.planes.count }
  }

  /// Whether the inputs are read by blocks' rows, all loads of which come before the pixels.
  package let loadsWholeRows: Bool

  /// The planes of an input that are read as texels of 16 bytes: places count from the start of their buffers then.
  package func texelPlanes(_ input: Int) -> [Bool] {
    inputs[input].layout.planes.indices.map {
      loadsWholeRows && inputs[input].readsTexels($0, target, kernel.reading)
    }
  }

  /// How an input's planes are read.
  package struct Input: Hashable, Sendable {
    package let layout: PixelLayout
    /// Whether groups of samples start at multiples of their size, for each plane.
    package let isAligned: [Bool]
    /// Bytes of which rows start at multiples, for each plane, as far as the kernel depends on that: 1 to 32.
    package private(set) var alignments: [Int] = []

    /// Whether rows can be loaded a block at a time: those that are read from a block's places on start at whole words.
    package func canLoadBlocks(at reading: SampledKernel.RowReading) -> Bool {
      !layout.isFloat && (!reading.isWhole || alignments.allSatisfy { $0 >= 4 })
        && layout.planes.allSatisfy { plane in
          plane.horizontalSubsampling <= 1 && plane.pixelStride & (plane.pixelStride - 1) == 0
        }
    }

    /// Whether a block's row of a plane is read as texels of 16 bytes.
    package func readsTexels(
      _ plane: Int, _ target: KernelTarget, _ reading: SampledKernel.RowReading
    ) -> Bool {
      guard reading.isWhole else { return target.readsTexels }
      return target.readsTexels && alignments[plane] >= 16
        && layout.planes[plane].rowBytes(width: target.blockWidth) % 16 == 0
    }

    package init(_ layout: PixelLayout, _ geometry: [PlaneGeometry], readsWhole: Bool = false) {
      self.layout = layout
      isAligned = zip(layout.planes, geometry).map { plane, geometry in
        let size = min(4, plane.pixelStride)
        return size & (size - 1) == 0 && plane.pixelStride % size == 0
          && geometry.offset % size == 0 && geometry.stride % size == 0
      }
      guard readsWhole else { return }
      alignments = geometry.map { geometry in
        let bits = geometry.offset | geometry.stride | 32
        return bits & -bits
      }
    }
  }

  /// - Parameters:
  ///   - inputs: layout and planes of each of the kernel's inputs.
  ///   - output: where the planes of the destination lie, as ``KernelTarget`` needs them.
  package init(
    _ kernel: SampledKernel, inputs: [Input], to destination: PixelLayout,
    _ output: [PlaneGeometry], _ extent: Extent, style: KernelStyle
  ) throws(RasterError) {
    // Where inputs and tables come from is nothing to a kernel: passes that differ in that alone share one.
    var shared = kernel
    shared.inputs = kernel.inputs.map { _ in .frame(0) }
    shared.tables = kernel.tables.map { _ in .values(0) }
    self.kernel = shared
    self.inputs = inputs
    // Four pixels across are computed at once, and an invocation has to own whole words of all planes.
    var width = 4
    while destination.planes.contains(where: { $0.rowBytes(width: width) % 4 != 0 }) { width *= 2 }
    loadsWholeRows = kernel.loadsWholeRows(destination, inputs)
    width = max(width, kernel.blockWidth(destination, loadsWholeRows: loadsWholeRows))
    var height = destination.blockHeight
    if let convolution = kernel.convolution {
      switch convolution.axis {
      case .horizontal: width = max(width, SampledKernel.Convolution.run)
      case .vertical: height = max(height, SampledKernel.Convolution.run)
      }
    }
    target = try KernelTarget(
      destination, output, extent, blockWidth: width, blockHeight: height,
      averagesChroma: !kernel.reading.arePlanesApart,
      grouping: kernel.grouping, style: style)
  }
}
