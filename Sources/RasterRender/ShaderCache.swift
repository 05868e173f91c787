package import RasterGraph
internal import RasterShader

/// Compiles kernels, or finds what an earlier process compiled.
///
/// Thread-safety: usable from any thread.
package struct ShaderCache: Sendable {
  private let directory: CacheDirectory?

  /// - Parameter directory: where SPIR-V is kept; nil compiles everything.
  package init(_ directory: CacheDirectory?) {
    self.directory = directory
  }

  /// The SPIR-V of a compute shader for Vulkan 1.2, and whether it had to be compiled, which takes
  /// tens of milliseconds.
  ///
  /// - Parameters:
  ///   - source: GLSL with an entry point `main`.
  ///   - name: what the compiler's messages call the text.
  /// - Throws: `internalFailure` where the text does not compile.
  package func spirv(
    for source: String, name: String
  ) throws(RasterError) -> (words: [UInt32], wasCompiled: Bool) {
    guard let directory else {
      return (try ShaderCompiler.compile(source, name: name), wasCompiled: true)
    }
    let key = ShaderCache.key(for: source)
    if let words = directory.read(key).flatMap(ShaderCache.words) {
      return (words, wasCompiled: false)
    }
    let words = try ShaderCompiler.compile(source, name: name)
    words.withUnsafeBytes { _ = directory.write($0, for: key) }
    return (words, wasCompiled: true)
  }

  /// The key of the file for a text.
  package static func key(for source: String) -> CacheKey {
    CacheKey(.spirv, [ShaderCompiler.identity, source])
  }

  /// Nil where the bytes are no SPIR-V.
  private static func words(_ bytes: [UInt8]) -> [UInt32]? {
    guard bytes.count % 4 == 0 else { return nil }
    let words = bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
      }
    }
    return words.first == 0x0723_0203 ? words : nil
  }
}
