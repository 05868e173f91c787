package import RasterGraph

extension Sobel: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    let kernel = [[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]]
    var result = ReferenceImage(width: image.width, height: image.height) { x, y in
      var (across, down) = (0.0, 0.0)
      for row in 0..<3 {
        for column in 0..<3 {
          let luma = luma601(image[clamped: x + column - 1, y + row - 1])
          across += kernel[row][column] * luma
          down += kernel[column][row] * luma
        }
      }
      let steep = min(1, amount * (across * across + down * down).squareRoot())
      let gray = inverted ? 1 - steep : steep
      return SIMD4(gray, gray, gray, image[clamped: x, y].w)
    }
    result.ties = image.ties
    return result
  }
}
