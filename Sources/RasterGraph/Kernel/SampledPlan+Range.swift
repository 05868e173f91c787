/// Pictures whose colors are stored samples and means of them.
extension SampledPlan {
  /// Whether no color can lie beyond the samples of the target, so that nothing has to be cut: samples of the same
  /// depth are read, and layers with the mode `normal` take some share of an opaque backdrop.
  package var staysInRange: Bool {
    guard kernel.reading != .branching, let root = kernel.groups.last else { return false }
    let depth = target.layout.depth
    // One half is added for rounding, after all layers.
    let hasRounding = if case .matrix(_, _, .shift)? = root.statements.last { true } else { false }
    return inputs.allSatisfy { !$0.layout.isFloat && $0.layout.depth == depth }
      && !target.layout.isFloat
      && kernel.groups.dropLast().allSatisfy { $0.statements.allSatisfy(\.staysInRange) }
      && root.statements.dropLast(hasRounding ? 1 : 0).allSatisfy(\.staysInRange)
  }
}

extension SampledKernel.Statement {
  fileprivate var staysInRange: Bool {
    switch self {
    case .load, .solid, .checkered, .base, .premultiply: true
    case .sample(let sampling, _, _): !sampling.readsMany
    case .layer(let call, _, _, _):
      call.mode == .normal && call.hasOpaqueBackdrop && call.operator != .source
    default: false
    }
  }
}
