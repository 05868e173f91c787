import RasterGraph
import RasterReference
import RasterRender
import RasterShader
import RasterVulkan
import ShaderLibrary
import Testing

/// Every blend mode on the device against its twin in double precision.
@Suite(.serialized) struct BlendModeRenderTests {
  /// Colors of a backdrop and of a source whose channels are numbers of 32 bits.
  struct Pair {
    var backdrop: ReferenceColor
    var source: ReferenceColor

    /// Six channels from a source of numbers.
    init(_ next: () -> Float) {
      func color() -> ReferenceColor {
        ReferenceColor(Double(next()), Double(next()), Double(next()))
      }
      backdrop = color()
      source = color()
    }

    var channels: [Float] { [backdrop, source].flatMap(\.channels).map { Float($0) } }

    /// Whether the mode compares so nearly equal numbers that rounding decides.
    func isOnEdge(of mode: BlendMode) -> Bool {
      let distances: [Double]
      switch mode.name {
      case "hard-mix": distances = zip(backdrop.channels, source.channels).map { $0 + $1 - 1 }
      case "darker-color", "lighter-color":
        distances = [comparedLuma(source) - comparedLuma(backdrop)]
      default: return false
      }
      return distances.contains { abs(abs($0) - blendTie) < 2.5e-7 }
    }
  }

  /// Where definitions have their cases, beside them, and beyond the range.
  private static let edges: [Float] = [
    -0.02, 0, 1e-7, 1.0 / 255, 0.25, 0.5, Float(0.5).nextUp, 254.0 / 255, Float(1).nextDown, 1,
    1.02,
  ]

  /// Every pair of 8-bit codes, mixtures of the edges, and random numbers.
  private static let pairs: [Pair] = {
    var random = Random(11)
    var pairs = (0..<65_536).map { index in
      let red = [Float(index >> 8) / 255, 0, 0, Float(index & 255) / 255]
      var channel = 0
      return Pair {
        defer { channel += 1 }
        return channel % 3 == 0
          ? red[channel] : Float(UInt8.random(in: 0...255, using: &random)) / 255
      }
    }
    pairs += (0..<16_384).map { _ in
      Pair { edges[Int.random(in: edges.indices, using: &random)] }
    }
    pairs += (0..<16_384).map { _ in Pair { Float.random(in: -0.02...1.02, using: &random) } }
    return pairs
  }()

  /// A kernel of two buffers of `vec4`s: backdrop and source of four pixels in six, results in three.
  private func kernel(_ mode: BlendMode, on device: Device) throws -> ComputePipeline {
    let name = mode.function
    let calls =
      mode.isSeparable
      ? "r = \(name)(r, sr); g = \(name)(g, sg); b = \(name)(b, sb);"
      : "\(name)(r, g, b, sr, sg, sb);"
    let text = """
      #version 450
      layout(local_size_x = 64) in;
      layout(std430, set = 0, binding = 0) readonly restrict buffer B0 { vec4 s[]; };
      layout(std430, set = 0, binding = 1) writeonly restrict buffer B1 { vec4 d[]; };
      layout(push_constant) uniform Push { uint count; } p;
      \(try #require(ShaderLibrary.source(mode.source)))
      void main() {
        uint i = gl_GlobalInvocationID.x;
        if (i >= p.count) return;
        vec4 r = s[6 * i], g = s[6 * i + 1], b = s[6 * i + 2];
        vec4 sr = s[6 * i + 3], sg = s[6 * i + 4], sb = s[6 * i + 5];
        \(calls)
        d[3 * i] = r;
        d[3 * i + 1] = g;
        d[3 * i + 2] = b;
      }

      """
    return try ComputePipeline(
      spirv: try ShaderCompiler.compile(text, name: mode.name), bindingCount: 2,
      uniformSize: 0, pushConstantSize: 4, on: device,
      cache: PipelineCache(on: device, startingWith: []))
  }

  /// The index of a channel's number when channels of four pixels lie together.
  private func index(_ pixel: Int, _ channel: Int, of channels: Int) -> Int {
    (pixel / 4 * channels + channel) * 4 + pixel % 4
  }

  /// What the device makes of the pairs, which must be a multiple of four.
  private func run(_ mode: BlendMode, _ source: HostBuffer, count: Int) throws -> [ReferenceColor] {
    let device = source.device
    let pipeline = try kernel(mode, on: device)
    let result = try HostBuffer(allocating: count * 12, on: device)
    var slot = try CommandSlot(on: device)
    try slot.begin()
    var encoder = slot.encoder()
    let bindings = [source, result].map { BufferBinding($0, offset: 0, size: $0.size) }
    let constants = [UInt32(count / 4)]
    try encoder.dispatch(
      pipeline, bindings: bindings.span, pushConstants: constants.span.bytes,
      groups: (UInt32(count / 4 + 63) / 64, 1))
    _ = try slot.submit(to: Queue(on: device))
    _ = try slot.finish()
    return (0..<count).map { pixel in
      let values = (0..<3).map {
        Double(
          result.address.load(
            fromByteOffset: 4 * index(pixel, $0, of: 3), as: Float.self))
      }
      return ReferenceColor(values[0], values[1], values[2])
    }
  }

  /// The pairs in memory, channels of four pixels together.
  private func upload(_ pairs: [Pair], to device: Device) throws -> HostBuffer {
    let buffer = try HostBuffer(allocating: pairs.count * 24, on: device)
    for (pixel, pair) in pairs.enumerated() {
      for (channel, value) in pair.channels.enumerated() {
        buffer.address.storeBytes(
          of: value, toByteOffset: 4 * index(pixel, channel, of: 6), as: Float.self)
      }
    }
    return buffer
  }

  @Test func `every blend mode is its twin on the device`() throws {
    let device = try RenderContext.context(for: DeviceSelection("")).device
    let pairs = Self.pairs
    let source = try upload(pairs, to: device)
    var table = "blend modes on \(device.name), \(pairs.count) pairs, errors in billionths:"
    for mode in BlendMode.all {
      var (worst, sum, skipped) = (0.0, 0.0, 0)
      for (pair, result) in zip(pairs, try run(mode, source, count: pairs.count)) {
        guard !pair.isOnEdge(of: mode) else {
          skipped += 1
          continue
        }
        let wanted = blend(mode, backdrop: pair.backdrop, source: pair.source)
        let errors = zip(wanted.channels, result.channels).map { abs($0 - $1) }
        // What is not a number is not within 1 either, and must not pass.
        let error = errors.allSatisfy { $0 <= 1 } ? errors.reduce(0, max) : .infinity
        if error > 1e-4, worst <= 1e-4 {
          Issue.record("\(mode.name): \(pair) makes \(result) instead of \(wanted)")
        }
        worst = max(worst, error)
        sum += errors.reduce(0, +)
      }
      let mean = sum / Double(3 * (pairs.count - skipped))
      #expect(worst <= 1e-4, "\(mode.name)")
      #expect(skipped < 10, "\(mode.name)")
      table += "\n  \(mode.name): max \(billionths(worst)), mean \(billionths(mean))"
      if skipped > 0 { table += ", on an edge \(skipped)" }
    }
    print(table)
  }

  private func billionths(_ value: Double) -> String {
    "\((value * 1e10).rounded() / 10)"
  }
}

extension ReferenceColor {
  fileprivate var channels: [Double] { [red, green, blue] }
}
