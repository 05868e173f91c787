package import RasterGraph

extension HistogramEqualize: ImageTwin {
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    image.equalized(columns: 1, rows: 1, clipLimit: 256, intensity: intensity)
  }
}
