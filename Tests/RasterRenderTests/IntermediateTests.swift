import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVulkan
import Testing

/// The memory between passes.
@Suite(.serialized) struct IntermediateTests {
  private func blur(_ sigma: Double, _ width: Int, _ height: Int) throws -> RenderPlan {
    let layout = try layout("RGBA")
    var blur = GaussianBlur()
    blur.sigma = sigma
    return try RenderPlan(
      [blur, ColorInvert(), blur],
      FrameDescription(
        layout: layout, encoding: RendererTests.encoding(layout, range: .full),
        extent: Extent(width: width, height: height)))
  }

  @Test func `results that are not needed at the same time share memory`() throws {
    let plan = try blur(30, 640, 360)
    let (slots, sizes) = plan.intermediateSlots
    #expect(slots.count == plan.passes.count - 1 && plan.passes.count > 8)
    #expect(sizes.count <= 3)
    for (index, slot) in slots.enumerated() {
      #expect(sizes[slot] >= plan.intermediates[index].size)
      // A pass reads the result before it.
      if index > 0 { #expect(slots[index - 1] != slot) }
    }
  }

  /// Results of a plan before lie in the same buffers, but no two of one plan that are needed together.
  @Test func `a plan after another one gets the same result as alone`() throws {
    let context = try RenderContext.context(for: DeviceSelection(""))
    var random = Random(5)
    let layout = try layout("RGBA")
    func render(_ renderer: inout Renderer, _ frame: ReferenceFrame) throws -> ReferenceFrame {
      let source = try frame.makeFrame(.caps, on: context.device, filler: 0, withSamples: true)
      let target = try frame.makeFrame(.caps, on: context.device, filler: 0, withSamples: false)
      _ = try renderer.render(
        try blur(30, frame.width, frame.height), from: [source], to: target)
      return frame.read(from: target)
    }
    var renderer = try Renderer(context)
    for (width, height) in [(90, 70), (80, 64), (20, 9), (64, 48)] {
      let frame = ReferenceFrame(
        random: layout, encoding: RendererTests.encoding(layout, range: .full), width: width,
        height: height, using: &random)
      var fresh = try Renderer(context)
      #expect(try render(&renderer, frame).maxDifference(to: render(&fresh, frame)) == 0)
    }
  }
}
