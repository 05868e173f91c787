internal import RasterColor

/// Turns a graph into passes. Used once, by one thread.
///
/// An image becomes a statement of its reader's kernel wherever that reads no pixel more often than it
/// has to; where it would, the image becomes a pass of its own. Each image is walked once for each group
/// that reads it, and groups are shared, so cost grows with the number of images.
final class Planner {
  private(set) var passes: [RenderPlan.Pass] = []
  private(set) var intermediates: [(kind: RenderPlan.Intermediate, value: Value)] = []
  private(set) var stills: [StillImage] = []
  let sources: [FrameDescription]
  /// Set where means are taken of light.
  let transfer: TransferFunction?
  private(set) var computed: [ObjectIdentifier: Int] = [:]
  /// The results that hold curves, by the images that they are for.
  var curves: [ObjectIdentifier: Int] = [:]
  private(set) var survey = GraphSurvey()
  private let storageBuffers: Int
  private var destination: FrameDescription?

  /// - Parameter storageBuffers: buffers that a kernel may bind.
  init(_ sources: [FrameDescription], transfer: TransferFunction?, storageBuffers: Int) {
    self.sources = sources
    self.transfer = transfer
    self.storageBuffers = storageBuffers
  }

  /// Adds the passes that write an image to a frame.
  func render(_ image: Image, to destination: FrameDescription) throws(RasterError) {
    if let pass = pointwisePass(image, to: destination) {
      passes.append(pass)
      return
    }
    self.destination = destination
    survey = GraphSurvey(
      image,
      BindingLimit(
        storageBuffers: storageBuffers, frames: sources.map(\.layout.planes.count),
        destination: destination.layout.planes.count))
    // From the bottom up, so that no walk goes farther down than to the next of these: walks recurse, and
    // stacks are small. They are read by all that lies above, so none is computed in vain.
    for cut in survey.cuts { _ = try compute(cut, isTapped: false) }
    let builder = KernelBuilder(self)
    builder.codes = codes(for: image, destination)
    let value = try value(of: image, in: builder.root, of: builder)
    encode(value, to: destination, builder)
    add(builder, .destination, extent: image.extent)
  }

  /// Ends a kernel with the samples of a frame.
  private func encode(_ input: Value, to destination: FrameDescription, _ builder: KernelBuilder) {
    let group = builder.root
    var value = input
    // What encoding adds to black is not multiplied by alpha, and transparent pixels become black.
    if value.alpha != .opaque, builder.codes?.hasZeroBlack == false {
      value = builder.decoded(value)
    }
    if value.alpha == .premultiplied, destination.layout.alpha == nil {
      // Transparent pixels are over black, which is where premultiplied R'G'B' or light already is; and what
      // encoding adds is not multiplied by alpha.
      value = builder.flushed(value, in: group)
      value.alpha = .opaque
    }
    if value.isLinear { value = builder.signal(value, in: group) }
    var end = AffineMatrix.scaling(1, offset: 0.5)
    if !value.isEncoded {
      end = destination.encoding.encodingSamples(depth: destination.layout.depth).then(end)
    }
    if destination.layout.alpha != nil {
      if destination.isPremultiplied {
        value = builder.flushed(builder.premultiplied(value, in: group), in: group)
        value.alpha = .opaque
      } else {
        value = builder.straight(value, in: group)
      }
    }
    value.pending = value.pending.then(end)
    _ = builder.last(builder.flushed(value, in: group), in: group)
  }

  /// The fast walk over whole words, where every pixel depends on one pixel of one frame.
  private func pointwisePass(
    _ image: Image, to destination: FrameDescription
  ) -> RenderPlan.Pass? {
    var steps: [PointwiseStep] = []
    var base = image
    if case .pointwise(let own) = image.operation, let input = image.inputs.first {
      (steps, base) = (own, input)
    }
    guard case .frame(let index) = base.operation, sources.indices.contains(index) else {
      return nil
    }
    let source = sources[index]
    guard !source.isPremultiplied, !destination.isPremultiplied, source.extent == base.extent,
      source.layout.alpha != nil || destination.layout.alpha == nil || image.isOpaque
    else { return nil }
    let program = PointwiseProgram(
      steps, from: source.encoding, to: destination.encoding,
      depths: (source.layout.depth, destination.layout.depth))
    return RenderPlan.Pass(
      body: .pointwise(program.operations, frame: index, isHeavy: program.isHeavy),
      numbers: program.values, tables: program.tables, output: .destination, extent: image.extent,
      label: program.label(from: source.layout, to: destination.layout))
  }
}

// MARK: - Images

extension Planner {
  /// The statement of a group that computes an image.
  func value(
    of image: Image, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    if let known = group.known[image.identity] { return known }
    let value =
      if let index = try intermediate(for: image, in: group, of: builder) {
        load(index, in: group, of: builder)
      } else {
        try inlined(image, in: group, of: builder)
      }
    group.known[image.identity] = value
    return value
  }

  /// The intermediate result that holds an image, if it is better read than computed here.
  private func intermediate(
    for image: Image, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Int? {
    if let known = computed[image.identity] { return known }
    let isPass =
      switch image.operation {
      case .frame, .still, .solid, .checkered: false
      case .equalized: group.isTapped
      case .blurred:
        group.isTapped || group !== builder.root || !builder.canConvolve
          || builder.kernel.convolution != nil || !group.statements.isEmpty
      case .resampled(let resampling): group.isTapped && resampling.interpolation != .nearest
      case .warped(_, let interpolation, _): group.isTapped && interpolation != .nearest
      case .neighborhood: group.isTapped
      default: false
      }
    guard isPass || survey.isCut(image) else { return nil }
    return try compute(image, isTapped: group.isTapped)
  }

  /// Adds the passes that compute an image.
  func compute(_ image: Image, isTapped: Bool) throws(RasterError) -> Int {
    if let known = computed[image.identity] { return known }
    let builder = KernelBuilder(self)
    builder.codes = destination.flatMap { codes(for: image, $0) }
    var value: Value
    if case .blurred(let blur) = image.operation, let input = image.inputs.first {
      value = try blurred(input, blur, builder, isSampledAfter: isTapped)
    } else {
      value = builder.decoded(try inlined(image, in: builder.root, of: builder))
    }
    value = builder.last(builder.flushed(value, in: builder.root), in: builder.root)
    let index = add(.image(image.extent), value)
    add(builder, .intermediate(index), extent: image.extent)
    computed[image.identity] = index
    return index
  }

  /// An image as statements of a group.
  private func inlined(
    _ image: Image, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    switch image.operation {
    case .frame(let index): return load(frame: index, in: group, of: builder)
    case .still(let still): return load(still, in: group, of: builder)
    case .generated(let function):
      let statement = group.add(.generate(builder.call(function)), function.arguments)
      return Value(
        statement: statement, pending: .identity, alpha: image.isOpaque ? .opaque : .straight,
        isLinear: false)
    case .solid(let color): return builder.painted(Paint([color]), in: group)
    case .checkered(let side, let first, let second):
      return builder.painted(Paint([first, second], side: side), in: group)
    case .pointwise(let steps):
      let input = try input(0, of: image, in: group, of: builder)
      return builder.applying(steps, to: input, in: group)
    case .combined(let function):
      try beginBlurred(image, in: group, of: builder)
      let first = builder.signal(try input(0, of: image, in: group, of: builder), in: group)
      let second =
        image.inputs.last == image.inputs.first
        ? first : builder.signal(try input(1, of: image, in: group, of: builder), in: group)
      let call = builder.call(function)
      var result = first
      result.paint = nil
      result.statement = group.add(
        .combine(call, first.statement, second.statement), function.arguments)
      return result
    case .blurred(let blur):
      guard let input = image.inputs.first else { throw Planner.broken }
      return try blurred(input, blur, builder, isSampledAfter: false)
    case .equalized(let equalization):
      return try equalized(image, equalization, in: group, of: builder)
    case .blended(let blending): return try blended(image, blending, in: group, of: builder)
    case .resampled, .warped, .neighborhood: return try sampled(image, in: group, of: builder)
    }
  }

  /// The value of one of an image's inputs.
  func input(
    _ index: Int, of image: Image, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    guard image.inputs.indices.contains(index) else { throw Planner.broken }
    return try value(of: image.inputs[index], in: group, of: builder)
  }

  /// Computes a blurred input before others: a kernel can begin with one, which saves a pass.
  func beginBlurred(
    _ image: Image, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) {
    for (index, input) in image.inputs.enumerated() {
      if case .blurred = input.operation {
        _ = try self.input(index, of: image, in: group, of: builder)
        return
      }
    }
  }

  static let broken = RasterError(
    .internalFailure, "A graph of images is incomplete.", remedy: "Report it with the settings.")
}

// MARK: - Reading

extension Planner {
  private func load(
    frame index: Int, in group: GroupBuilder, of builder: KernelBuilder
  ) -> Value {
    let statement = group.add(.load(input: builder.input(.frame(index))))
    guard sources.indices.contains(index) else {
      return Value(statement: statement, pending: .identity, alpha: .opaque, isLinear: false)
    }
    let source = sources[index]
    let alpha: Value.Alpha =
      source.layout.alpha == nil ? .opaque : source.isPremultiplied ? .premultiplied : .straight
    var value = Value(
      statement: statement,
      pending: source.encoding.decodingSamples(depth: source.layout.depth), alpha: alpha,
      isLinear: false)
    if alpha == .premultiplied {
      // Stored colors are premultiplied as they are: what decoding adds must not be scaled by alpha.
      value.alpha = .opaque
      value = builder.flushed(value, in: group)
      value.alpha = .premultiplied
    }
    return value
  }

  private func load(
    _ still: StillImage, in group: GroupBuilder, of builder: KernelBuilder
  ) -> Value {
    let index = stills.firstIndex(of: still) ?? stills.count
    if index == stills.count { stills.append(still) }
    return Value(
      statement: group.add(.load(input: builder.input(.still(index)))),
      pending: .scaling(1.0 / 65535), alpha: still.isOpaque ? .opaque : .straight,
      isLinear: false)
  }

  /// The value that an intermediate result holds.
  func load(_ index: Int, in group: GroupBuilder, of builder: KernelBuilder) -> Value {
    var value = intermediates[index].value
    value.paint = nil
    value.statement = group.add(.load(input: builder.input(.intermediate(index))))
    return value
  }

  /// Makes room for a result and returns its number.
  func add(_ kind: RenderPlan.Intermediate, _ value: Value) -> Int {
    intermediates.append((kind, value))
    return intermediates.count - 1
  }

  /// Adds the pass of a finished kernel.
  func add(_ builder: KernelBuilder, _ output: RenderPlan.Output, extent: Extent) {
    let (kernel, numbers, tables) = builder.finish()
    passes.append(
      RenderPlan.Pass(
        body: .sampled(kernel), numbers: numbers, tables: tables, output: output, extent: extent,
        label: kernel.label))
  }

  /// Adds the pass that makes curves of a kernel's picture.
  func add(
    curves builder: KernelBuilder, clipLimit: Double, columns: Int, rows: Int, to index: Int,
    of extent: Extent
  ) {
    let (kernel, own, tables) = builder.finish()
    passes.append(
      RenderPlan.Pass(
        body: .curves(kernel, columns: columns, rows: rows),
        numbers: own + [Float(min(clipLimit, 1e6))],
        tables: tables, output: .intermediate(index), extent: extent,
        label: kernel.label + " → curves of \(columns)×\(rows) tiles"))
  }
}
