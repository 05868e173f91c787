import CShim
import RasterColor
import RasterGraph
import RasterShader
import RasterVideo
import ShaderLibrary
import Testing

@Suite struct KernelComposerTests {
  /// Plans of a format for aligned and unaligned input, with tight and wide output.
  private func plans(_ name: String, _ style: KernelStyle) throws -> [KernelPlan] {
    let info = try #require(gst_video_format_get_info(raster_video_format_from_string(name)))
    let layout = try #require(PixelLayout(info))
    let isRGB = name.contains("R") && name.contains("B")
    let model: ColorEncoding.Model =
      layout.colors.count == 1 ? .gray : (isRGB ? .rgb : .ycbcr(.bt601))
    let encoding = ColorEncoding(model: model, range: .full)
    var chain = ColorChain()
    chain.balance.hue = 0.5
    chain.gamma.gamma = 2
    let steps = [chain.balance.steps(luma: .bt601), chain.gamma.steps(luma: .bt601)].flatMap(\.self)
    let program = PointwiseProgram(steps, from: encoding, to: encoding)
    func planes(_ stride: Int, _ offset: Int) -> [PlaneGeometry] {
      layout.planes.map { _ in
        PlaneGeometry(offset: offset, stride: stride, available: 1 << 20)
      }
    }
    return try [(planes(8192, 0), planes(8192, 0)), (planes(8191, 3), planes(400, 0))].map {
      try KernelPlan(
        program.operations, from: layout, $0.0, to: layout, $0.1, Extent(width: 100, height: 9),
        style: style)
    }
  }

  @Test(arguments: VideoFormats.names)
  func `every kernel compiles and binds each plane once`(name: String) throws {
    for style in [KernelStyle.cpu, .narrowCPU, .gpu] {
      for plan in try plans(name, style) {
        let kernel = try KernelComposer.compose(plan)
        let spirv = try ShaderCompiler.compile(kernel.source, name: "\(plan)")
        #expect(spirv.first == 0x0723_0203)
        #expect(kernel.bindingCount == 2 * plan.source.planes.count)
        #expect(kernel.pushConstantSize <= 128)
      }
    }
  }

  @Test func `equal plans make equal text`() throws {
    let first = try KernelComposer.compose(try plans("NV12", .cpu)[0])
    let second = try KernelComposer.compose(try plans("NV12", .cpu)[0])
    #expect(first == second)
  }

  @Test func `a compile error carries the compiler's words`() throws {
    let error = #expect(throws: RasterError.self) {
      try ShaderCompiler.compile("#version 450\nvoid main() { nonsense; }\n", name: "broken")
    }
    #expect(error?.message.contains("nonsense") == true)
    #expect(error?.message.contains("broken:2") == true)
  }

  @Test func `the shader library holds what its folder holds`() {
    let filters = ShaderLibrary.names.filter { $0.hasPrefix("Filters/") }
    #expect(filters.contains("Filters/Gamma") && filters == filters.sorted())
    #expect(ShaderLibrary.source("Filters/Missing") == nil)
  }
}
