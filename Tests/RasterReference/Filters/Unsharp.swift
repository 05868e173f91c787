package import RasterGraph

extension Unsharp: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let soft = image.blurred(sigma: sigma, context)
    let differences = zip(image.pixels, soft.pixels).map { luma601($0) - luma601($1) }
    var result = image
    result.overBlack = []
    for (index, difference) in differences.enumerated() where abs(difference) >= threshold {
      let added = amount * difference
      result.pixels[index] += SIMD4(added, added, added, 0)
    }
    if threshold > 0 {
      // Within one code value of the blur, it is open on which side of the threshold a pixel is.
      result.markTies { x, y in
        abs(abs(differences[y * image.width + x]) - threshold) < 1.0 / 255
      }
    }
    return result
  }
}
