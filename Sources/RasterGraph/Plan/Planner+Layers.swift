internal import RasterColor

/// Compositions: chains of blends with bounds, in which work is saved where a layer is not, and where it is hidden.
extension Planner {
  /// Whether an image is a layer on others that its reader's kernel composes with it.
  func isLayered(_ image: Image) -> Bool {
    guard case .blended(let blending) = image.operation, blending.bounds != nil else {
      return false
    }
    return !survey.isCut(image) && computed[image.identity] == nil
  }

  /// The code values in which an image's layers can be composed; nil where they cannot.
  func codes(for image: Image, _ destination: FrameDescription) -> CodeSpace? {
    guard transfer == nil, !destination.isPremultiplied, case .blended = image.operation else {
      return nil
    }
    let isGray = destination.encoding.model == .gray
    var next: Image? = image
    while let own = next, case .blended(let blending) = own.operation, blending.bounds != nil {
      // Gray has lost what other modes need.
      if isGray, blending.mode != .normal { return nil }
      next = own.inputs.first
    }
    return next == image ? nil : CodeSpace(destination)
  }

  /// One layer on what lies below it.
  func layered(
    _ image: Image, _ blending: Blending, in group: GroupBuilder, of builder: KernelBuilder
  ) throws(RasterError) -> Value {
    guard image.inputs.count > 1 else { throw Planner.broken }
    let below = image.inputs[0]
    // What else reads a composition knows nothing of code values.
    let codes = group === builder.root ? builder.codes : nil
    func need(keepsStraight: Bool) -> KernelBuilder.Need {
      .layer(isEncoded: codes != nil, keepsStraight: keepsStraight)
    }
    var value: Value
    if isLayered(below) {
      value = try self.value(of: below, in: group, of: builder)
    } else {
      let base = try builder.group(below, need(keepsStraight: false), isTapped: false)
      value = base.value
      value.statement = group.add(.base(group: base.index))
    }
    let source = try builder.group(
      image.inputs[1], need(keepsStraight: blending.mode == .normal), isTapped: false)
    var mask: Int?
    if blending.mask != nil, image.inputs.count > 2 {
      mask = try builder.group(image.inputs[2], .mask, isTapped: false).index
    }
    var call = blending.call
    call.isStraight = source.value.alpha == .straight
    call.hasOpaqueBackdrop = value.alpha == .opaque
    var numbers = blending.numbers
    if let codes, blending.mode != .normal {
      call.convertsColors = true
      for matrix in [codes.decoding, codes.encoding] {
        numbers += SampledKernel.MatrixShape.full.numbers(of: matrix)
      }
    }
    value.paint = nil
    if blending.operator == .source { value.alpha = .premultiplied }
    value.statement = group.add(
      .layer(call, backdrop: value.statement, group: source.index, mask: mask), numbers)
    return value
  }
}
