package import RasterGraph

/// A filter over whole pictures in double precision, written from its definition.
package protocol ImageTwin: Filter {
  func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage
}

extension ReferenceImage {
  /// The picture after filters; those at their defaults change nothing.
  package func applying(_ filters: [any Filter], _ context: ReferenceContext) -> ReferenceImage {
    var result = self
    for filter in filters where !filter.isIdentity {
      if let twin = filter as? any ImageTwin {
        result = twin.reference(result, context)
      } else if let twin = filter as? any ReferenceFilter {
        result = result.mapped { pixel in
          SIMD4(
            twin.reference(pixel.color, weights: context.luma), twin.reference(alpha: pixel.w))
        }
        result.overBlack = []
      } else {
        // Not a number, so that every comparison fails.
        result = result.mapped { _ in SIMD4(repeating: .nan) }
      }
    }
    return result
  }
}
