internal import RasterColor

extension Planner {
  /// An image that reads its input elsewhere than at its own position.
  func sampled(
    _ image: Image, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    guard let input = image.inputs.first else { throw Planner.broken }
    switch image.operation {
    case .resampled(let resampling):
      return try resampled(input, resampling, in: group, of: builder)
    case .warped(let function, let interpolation, let edge):
      let sampling = SampledKernel.Sampling(
        map: .function, interpolation: interpolation, edge: edge, hasFootprint: false)
      let source = try source(input, sampling, in: group, of: builder)
      let window = Resampling.Window(input.extent)
      return sampled(source.value, sampling, in: group) { hasAlpha in
        group.add(
          .warp(builder.call(function), sampling, group: source.index, hasAlpha: hasAlpha),
          function.arguments + window.numbers)
      }
    case .neighborhood(let function):
      let source = try builder.group(input, .signal, isTapped: true)
      var value = source.value
      value.paint = nil
      value.statement = group.add(
        .neighborhood(builder.call(function), group: source.index),
        function.arguments + [Double(input.extent.width - 1), Double(input.extent.height - 1)])
      return value
    default: throw Planner.broken
    }
  }

  /// The group that a sampling reads: for one pixel in any state, for several as means need it.
  private func source(
    _ input: Image, _ sampling: SampledKernel.Sampling, in group: GroupBuilder,
    of builder: KernelBuilder
  ) throws(RasterError) -> (index: Int, value: Value) {
    try builder.group(
      input, isMean(sampling, in: group) ? .mean : .any,
      isTapped: group.isTapped || sampling.readsMany)
  }

  /// Whether a sampling needs premultiplied colors: what is transparent beyond the edge has no color there unless
  /// something is still to be added to it, which only readers that multiply by alpha do not see.
  private func isMean(_ sampling: SampledKernel.Sampling, in group: GroupBuilder) -> Bool {
    sampling.readsMany || sampling.edge == .transparent && !group.keepsStraight
  }

  /// The value that a sampling of another group's value has.
  private func sampled(
    _ source: Value, _ sampling: SampledKernel.Sampling, in group: GroupBuilder,
    _ add: (_ hasAlpha: Bool) -> Int
  ) -> Value {
    var value = source
    value.paint = nil
    if sampling.edge == .transparent, value.alpha == .opaque {
      value.alpha = isMean(sampling, in: group) ? .premultiplied : .straight
    }
    value.statement = add(value.alpha != .opaque)
    return value
  }

  private func resampled(
    _ input: Image, _ resampling: Resampling, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    let footprint = resampling.footprint
    let isExact = resampling.map.isPixelExact
    let rows = resampling.map.rows
    let isMoved = isExact && rows[0] == 1 && rows[4] == 1
    var sampling = SampledKernel.Sampling(
      map: isMoved ? .translation : resampling.map.isAffine ? .affine : .perspective,
      interpolation: isExact ? .nearest : resampling.interpolation, edge: resampling.edge,
      hasFootprint: false)
    sampling.hasFootprint = sampling.readsMany && max(footprint.x, footprint.y) > 1
    let source = try source(input, sampling, in: group, of: builder)
    var numbers =
      isMoved ? [rows[2], rows[5]] : Array(rows.prefix(sampling.map == .affine ? 6 : 9))
    numbers += resampling.window.numbers
    if sampling.hasFootprint {
      let radius = Double(sampling.interpolation.radius)
      numbers += [
        footprint.x, footprint.y, (2 * radius * footprint.x).rounded(.up),
        (2 * radius * footprint.y).rounded(.up),
      ]
    }
    return sampled(source.value, sampling, in: group) { hasAlpha in
      group.add(.sample(sampling, group: source.index, hasAlpha: hasAlpha), numbers)
    }
  }

  /// One image over another.
  func blended(
    _ image: Image, _ blending: Blending, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    if group.isOwnPlace, blending.bounds != nil {
      return try layered(image, blending, in: group, of: builder)
    }
    try beginBlurred(image, in: group, of: builder)
    let backdrop = try input(0, of: image, in: group, of: builder)
    let source = try input(1, of: image, in: group, of: builder)
    var mask: Int?
    if blending.mask != nil {
      let value = try input(2, of: image, in: group, of: builder)
      mask = builder.signal(value, in: group).statement
    }
    let below = builder.flushed(builder.converted(backdrop, forMeansIn: group), in: group)
    let above = builder.flushed(builder.converted(source, forMeansIn: group), in: group)
    var value = below
    value.paint = nil
    if blending.operator == .source { value.alpha = .premultiplied }
    value.statement = group.add(
      .blend(blending.call, backdrop: below.statement, source: above.statement, mask: mask),
      blending.numbers)
    return value
  }

  /// An image whose lightness goes through curves of its own tiles.
  func equalized(
    _ image: Image, _ equalization: Equalization, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    guard let input = image.inputs.first else { throw Planner.broken }
    let index = try curves(of: image, equalization, input)
    var result = builder.signal(try value(of: input, in: group, of: builder), in: group)
    result.paint = nil
    result.statement = group.add(
      .equalize(result.statement, table: builder.table(index)),
      [
        Double(equalization.columns), Double(equalization.rows), Double(input.extent.width),
        Double(input.extent.height), equalization.intensity,
      ])
    return result
  }

  /// The intermediate result that holds the curves of an image's tiles. Made once, however many groups
  /// compute the image: each level of equalized images would else double the passes.
  private func curves(
    of image: Image, _ equalization: Equalization, _ input: Image
  ) throws(RasterError) -> Int {
    if let known = curves[image.identity] { return known }
    // What is blurred becomes a result that both the measuring and the looking up read.
    let builder = KernelBuilder(self, canConvolve: false)
    let measured = try value(of: input, in: builder.root, of: builder)
    _ = builder.last(builder.signal(measured, in: builder.root), in: builder.root)
    let (columns, rows) = (equalization.columns, equalization.rows)
    let index = add(
      .numbers(columns * rows * 256),
      Value(statement: 0, pending: .identity, alpha: .opaque, isLinear: false))
    add(
      curves: builder, clipLimit: equalization.clipLimit, columns: columns, rows: rows, to: index,
      of: input.extent)
    curves[image.identity] = index
    return index
  }
}

extension Blending {
  /// What decides the kernel.
  var call: SampledKernel.BlendCall {
    SampledKernel.BlendCall(
      mode: mode, mask: mask, operator: `operator`, hasBounds: bounds != nil,
      hasOpaqueBounds: opaqueBounds != nil && mode == .normal)
  }

  /// As kernels take it: what is not there has empty bounds.
  var numbers: [Double] {
    let isThere = opacity > 0 || `operator` == .source
    return [opacity] + (bounds.map { isThere ? $0 : .empty }?.numbers ?? [])
      + (call.hasOpaqueBounds
        ? opaqueBounds.map { opacity >= 1 ? $0 : .empty }?.numbers ?? [] : [])
  }
}

extension Bounds {
  /// As kernels take it.
  var numbers: [Double] {
    let own = isEmpty ? .empty : self
    // Exact as floats, and far beyond any picture.
    return [own.left, own.top, own.right, own.bottom].map {
      Double(min(max($0, -1 << 22), 1 << 22))
    }
  }
}

extension Resampling.Window {
  /// As kernels take it.
  var numbers: [Double] { [left, top, right, bottom].map { Double($0) } }
}
