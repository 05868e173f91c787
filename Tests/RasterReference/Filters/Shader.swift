package import RasterGraph

extension Shader: ImageTwin {
  /// What the test says that the text does; not a number where it says nothing.
  package func reference(_ image: ReferenceImage, _ context: ReferenceContext) -> ReferenceImage {
    context.resources.shaders[code]?(image) ?? image.mapped { _ in SIMD4(repeating: .nan) }
  }
}
