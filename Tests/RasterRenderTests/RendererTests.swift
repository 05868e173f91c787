import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVideo
import RasterVulkan
import Testing

/// Kernels on the device against their twins in double precision.
@Suite(.serialized) struct RendererTests {
  private func context() throws -> RenderContext {
    try RenderContext.context(for: DeviceSelection(""))
  }

  /// The encoding that frames of a layout have in the tests.
  static func encoding(_ layout: PixelLayout, range: NominalRange) -> ColorEncoding {
    if layout.colors.count == 1 { return ColorEncoding(model: .gray, range: range) }
    let isRGB = layout.name.contains("R") && layout.name.contains("B")
    return ColorEncoding(model: isRGB ? .rgb : .ycbcr(.bt709), range: range)
  }

  static func randomChain(_ random: inout Random) -> ColorChain {
    var chain = ColorChain()
    chain.exposure.ev = Double.random(in: -1.5...1.5, using: &random)
    chain.balance.brightness = Double.random(in: -0.4...0.4, using: &random)
    chain.balance.contrast = Double.random(in: 0...2, using: &random)
    chain.balance.hue = Double.random(in: -1...1, using: &random)
    chain.balance.saturation = Double.random(in: 0...2, using: &random)
    if Bool.random(using: &random) {
      chain.gamma.gamma = Double.random(in: 0.3...3, using: &random)
    }
    return chain
  }

  /// Renders a frame and compares it with the twin.
  private func check(
    _ frame: ReferenceFrame, _ chain: ColorChain, _ renderer: inout Renderer,
    input: Padding, output: Padding = .aligned
  ) throws {
    let device = renderer.context.device
    let source = try frame.makeFrame(input, on: device, filler: 0x5a, withSamples: true)
    let target = try frame.makeFrame(output, on: device, filler: 0xa5, withSamples: false)
    let report = try renderer.render(
      try frame.plan(chain.filters), from: [source], to: target)
    #expect(report.passes == 1)
    let difference = frame.read(from: target).maxDifference(to: frame.applying(chain.twins))
    #expect(
      difference <= 1,
      "\(frame.layout.name) \(frame.width)×\(frame.height), \(input.testDescription): \(chain)")
    #expect(
      frame.read(from: source).maxDifference(to: frame) == 0, "the source has been written to")
  }

  static let sizes = [
    (1, 1), (2, 3), (3, 5), (16, 2), (31, 9), (65, 4), (257, 5),
  ]

  // The twin's samples are bytes; deep formats are compared in FilterRenderTests.
  @Test(arguments: VideoFormats.names.filter { !$0.hasSuffix("_LE") && !$0.hasSuffix("LE") })
  func `all sizes, strides and offsets`(name: String) throws {
    let layout = try layout(name)
    var renderer = try Renderer(try context())
    var random = Random(UInt64(name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }))
    let paddings = [
      Padding.aligned, .caps, Padding(extraStride: 1), Padding(offset: 1), Padding(offset: 2),
      Padding(offset: 3, extraStride: 5), Padding(offset: 4, strideAlignment: 4),
      Padding(offset: 8, strideAlignment: 8), Padding(offset: 16, strideAlignment: 16),
      Padding(offset: 48, extraStride: 100, strideAlignment: 4),
      Padding(offset: 7, extraStride: 3, isBottomUp: true),
      Padding(strideAlignment: 64, isBottomUp: true),
    ]
    for (width, height) in Self.sizes {
      for padding in paddings {
        let encoding = Self.encoding(layout, range: Bool.random(using: &random) ? .full : .limited)
        let frame = ReferenceFrame(
          random: layout, encoding: encoding, width: width, height: height, using: &random)
        try check(
          frame, Self.randomChain(&random), &renderer, input: padding,
          output: Bool.random(using: &random) ? .aligned : .caps)
      }
    }
  }

  /// Every pair of luma and chroma codes, every pair of chroma codes, all at the ends of settings.
  @Test(arguments: ["NV12", "RGBA", "GRAY8"], [NominalRange.limited, .full])
  func `the whole value range`(name: String, range: NominalRange) throws {
    let layout = try layout(name)
    var renderer = try Renderer(try context())
    let encoding = Self.encoding(layout, range: range)
    var frame = ReferenceFrame(
      layout: layout, encoding: encoding, width: 256, height: 256, colors: [], alpha: [])
    for component in layout.colors.indices {
      let (columns, rows) = frame.size(of: component)
      let samples = (0..<columns * rows).map { index -> Int in
        let (x, y) = (index % columns * 256 / columns, index / columns * 256 / rows)
        return ([x, y, (x &+ y) % 256][(component + (columns < 256 ? 2 : 0)) % 3])
      }
      frame.colors.append(samples)
    }
    if layout.alpha != nil { frame.alpha = (0..<65_536).map { $0 % 256 } }
    for chain in Self.extremeChains {
      try check(frame, chain, &renderer, input: .aligned)
    }
  }

  static var extremeChains: [ColorChain] {
    var chains = [ColorChain()]
    func add(_ change: (inout ColorChain) -> Void) {
      var chain = ColorChain()
      change(&chain)
      chains.append(chain)
    }
    for value in [-1.0, 1] {
      add { $0.balance.brightness = value }
      add { $0.balance.hue = value }
      add { $0.exposure.ev = value * 10 }
    }
    for value in [0.0, 2] {
      add { $0.balance.contrast = value }
      add { $0.balance.saturation = value }
    }
    for value in [0.01, 0.45, 2.2, 10] { add { $0.gamma.gamma = value } }
    add {
      $0.exposure.ev = 10
      $0.gamma.gamma = 0.01
    }
    return chains
  }

  @Test func `bytes beyond the frame are left alone`() throws {
    let layout = try layout("RGB")
    var renderer = try Renderer(try context())
    var random = Random(7)
    let encoding = ColorEncoding(model: .rgb, range: .full)
    let frame = ReferenceFrame(
      random: layout, encoding: encoding, width: 5, height: 3, using: &random)
    let device = renderer.context.device
    let source = try frame.makeFrame(.aligned, on: device, filler: 0, withSamples: true)
    let target = try frame.makeFrame(.caps, on: device, filler: 0xa5, withSamples: false)
    var chain = ColorChain()
    chain.exposure.ev = 1
    _ = try renderer.render(try frame.plan(chain.filters), from: [source], to: target)
    let buffer = target.planes[0].buffer
    let tail = UnsafeRawBufferPointer(start: buffer.address, count: buffer.size).dropFirst(3 * 16)
    #expect(tail.allSatisfy { $0 == 0xa5 })
  }

  @Test func `a kernel is compiled once for a structure`() throws {
    let layout = try layout("NV12")
    var random = Random(11)
    let encoding = Self.encoding(layout, range: .limited)
    let context = try context()
    var renderer = try Renderer(context)
    let frame = ReferenceFrame(
      random: layout, encoding: encoding, width: 90, height: 34, using: &random)
    let source = try frame.makeFrame(.aligned, on: context.device, filler: 0, withSamples: true)
    let target = try frame.makeFrame(.aligned, on: context.device, filler: 0, withSamples: false)
    var compiled = 0
    for step in 0..<10 {
      var chain = ColorChain()
      chain.balance.contrast = 0.5 + Double(step) / 10
      compiled += try renderer.render(
        try frame.plan(chain.filters), from: [source], to: target
      ).compiledKernels
    }
    #expect(compiled <= 1)
  }

  /// A plane of 160 MB is more than lavapipe binds at once. In the second case memory ends with the last
  /// sample, so that the widest loads of the first band would reach beyond it in the last.
  @Test(arguments: [(16_384, 16_384), (16_390, 16_416)])
  func `a frame larger than a binding is rendered in bands`(width: Int, rowBytes: Int) throws {
    let layout = try layout("GRAY8")
    let context = try context()
    var renderer = try Renderer(context)
    let height = 10_000
    let size = rowBytes * (height - 1) + width
    // GPUs bind more at once; there this is a test of large frames.
    #expect(
      size > context.device.limits.maxStorageBufferRange || context.device.deviceClass != .cpu)
    let source = try HostBuffer(allocating: size, on: context.device)
    let target = try HostBuffer(allocating: size + 64, on: context.device)
    for row in 0..<height {
      let bytes = (source.address + row * rowBytes).assumingMemoryBound(to: UInt8.self)
      for column in 0..<width { bytes[column] = UInt8((row + column) % 120) }
    }
    let encoding = ColorEncoding(model: .gray, range: .full)
    var chain = ColorChain()
    chain.exposure.ev = 1
    let plan = try RenderPlan(
      chain.filters,
      FrameDescription(
        layout: layout, encoding: encoding, extent: Extent(width: width, height: height)))
    func frame(_ buffer: HostBuffer) -> Frame {
      Frame(layout: layout, planes: [FramePlane(buffer: buffer, offset: 0, stride: rowBytes)])
    }
    let report = try renderer.render(plan, from: [frame(source)], to: frame(target))
    #expect(report.passes == 1)
    for row in Array(stride(from: 0, to: height, by: 7)) + [height - 1] {
      for column in [0, 5000, width - 1] {
        let value = (target.address + row * rowBytes + column).load(as: UInt8.self)
        #expect(Int(value) == 2 * ((row + column) % 120))
      }
    }
  }

  @Test func `an impossible size is refused`() throws {
    let layout = try layout("GRAY8")
    let context = try context()
    var renderer = try Renderer(context)
    let buffer = try HostBuffer(allocating: 64, on: context.device)
    let frame = Frame(
      layout: layout, planes: [FramePlane(buffer: buffer, offset: 0, stride: 1 << 30)])
    let encoding = ColorEncoding(model: .gray, range: .full)
    let plan = try RenderPlan(
      [],
      FrameDescription(
        layout: layout, encoding: encoding, extent: Extent(width: 1 << 30, height: 2)))
    #expect(throws: RasterError.self) {
      try renderer.render(plan, from: [frame], to: frame)
    }
  }
}
