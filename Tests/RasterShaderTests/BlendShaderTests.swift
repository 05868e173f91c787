import RasterGraph
import RasterShader
import ShaderLibrary
import Testing

@Suite struct BlendShaderTests {
  @Test(arguments: BlendMode.all.map(\.name))
  func `every blend mode compiles by itself`(name: String) throws {
    let mode = try BlendMode.named(name)
    let call =
      mode.isSeparable
      ? "v[0] = \(mode.function)(v[0], v[3]);"
      : "vec4 r = v[0], g = v[1], b = v[2]; \(mode.function)(r, g, b, v[3], v[4], v[5]); v[0] = r;"
    let text = """
      #version 450
      layout(std430, set = 0, binding = 0) buffer B { vec4 v[]; };
      \(try #require(ShaderLibrary.source(mode.source)))
      void main() { \(call) }

      """
    #expect(try ShaderCompiler.compile(text, name: name).first == 0x0723_0203)
  }

  /// A branch costs all pixels of a group what it saves some of them.
  @Test func `no blend mode branches or loops`() {
    for mode in BlendMode.all {
      let lines = ShaderLibrary.source(mode.source)?.split(separator: "\n") ?? []
      let words = lines.filter { !$0.hasPrefix("//") }.joined(separator: " ")
        .split { !$0.isLetter }
      for word in ["if", "for", "while", "switch"] {
        #expect(!words.contains(Substring(word)), "\(mode.name)")
      }
    }
  }
}
