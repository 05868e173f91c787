package import RasterColor

/// The frames that a graph is rendered from and to: what decides the work besides the graph itself.
package struct FrameDescription: Hashable, Sendable {
  package var layout: PixelLayout
  package var encoding: ColorEncoding
  package var extent: Extent
  /// Whether the colors of a frame with alpha are premultiplied.
  package var isPremultiplied: Bool

  /// Width of a pixel by its height.
  package var pixelAspect: Ratio

  package init(
    layout: PixelLayout, encoding: ColorEncoding, extent: Extent, isPremultiplied: Bool = false,
    pixelAspect: Ratio = .one
  ) {
    self.pixelAspect = pixelAspect
    self.layout = layout
    self.encoding = encoding
    self.extent = extent
    self.isPremultiplied = isPremultiplied
  }

  /// The frame as an image of a graph.
  package func image(_ index: Int) -> Image {
    Image(
      frame: index, extent: extent, isOpaque: layout.alpha == nil, pixelAspect: pixelAspect)
  }
}

/// A graph as passes over memory, in the order in which they run, with the numbers of one frame.
package struct RenderPlan: Sendable {
  /// One walk over memory.
  package struct Pass: Sendable {
    package var body: Body
    /// What the numbers of the body are in this frame.
    package var numbers: [Float]
    package var tables: [LookupTable]
    package var output: Output
    /// The size of what is computed.
    package var extent: Extent
    /// What a picture of the plan says about the pass.
    package var label: String
  }

  /// What decides a pass's kernel, besides where the frames lie.
  package enum Body: Hashable, Sendable {
    /// Pixels of a frame alone, in a walk over whole words.
    case pointwise([PointwiseProgram.Operation], frame: Int, isHeavy: Bool)
    /// Pixels by functions of the position.
    case sampled(SampledKernel)
    /// Curves of the lightness of tiles of the kernel's picture.
    case curves(SampledKernel, columns: Int, rows: Int)
  }

  package enum Output: Hashable, Sendable {
    case destination
    /// A result that a later pass reads.
    case intermediate(Int)
  }

  /// What an intermediate result is.
  package enum Intermediate: Hashable, Sendable {
    /// A picture of half floats.
    case image(Extent)
    /// Floats.
    case numbers(Int)

    /// Bytes that it takes.
    package var size: Int {
      switch self {
      case .image(let extent): (extent.width + 3) / 4 * 4 * extent.height * 8
      case .numbers(let count): count * 4
      }
    }
  }

  /// Equal only for copies of one plan: comparing costs nothing.
  package let identity = Identity()

  package final class Identity: Sendable {}

  /// The sizes of the frames that are read.
  package let sourceExtents: [Extent]
  package internal(set) var passes: [Pass] = []
  package internal(set) var intermediates: [Intermediate] = []
  package internal(set) var stills: [StillImage] = []

  /// Plans an image.
  ///
  /// - Parameters:
  ///   - image: the graph; its size is that of the destination.
  ///   - sources: what the frames of the graph are.
  ///   - destination: what it is written to.
  ///   - transfer: set where sampling, blurring and blending are to work on light: how signal and light
  ///     are related.
  ///   - storageBuffers: buffers that the device allows for a kernel, at least 8: more pictures than fit are
  ///     brought together in several passes.
  /// - Throws: `invalidSetting` where the graph needs more than kernels can have.
  package init(
    _ image: Image, from sources: [FrameDescription], to destination: FrameDescription,
    transfer: TransferFunction? = nil, storageBuffers: Int = RenderPlan.usualStorageBuffers
  ) throws(RasterError) {
    let planner = Planner(sources, transfer: transfer, storageBuffers: storageBuffers)
    try planner.render(image, to: destination)
    sourceExtents = sources.map(\.extent)
    passes = planner.passes
    intermediates = planner.intermediates.map(\.kind)
    stills = planner.stills
  }

  /// Buffers that lavapipe and GPUs allow for a kernel; some devices allow fewer.
  package static let usualStorageBuffers = 32

  /// What has to be compiled: equal for frames that can share all kernels.
  package var structure: [Body] { passes.map(\.body) }

  /// Whether frames in the same places are rendered by the same kernels as with another plan: what differs are
  /// numbers, tables, and the pixels of pictures.
  package func hasKernels(of other: RenderPlan) -> Bool {
    passes.count == other.passes.count && intermediates == other.intermediates
      && stills.elementsEqual(other.stills) { $0.extent == $1.extent }
      && sourceExtents == other.sourceExtents
      && zip(passes, other.passes).allSatisfy {
        $0.body == $1.body && $0.extent == $1.extent && $0.output == $1.output
          && $0.numbers.count == $1.numbers.count
      }
  }
}

extension RenderPlan.Body {
  /// The kernel that reads at computed places; nil for a walk.
  package var kernel: SampledKernel? {
    switch self {
    case .pointwise: nil
    case .sampled(let kernel), .curves(let kernel, _, _): kernel
    }
  }

  /// Frames, pictures and results of earlier passes that the pass reads, curves among them.
  package var inputs: [SampledKernel.Input] {
    if case .pointwise(_, let frame, _) = self { return [.frame(frame)] }
    let curves = (kernel?.tables ?? []).compactMap { table -> SampledKernel.Input? in
      if case .intermediate(let index) = table { .intermediate(index) } else { nil }
    }
    return (kernel?.inputs ?? []) + curves
  }
}

extension RenderPlan: CustomStringConvertible {
  /// One line for each pass.
  package var description: String {
    passes.map { pass in
      let target =
        switch pass.output {
        case .destination: "frame"
        case .intermediate(let index): "intermediate \(index)"
        }
      return "\(pass.label) → \(target) \(pass.extent)"
    }.joined(separator: "\n")
  }
}
