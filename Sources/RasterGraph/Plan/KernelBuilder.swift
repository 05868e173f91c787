internal import RasterColor

/// What a statement's result means, as far as the planner has put off doing something about it.
struct Value {
  var statement: Int
  /// A map of the channels that is still to be applied.
  var pending: AffineMatrix
  var alpha: Alpha
  /// Whether the channels are light instead of a signal.
  var isLinear: Bool
  /// Whether what is pending has numbers of filters, which change from frame to frame: any coefficient may then be
  /// there.
  var isFiltered = false
  /// Whether what is pending leads to code values of the destination instead of R'G'B'.
  var isEncoded = false
  /// Set where the statement is nothing but colors that are known: what is done to them is done on the CPU.
  var paint: Paint?

  enum Alpha: Hashable {
    case opaque
    case straight
    case premultiplied
  }
}

/// A group of a kernel while it is being made.
final class GroupBuilder {
  var statements: [SampledKernel.Statement] = []
  var numbers: [Float] = []
  var known: [ObjectIdentifier: Value] = [:]
  /// Whether the group is read more than once for a pixel, so that what reads much is better computed once.
  let isTapped: Bool
  /// Whether the group is only computed at the positions of the workgroup, so that work can be saved.
  let isOwnPlace: Bool

  /// Whether the reader multiplies colors by their alpha, so that those of transparent pixels may be any.
  let keepsStraight: Bool

  init(isTapped: Bool, isOwnPlace: Bool = false, keepsStraight: Bool = false) {
    self.isTapped = isTapped
    self.isOwnPlace = isOwnPlace
    self.keepsStraight = keepsStraight
  }

  /// Adds a statement with its numbers and returns its place.
  func add(_ statement: SampledKernel.Statement, _ values: [Double] = []) -> Int {
    statements.append(statement)
    for value in values { numbers.append(abs(value) < 1e-12 ? 0 : Float(value)) }
    return statements.count - 1
  }
}

/// A kernel while it is being made: statements and their numbers side by side.
final class KernelBuilder {
  let planner: Planner
  /// The last group, which computes the whole picture.
  let root: GroupBuilder
  /// Whether the kernel may begin with a convolution: runs of pixels in blocks of the target. A kernel that
  /// measures its picture goes through it in another order.
  let canConvolve: Bool
  /// Set where layers are composed of code values of the destination.
  var codes: CodeSpace?
  var kernel = SampledKernel()
  var tables: [LookupTable] = []
  var convolutionNumbers: [Float] = []
  private var groups: [GroupBuilder] = []
  private var groupIndices: [GroupKey: (index: Int, value: Value)] = [:]

  private struct GroupKey: Hashable {
    let image: ObjectIdentifier
    let need: Need
  }

  /// What the reader of a group can handle.
  enum Need: Hashable {
    /// Any state: one pixel is read.
    case any
    /// Premultiplied, in the space in which sampling works.
    case mean
    /// Straight signal.
    case signal
    /// As layers are blended, at the place of the reader; in code values where the kernel composes these. Straight
    /// colors stay as they are where the reader multiplies them.
    case layer(isEncoded: Bool, keepsStraight: Bool)
    /// Straight signal at the place of the reader.
    case mask

    var keepsStraight: Bool {
      if case .layer(_, let keepsStraight) = self { keepsStraight } else { false }
    }

    var isOwnPlace: Bool {
      switch self {
      case .any, .mean, .signal: false
      case .layer, .mask: true
      }
    }
  }

  init(_ planner: Planner, canConvolve: Bool = true) {
    self.planner = planner
    self.canConvolve = canConvolve
    root = GroupBuilder(isTapped: false, isOwnPlace: canConvolve)
  }

  /// The group that computes an image, made if it is not there, and what its result means.
  func group(
    _ image: Image, _ need: Need, isTapped: Bool
  ) throws(RasterError) -> (index: Int, value: Value) {
    let key = GroupKey(image: image.identity, need: need)
    if let known = groupIndices[key] { return known }
    let builder = GroupBuilder(
      isTapped: isTapped, isOwnPlace: need.isOwnPlace, keepsStraight: need.keepsStraight)
    var value = try planner.value(of: image, in: builder, of: self)
    switch need {
    case .any: break
    case .mean: value = converted(value, forMeansIn: builder)
    case .signal, .mask: value = signal(value, in: builder)
    case .layer(let isEncoded, let keepsStraight):
      value = composable(value, isEncoded, keepsStraight: keepsStraight, in: builder)
    }
    value = last(value, in: builder)
    groups.append(builder)
    let made = (index: groups.count - 1, value: value)
    groupIndices[key] = made
    return made
  }

  /// A group whose result is what `body` adds last.
  func group(_ body: (GroupBuilder) -> Value) -> (index: Int, value: Value) {
    let builder = GroupBuilder(isTapped: true)
    let value = body(builder)
    groups.append(builder)
    return (groups.count - 1, value)
  }

  /// The finished kernel and its numbers.
  func finish() -> (SampledKernel, [Float], [LookupTable]) {
    var result = kernel
    result.groups = (groups + [root]).map { builder in
      var group = SampledKernel.Group()
      group.statements = builder.statements
      return group
    }
    let numbers = (groups + [root]).flatMap(\.numbers)
    return (result, numbers + convolutionNumbers, tables)
  }

  /// The number of an input, added if it is new.
  func input(_ input: SampledKernel.Input) -> Int {
    if let known = kernel.inputs.firstIndex(of: input) { return known }
    kernel.inputs.append(input)
    return kernel.inputs.count - 1
  }

  /// What a call is, with its table among those of the kernel.
  func call(
    _ function: ShaderFunction, _ channels: ShaderCall.Channels = .all
  ) -> ShaderCall {
    var table: Int?
    if let wanted = function.table {
      tables.append(wanted)
      kernel.tables.append(.values(tables.count - 1))
      table = kernel.tables.count - 1
    }
    return ShaderCall(
      source: function.source, channels: channels, argumentCount: function.arguments.count,
      table: table)
  }

  /// The number of a table that an earlier pass writes.
  func table(_ intermediate: Int) -> Int {
    kernel.tables.append(.intermediate(intermediate))
    return kernel.tables.count - 1
  }
}

// MARK: - States of values

extension KernelBuilder {
  /// A value that is its group's last statement, which is what a group results in.
  func last(_ value: Value, in group: GroupBuilder) -> Value {
    value.statement == group.statements.count - 1
      ? value : flushed(value, in: group, always: true)
  }

  /// Applies what is pending.
  func flushed(_ value: Value, in group: GroupBuilder, always: Bool = false) -> Value {
    let shape = value.shape
    guard always || shape != nil else { return value }
    if let paint = value.paint {
      let mapped = paint.through(value)
      return painted(
        value.isEncoded ? mapped.limited(codes?.largest) : mapped, like: value, in: group)
    }
    var result = value
    let own = shape ?? .shift
    result.statement = group.add(
      .matrix(value.statement, isPremultiplied: value.alpha == .premultiplied, own),
      own.numbers(of: value.pending))
    result.pending = .identity
    result.isFiltered = false
    return result
  }

  /// With straight or no alpha.
  func straight(_ value: Value, in group: GroupBuilder) -> Value {
    guard value.alpha == .premultiplied else { return value }
    var result = value
    result.paint = nil
    result.statement = group.add(.unpremultiply(value.statement))
    result.alpha = .straight
    return result
  }

  func premultiplied(_ value: Value, in group: GroupBuilder) -> Value {
    guard value.alpha == .straight else { return value }
    if let paint = value.paint {
      var result = value
      result.alpha = .premultiplied
      return painted(paint.premultiplied, like: result, in: group)
    }
    var result = value
    result.statement = group.add(.premultiply(value.statement))
    result.alpha = .premultiplied
    return result
  }

  /// Straight nonlinear R'G'B', with nothing pending.
  func signal(_ value: Value, in group: GroupBuilder) -> Value {
    flushed(converted(straight(value, in: group), isLinear: false, in: group), in: group)
  }

  /// As it has to be where means are taken of several pixels: premultiplied, and light where the user
  /// wants that. What is pending may wait: weights add up to one.
  func converted(
    _ value: Value, forMeansIn group: GroupBuilder, keepsStraight: Bool = false
  ) -> Value {
    let isLinear = planner.transfer != nil
    var result = value
    if value.isLinear != isLinear {
      result = converted(straight(value, in: group), isLinear: isLinear, in: group)
    }
    return keepsStraight ? result : premultiplied(result, in: group)
  }

  /// A straight value as light or signal.
  private func converted(_ value: Value, isLinear: Bool, in group: GroupBuilder) -> Value {
    guard value.isLinear != isLinear, let transfer = planner.transfer else { return value }
    var result = flushed(value, in: group)
    result.paint = nil
    let function = ShaderFunction(
      isLinear ? "Color/ToLight" : "Color/FromLight",
      arguments: [transfer.threshold, transfer.slope, transfer.offset, transfer.exponent])
    result.statement = group.add(.color(call(function), result.statement), function.arguments)
    result.isLinear = isLinear
    return result
  }
}

// MARK: - Pointwise steps

extension KernelBuilder {
  /// Applies steps to a value.
  func applying(_ steps: [PointwiseStep], to input: Value, in group: GroupBuilder) -> Value {
    var value = straight(input, in: group)
    value = converted(value, isLinear: false, in: group)
    for step in steps {
      if case .matrix = step {
      } else if value.paint != nil {
        value = flushed(value, in: group)
        value.paint = nil
      }
      switch step {
      case .matrix(let matrix):
        value.pending = value.pending.then(matrix)
        value.isFiltered = true
      case .color(let function):
        value = flushed(value, in: group)
        value.statement = group.add(
          .color(call(function), value.statement), function.arguments)
      case .luma(let function, let coefficients):
        let code = ColorEncoding(model: .ycbcr(coefficients), range: .limited)
        value.pending = value.pending.then(code.encoding)
        value = flushed(value, in: group)
        value.statement = group.add(
          .luma(call(function, .first), value.statement), function.arguments)
        value.pending = code.decoding
      case .codeLimits(let coefficients):
        let code = ColorEncoding(model: .ycbcr(coefficients), range: .limited)
        value.pending = value.pending.then(code.encoding)
        value = flushed(value, in: group)
        value.statement = group.add(.codeLimits(value.statement))
        value.pending = code.decoding
      case .opacity(let factor):
        // An opaque value has a = 1 in its pixels, so it can become straight.
        value.statement = group.add(.opacity(value.statement), [factor])
        value.alpha = .straight
      }
    }
    return value
  }
}
