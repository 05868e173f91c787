/// A composition taken apart: kernels for the regions in which only some of its layers are seen.
///
/// lavapipe computes both sides of every branch, so what a region does not need must not be in its kernel.
package struct LayerChain: Sendable {
  /// One layer, with the places of its numbers among those of the kernel.
  package struct Layer: Sendable {
    package let call: SampledKernel.BlendCall
    let group: Int
    let mask: Int?
    /// What the layer reads, groups in their order.
    let groups: [Int]
    fileprivate let firstNumber: Int
    /// Rows that are read as they are: two numbers of where, then four of the window.
    let rows: [Int]
  }

  /// What lies lowest in a region.
  package enum Bottom: Hashable, Sendable {
    /// What lies below all layers.
    case base
    /// A layer that hides all below it.
    case layer(Int)
  }

  /// A kernel of some layers and what it takes of the whole one.
  package struct Part: Sendable {
    package fileprivate(set) var kernel = SampledKernel()
    /// The place of each number among those of the whole kernel; nil for a 0.
    package fileprivate(set) var numbers: [Int?] = []
    /// The inputs, by their place in the whole kernel.
    package fileprivate(set) var inputs: [Int] = []
  }

  package let layers: [Layer]
  let kernel: SampledKernel
  let base: Int
  let baseGroups: [Int]
  let baseRows: [Int]
  /// Statements after the last layer, of which each changes the one before.
  let tail: [SampledKernel.Statement]
  let firstNumbers: [Int]
  private let tailNumbers: Range<Int>

  /// - Returns: nil where the picture is not a chain of layers alone, each with groups of its own.
  package init?(_ kernel: SampledKernel) {
    guard let root = kernel.groups.last, kernel.tables.isEmpty, kernel.convolution == nil,
      case .base(let base)? = root.statements.first
    else { return nil }
    let first = LayerChain.firstNumbers(kernel)
    var number = first[kernel.groups.count - 1]
    var layers: [Layer] = []
    var tail: [SampledKernel.Statement] = []
    for statement in root.statements.dropFirst() {
      if tail.isEmpty, case .layer(let call, _, let group, let mask) = statement {
        let groups = kernel.groups(below: [group] + (mask.map { [$0] } ?? []))
        layers.append(
          Layer(
            call: call, group: group, mask: mask, groups: groups, firstNumber: number,
            rows: [group, mask].compactMap { $0 }.flatMap { kernel.rows(of: $0, first[$0]) }))
      } else {
        guard statement.isPointwise else { return nil }
        tail.append(statement)
      }
      number += statement.valueCount
    }
    let baseGroups = kernel.groups(below: [base])
    let all = baseGroups + layers.flatMap(\.groups)
    guard !layers.isEmpty, Set(all).count == all.count, !kernel.hasNestedLayers(all) else {
      return nil
    }
    self.layers = layers
    self.kernel = kernel
    self.base = base
    self.baseGroups = baseGroups
    baseRows = kernel.rows(of: base, first[base])
    self.tail = tail
    firstNumbers = first
    tailNumbers = number - tail.reduce(0) { $0 + $1.valueCount }..<number
  }

  /// Where the numbers of each group begin.
  private static func firstNumbers(_ kernel: SampledKernel) -> [Int] {
    var next = 0
    return kernel.groups.map { group in
      defer { next += group.statements.reduce(0) { $0 + $1.valueCount } }
      return next
    }
  }

  /// The kernel of a region.
  ///
  /// - Parameters:
  ///   - slots: layers from the bottom up, and whether they are seen: others only fill up and change nothing.
  package func part(
    _ bottom: Bottom, _ slots: [(layer: Int, isSeen: Bool)], _ reading: SampledKernel.RowReading
  ) -> Part {
    var part = Part()
    part.kernel.reading = reading
    var root: [SampledKernel.Statement] = []
    switch bottom {
    case .base: root.append(.base(group: copy(baseGroups, to: &part)[base] ?? 0))
    case .layer(let index):
      let own = layers[index]
      root.append(.base(group: copy(own.groups, to: &part)[own.group] ?? 0))
    }
    var numbers: [Int?] = []
    for (layer, isSeen) in slots {
      let own = layers[layer]
      let places = copy(own.groups, to: &part)
      var call = own.call
      // A region lies within the bounds, or is cut by windows; what replaces the backdrop has no other edge.
      call.hasBounds = own.call.hasBounds && call.operator == .source
      call.hasOpaqueBounds = false
      let used = own.firstNumber..<own.firstNumber + (call.hasBounds ? 5 : 1)
      numbers += used.map { isSeen ? $0 : nil }
      if call.convertsColors {
        let end = own.firstNumber + own.call.valueCount
        numbers += (end - 24..<end).map { $0 }
      }
      root.append(
        .layer(
          call, backdrop: root.count - 1, group: places[own.group] ?? 0,
          mask: own.mask.flatMap { places[$0] }))
    }
    for statement in tail { root.append(statement.reading(root.count - 1)) }
    part.numbers += numbers + tailNumbers.map { $0 }
    var group = SampledKernel.Group()
    group.statements = root
    part.kernel.groups.append(group)
    return part
  }

  /// Adds copies of groups, their numbers and inputs; returns where they are.
  private func copy(_ groups: [Int], to part: inout Part) -> [Int: Int] {
    var places: [Int: Int] = [:]
    var inputs: [Int: Int] = [:]
    for index in groups {
      var copied = SampledKernel.Group()
      for statement in kernel.groups[index].statements {
        if case .load(let input) = statement, inputs[input] == nil {
          inputs[input] = part.inputs.count
          part.inputs.append(input)
          part.kernel.inputs.append(kernel.inputs[input])
        }
        copied.statements.append(statement.moved(groups: places, inputs: inputs))
      }
      let first = firstNumbers[index]
      let count = kernel.groups[index].statements.reduce(0) { $0 + $1.valueCount }
      part.numbers += (first..<first + count).map { $0 }
      places[index] = part.kernel.groups.count
      part.kernel.groups.append(copied)
    }
    return places
  }
}

// MARK: - What is seen

extension LayerChain {
  /// Where a layer is, by the numbers of a frame.
  package func bounds(_ layer: Int, _ numbers: [Float]) -> Bounds? {
    layers[layer].call.hasBounds ? Bounds(numbers, at: layers[layer].firstNumber + 1) : nil
  }

  /// Where a layer hides all below it.
  package func opaqueBounds(_ layer: Int, _ numbers: [Float]) -> Bounds? {
    let own = layers[layer]
    guard own.call.hasOpaqueBounds else { return nil }
    return Bounds(numbers, at: own.firstNumber + (own.call.hasBounds ? 5 : 1))
  }

  /// Whether the pictures of layers hold all pixels of a region.
  package func hasWholeRows(
    _ layers: [Int], onBase: Bool, _ region: Bounds, _ numbers: [Float]
  ) -> Bool {
    let rows = (onBase ? baseRows : []) + layers.flatMap { self.layers[$0].rows }
    return rows.allSatisfy { first in
      let (x, y) = (Int(numbers[first]), Int(numbers[first + 1]))
      let window = Bounds(numbers, at: first + 2)
      return region.left + x >= window.left && region.top + y >= window.top
        && region.right - 1 + x <= window.right && region.bottom - 1 + y <= window.bottom
    }
  }

  /// Whether the rows of layers begin at multiples of some pixels.
  package func areAligned(
    _ layers: [Int], onBase: Bool, to width: Int, _ numbers: [Float]
  ) -> Bool {
    let rows = (onBase ? baseRows : []) + layers.flatMap { self.layers[$0].rows }
    return rows.allSatisfy { Int(numbers[$0]) % width == 0 }
  }
}

extension Bounds {
  fileprivate init(_ numbers: [Float], at first: Int) {
    self.init(
      left: Int(numbers[first]), top: Int(numbers[first + 1]), right: Int(numbers[first + 2]),
      bottom: Int(numbers[first + 3]))
  }
}

// MARK: - Groups and statements

extension SampledKernel {
  /// Groups and all that they read, in their order.
  fileprivate func groups(below first: [Int]) -> [Int] {
    var found: Set<Int> = []
    var open = first
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += groups[next].statements.flatMap(\.groups)
    }
    return found.sorted()
  }

  fileprivate func hasNestedLayers(_ indices: [Int]) -> Bool {
    indices.contains {
      groups[$0].statements.contains { if case .layer = $0 { true } else { false } }
    }
  }

  /// The numbers of a group's samplings that move rows.
  fileprivate func rows(of group: Int, _ firstNumber: Int) -> [Int] {
    var number = firstNumber
    var rows: [Int] = []
    for statement in groups[group].statements {
      if case .sample(let sampling, _, _) = statement, sampling.map == .translation {
        rows.append(number)
      }
      number += statement.valueCount
    }
    return rows
  }
}

extension SampledKernel.Statement {
  fileprivate var groups: [Int] {
    switch self {
    case .sample(_, let group, _), .warp(_, _, let group, _), .neighborhood(_, let group),
      .base(let group):
      [group]
    case .layer(_, _, let group, let mask): [group] + (mask.map { [$0] } ?? [])
    default: []
    }
  }

  /// Whether it changes the colors of one statement.
  fileprivate var isPointwise: Bool {
    switch self {
    case .matrix, .color, .luma, .codeLimits, .opacity, .premultiply, .unpremultiply: true
    default: false
    }
  }

  /// A pointwise statement that changes the colors of another one.
  fileprivate func reading(_ input: Int) -> SampledKernel.Statement {
    switch self {
    case .matrix(_, let isPremultiplied, let shape):
      .matrix(input, isPremultiplied: isPremultiplied, shape)
    case .color(let call, _): .color(call, input)
    case .luma(let call, _): .luma(call, input)
    case .codeLimits: .codeLimits(input)
    case .opacity: .opacity(input)
    case .premultiply: .premultiply(input)
    case .unpremultiply: .unpremultiply(input)
    default: self
    }
  }

  fileprivate func moved(groups: [Int: Int], inputs: [Int: Int]) -> SampledKernel.Statement {
    switch self {
    case .load(let input): .load(input: inputs[input] ?? 0)
    case .sample(let sampling, let group, let hasAlpha):
      .sample(sampling, group: groups[group] ?? 0, hasAlpha: hasAlpha)
    case .warp(let call, let sampling, let group, let hasAlpha):
      .warp(call, sampling, group: groups[group] ?? 0, hasAlpha: hasAlpha)
    case .neighborhood(let call, let group): .neighborhood(call, group: groups[group] ?? 0)
    default: self
    }
  }
}
