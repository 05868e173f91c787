import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVulkan
import Testing

/// Many layers on a canvas against their twin in double precision.
@Suite(.serialized) struct CompositionTests {
  private static let paddings = [
    Padding.caps, .aligned, Padding(offset: 1), Padding(offset: 3, extraStride: 5),
    Padding(offset: 8, strideAlignment: 8), Padding(extraStride: 1, isBottomUp: true),
    Padding(offset: 16, strideAlignment: 16),
  ]

  /// A canvas with its memory.
  private struct Canvas {
    var frame: ReferenceFrame
    var memory: Frame

    init(
      _ format: String, _ extent: Extent, on device: Device, using random: inout Random
    ) throws {
      let layout = try layout(format)
      frame = ReferenceFrame(
        layout: layout, encoding: CompositionCase.encoding(layout, using: &random),
        width: extent.width, height: extent.height, colors: [], alpha: [])
      frame.clear()
      memory = try frame.makeFrame(.aligned, on: device, filler: 0xa5, withSamples: false)
    }

    var result: ReferenceFrame { frame.read(from: memory) }
  }

  private func memory(
    _ own: CompositionCase, on device: Device, using random: inout Random
  ) throws -> [Frame] {
    try own.sources.map {
      try $0.makeFrame(
        Self.paddings.randomElement(using: &random) ?? .caps, on: device, filler: 0x5a,
        withSamples: true)
    }
  }

  private func plan(
    _ own: CompositionCase, _ canvas: Canvas, _ transfer: TransferFunction? = nil,
    storageBuffers: Int = RenderPlan.usualStorageBuffers
  ) throws -> RenderPlan {
    try RenderPlan(
      own.image, from: own.sources.map(\.frameDescription), to: canvas.frame.frameDescription,
      transfer: transfer, storageBuffers: storageBuffers)
  }

  /// The largest error in code values of 8 bits.
  private func error(
    _ own: CompositionCase, _ canvas: Canvas, _ transfer: TransferFunction?
  ) -> Double {
    let context = ReferenceContext(
      luma: canvas.frame.encoding.lumaCoefficients, transfer: transfer)
    let result = canvas.result
    let samples = result.colors + (canvas.frame.layout.alpha == nil ? [] : [result.alpha])
    let rounding = canvas.frame.layout.depth > 8 ? 0.5 / 4 : 0
    return ErrorTable().add(
      "", samples, canvas.frame.samples(of: own.wanted(context)),
      unit: canvas.frame.largest / 255) - rounding
  }

  @Test(arguments: CompositionCase.formats)
  func `random layers are within one code value of their twin`(format: String) throws {
    var random = Random(UInt64(format.utf8.reduce(3) { $0 &* 31 &+ Int($1) } & 0xffff))
    let context = try RenderContext.context(for: DeviceSelection(""))
    var renderer = try Renderer(context)
    for count in [1, 3, 4, 9] {
      let extent = Extent(
        width: .random(in: 1...200, using: &random), height: .random(in: 1...110, using: &random))
      var own = try CompositionCase(random: count, extent, using: &random)
      let sources = try memory(own, on: context.device, using: &random)
      let transfer: TransferFunction? = count == 3 ? .srgb : nil
      if count == 4 { own.shift = (0.3, 1.6) }
      let canvas = try Canvas(format, extent, on: context.device, using: &random)
      _ = try renderer.render(
        try plan(own, canvas, transfer), from: sources, to: canvas.memory)
      let found = error(own, canvas, transfer)
      #expect(found <= 1, "\(count) layers on \(format) \(extent): \(own.layers)")
      guard count == 9 else { continue }
      own.hasBounds = false
      _ = try renderer.render(
        try plan(own, canvas, transfer), from: sources, to: canvas.memory)
      #expect(error(own, canvas, transfer) <= 1, "without bounds: \(own.layers)")
    }
  }

  /// Plain layers, as compositors mostly have them: what is special about them is most likely wrong there.
  @Test(arguments: CompositionCase.formats)
  func `layers of one format at whole places`(format: String) throws {
    var random = Random(17)
    let context = try RenderContext.context(for: DeviceSelection(""))
    var renderer = try Renderer(context)
    let layout = try layout(format)
    for step in 0..<8 {
      let extent = Extent(width: step % 2 == 0 ? 192 : 201, height: step < 4 ? 96 : 83)
      let canvas = try Canvas(format, extent, on: context.device, using: &random)
      var own = CompositionCase(
        extent: extent, background: .checkered(8, .dark, .light), sources: [], layers: [])
      for index in 0..<4 {
        own.sources.append(
          ReferenceFrame(
            random: layout, encoding: canvas.frame.encoding,
            width: .random(in: 2...120, using: &random),
            height: .random(in: 2...60, using: &random),
            using: &random))
        let isEven = step % 4 < 2 ? 1 : 2
        var layer = CompositionCase.Layer(
          source: index,
          position: (
            Double(Int.random(in: -20...90, using: &random) * isEven),
            Double(Int.random(in: -20...40, using: &random) * isEven)
          ))
        if step % 3 == 1 { layer.blending.opacity = .random(in: 0...1, using: &random) }
        if step % 3 == 2 { layer.blending.operator = .source }
        own.layers.append(layer)
      }
      let sources = try memory(own, on: context.device, using: &random)
      _ = try renderer.render(try plan(own, canvas), from: sources, to: canvas.memory)
      #expect(error(own, canvas, nil) <= 1, "\(step): \(own.layers)")
    }
  }

  /// Layers that kernels read by whole blocks, and as far beside these that they just may not; by the kernels of any
  /// Mesa.
  @Test(
    arguments: ["RGBA", "RGBx", "I420", "NV12", "P010_10LE", "Y444", "GRAY8"],
    [(0, false), (4, false), (0, true), (4, true)])
  func `layers at the places of blocks`(
    format: String, place: (beside: Int, isLater: Bool)
  ) throws {
    let beside = place.beside
    var random = Random(UInt64(beside))
    let context = RenderContext(
      try Device(DeviceSelection("")), cachingIn: nil, isLaterLavapipe: place.isLater)
    var renderer = try Renderer(context)
    let layout = try layout(format)
    let extent = Extent(width: 320, height: 96)
    for padding in [Padding(offset: 16, strideAlignment: 16), Padding(offset: 4)] {
      let canvas = try Canvas(format, extent, on: context.device, using: &random)
      let side = [8, 16, 4].randomElement(using: &random) ?? 8
      var own = CompositionCase(
        extent: extent, background: .checkered(side, .dark, .light), sources: [], layers: [])
      for (index, x) in [0, 160, 64, 192].enumerated() {
        own.sources.append(
          ReferenceFrame(
            random: layout, encoding: canvas.frame.encoding, width: 128, height: 48, using: &random)
        )
        var layer = CompositionCase.Layer(
          source: index, position: (Double(x + beside), Double(index / 2 * 32)))
        layer.blending.opacity = index % 2 == 0 ? 1 : .random(in: 0...1, using: &random)
        own.layers.append(layer)
      }
      let sources = try own.sources.map {
        try $0.makeFrame(padding, on: context.device, filler: 0x5a, withSamples: true)
      }
      _ = try renderer.render(try plan(own, canvas), from: sources, to: canvas.memory)
      #expect(error(own, canvas, nil) <= 1, "\(padding), \(side)")
    }
  }

  @Test func `what moves makes no new kernel`() throws {
    var random = Random(5)
    let context = try RenderContext.context(for: DeviceSelection(""))
    var renderer = try Renderer(context)
    let extent = Extent(width: 160, height: 90)
    let canvas = try Canvas("I420", extent, on: context.device, using: &random)
    var own = CompositionCase(
      extent: extent, background: .solid(.dark), sources: [], layers: [])
    for (index, format) in ["I420", "RGBA", "I420", "NV12"].enumerated() {
      let layout = try layout(format)
      own.sources.append(
        ReferenceFrame(
          random: layout, encoding: CompositionCase.encoding(layout, using: &random), width: 40,
          height: 30, using: &random))
      own.layers.append(CompositionCase.Layer(source: index, position: (0, 0)))
    }
    let sources = try memory(own, on: context.device, using: &random)
    var compiled: [Int] = []
    for step in 0..<12 {
      for index in own.layers.indices {
        own.layers[index].position = (
          Double(Int.random(in: -50...170, using: &random)),
          Double(Int.random(in: -50...100, using: &random))
        )
        own.layers[index].blending.opacity = step % 3 == 0 ? 1 : .random(in: 0...1, using: &random)
      }
      own.layers[0].blending.opacity = step == 7 ? 0 : own.layers[0].blending.opacity
      own.background = .solid(step % 2 == 0 ? .dark : .light)
      let report = try renderer.render(try plan(own, canvas), from: sources, to: canvas.memory)
      compiled.append(report.compiledKernels + (step > 0 ? report.newPlans : 0))
      #expect(report.passes == 1)
      #expect(error(own, canvas, nil) <= 1, "\(step): \(own.layers)")
    }
    #expect(compiled.dropFirst().allSatisfy { $0 == 0 })
  }

  /// Nine pads of three planes each, and three planes to write: as much as lavapipe binds.
  @Test(arguments: [9, 12, 30])
  func `as many layers as can be bound are one pass`(count: Int) throws {
    var random = Random(UInt64(count))
    let context = try RenderContext.context(for: DeviceSelection(""))
    var renderer = try Renderer(context)
    let extent = Extent(width: 130, height: 70)
    let format = count == 30 ? "GRAY8" : "I420"
    let canvas = try Canvas(format, extent, on: context.device, using: &random)
    var own = CompositionCase(
      extent: extent, background: .solid(.light), sources: [], layers: [])
    let layout = try layout(format)
    for index in 0..<count {
      own.sources.append(
        ReferenceFrame(
          random: layout, encoding: CompositionCase.encoding(layout, using: &random), width: 50,
          height: 40, using: &random))
      var layer = CompositionCase.Layer(
        source: index, position: (Double(index * 9 - 20), Double(index * 7 % 50 - 9)))
      layer.blending.opacity = 0.6
      own.layers.append(layer)
    }
    let sources = try memory(own, on: context.device, using: &random)
    let plan = try plan(own, canvas)
    #expect(plan.passes.count == (count == 12 ? 2 : 1))
    _ = try renderer.render(plan, from: sources, to: canvas.memory)
    #expect(error(own, canvas, nil) <= 1)
  }

  @Test func `devices that bind few buffers take more passes`() throws {
    var random = Random(3)
    let context = try RenderContext.context(for: DeviceSelection(""))
    var renderer = try Renderer(context)
    let extent = Extent(width: 100, height: 60)
    let canvas = try Canvas("RGBA", extent, on: context.device, using: &random)
    let own = try CompositionCase(random: 8, extent, using: &random)
    let sources = try memory(own, on: context.device, using: &random)
    let plan = try plan(own, canvas, storageBuffers: 8)
    #expect(plan.passes.count > 1)
    for pass in plan.passes {
      let planes = pass.body.inputs.reduce(0) { sum, input in
        if case .frame(let index) = input {
          sum + own.sources[index].layout.planes.count
        } else {
          sum + 1
        }
      }
      #expect(planes <= 7)
    }
    _ = try renderer.render(plan, from: sources, to: canvas.memory)
    #expect(error(own, canvas, nil) <= 1)
  }
}

extension StraightColor {
  fileprivate static let dark = StraightColor(red: 0.3, green: 0.2, blue: 0.1)
  fileprivate static let light = StraightColor(red: 0.8, green: 0.9, blue: 1)
}
