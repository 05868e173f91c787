/// Compositions whose luma and chroma can be computed apart, each at its own size.
extension LayerChain {
  /// Whether what is seen changes each channel by itself, all pictures have their chroma at half the width and
  /// height, and nothing has alpha of its own.
  ///
  /// - Parameter inputs: layouts of the whole kernel's inputs.
  package func canSplitPlanes(
    _ bottom: Bottom, _ layers: [Int], _ inputs: [PixelLayout], to target: PixelLayout
  ) -> Bool {
    guard target.hasQuarterChroma, tail.allSatisfy(\.keepsChannels) else { return false }
    var own = layers
    switch bottom {
    case .base:
      guard baseGroups.count == 1, kernel.groups[base].statements.allSatisfy(\.isPaint) else {
        return false
      }
    case .layer(let layer): own.append(layer)
    }
    return own.allSatisfy { canSplitPlanes(self.layers[$0], inputs) }
  }

  private func canSplitPlanes(_ layer: Layer, _ inputs: [PixelLayout]) -> Bool {
    guard layer.call.mode == .normal, layer.mask == nil, layer.call.operator != .source,
      layer.groups.count == 2
    else { return false }
    let statements = layer.groups.map { kernel.groups[$0].statements }
    guard case .load(let input)? = statements[0].first, inputs[input].hasQuarterChroma,
      case .sample(let sampling, _, _)? = statements[1].first, sampling.map == .translation,
      sampling.edge == .transparent
    else { return false }
    return statements.allSatisfy { $0.dropFirst().allSatisfy(\.keepsChannels) }
  }

  /// Whether layers and their windows begin and end with samples of chroma.
  package func hasEvenPlaces(_ layers: [Int], _ numbers: [Float]) -> Bool {
    layers.flatMap { self.layers[$0].rows }.allSatisfy { first in
      // The last column and row of a window are within it.
      zip(numbers[first..<first + 6], [0, 0, 0, 0, 1, 1]).allSatisfy { number, odd in
        (Int(number) + odd) % 2 == 0
      }
    }
  }
}

extension PixelLayout {
  fileprivate var hasQuarterChroma: Bool {
    let shapes = colors.map { component in
      let plane = planes[component.plane]
      return [plane.horizontalSubsampling, plane.verticalSubsampling]
    }
    return alpha == nil && shapes == [[0, 0], [1, 1], [1, 1]]
  }
}

extension SampledKernel.Statement {
  /// Whether it makes colors of which those pixels have the same that share their chroma.
  fileprivate var isPaint: Bool { self == .solid || self == .checkered(isCoarse: true) }

  fileprivate var keepsChannels: Bool {
    if case .matrix(_, _, let shape) = self { shape != .full } else { false }
  }
}
