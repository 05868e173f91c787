package import RasterGraph

#if canImport(Glibc)
  import Glibc
#endif

extension Pixellate: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    func centre(_ position: Double, _ size: Double) -> Double {
      (floor(position / size) + 0.5) * size
    }
    let sampler = ReferenceSampler(interpolation: .bilinear)
    var result = sampler.picture(of: image, width: image.width, height: image.height, context) {
      (centre($0, width), centre($1, height))
    }
    // A pixel whose centre lies between two squares.
    result.markTies { isWhole((Double($0) + 0.5) / width) || isWhole((Double($1) + 0.5) / height) }
    return result
  }
}

/// Whether rounding decides what is below a number.
func isWhole(_ number: Double) -> Bool { abs(number - number.rounded()) < 1e-4 }
