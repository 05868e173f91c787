import RasterGraph
import RasterShader
import ShaderLibrary
import Testing

@Suite struct LookupShaderTests {
  @Test(arguments: [
    ("LutCurve", "LutCurve", 8), ("LutCube", "LutTrilinear", 11), ("LutCube", "LutTetrahedral", 11),
  ])
  func `a lookup compiles with its arguments`(file: String, name: String, count: Int) throws {
    let text = try #require(ShaderLibrary.source("Filters/" + file))
    let arguments = (0..<count).map { ", p.v[\($0)]" }.joined()
    let source = """
      #version 450
      layout(local_size_x = 8) in;
      layout(std430, set = 0, binding = 0) readonly restrict buffer Table { float TABLE[]; };
      layout(std430, set = 0, binding = 1) restrict buffer Colors { vec4 c[]; };
      layout(push_constant) uniform Push { float v[\(count)]; } p;
      ivec4 truncated(vec4 v) { return ivec4(v); }
      \(text)
      void main() { \(name)(c[0], c[1], c[2]\(arguments)); }
      """
    #expect(try ShaderCompiler.compile(source, name: name).first == 0x0723_0203)
  }
}
