import CShim
import RasterColor
import RasterGraph
import RasterReference
import RasterShader
import RasterVideo
import Synchronization
import Testing

/// The kernels of lists of filters: everything up to SPIR-V, for which no device is needed.
///
/// What a filter does depends on what lies below it: it becomes a statement, a group, or a pass of its own.
@Suite struct FilterListKernelTests {
  static let formats = [("NV12", "NV12"), ("RGBA", "I420")]

  /// What came of each text; equal ones are compiled once.
  private static let known = Mutex<[String: String]>([:])

  /// What is wrong with the kernels of a list; empty where nothing is.
  private static func problem(_ list: String, _ formats: (String, String)) throws -> String {
    let filters = try FilterExample.make(list)
    let (source, target) = (try frame(formats.0), try frame(formats.1))
    let context = FilterContext(luma: source.encoding.lumaCoefficients)
    let image = filters.reduce(source.image(0)) { $1.output($0, in: context) }
    var end = target
    end.extent = image.extent
    do {
      let plan = try RenderPlan(image, from: [source], to: end)
      for pass in plan.passes {
        let text = try kernel(pass, source.layout, end.layout).source
        if let known = known.withLock({ $0[text] }) {
          guard known.isEmpty else { return known }
          continue
        }
        var found = ""
        do {
          _ = try ShaderCompiler.compile(text, name: pass.label)
        } catch { found = error.message }
        known.withLock { $0[text] = found }
        guard found.isEmpty else { return found }
      }
      return ""
    } catch { return error.message }
  }

  private static func check(_ lists: [String], _ formats: [(String, String)] = formats) throws {
    var problems: [String] = []
    for list in lists {
      for (from, to) in formats {
        let problem = try problem(list, (from, to))
        if !problem.isEmpty { problems.append("\(list) [\(from) → \(to)]: \(problem)") }
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private static func frame(_ format: String) throws -> FrameDescription {
    let info = try #require(gst_video_format_get_info(raster_video_format_from_string(format)))
    let layout = try #require(PixelLayout(info))
    let isRGB = format.hasPrefix("RGB")
    return FrameDescription(
      layout: layout,
      encoding: ColorEncoding(
        model: isRGB ? .rgb : .ycbcr(.bt709), range: isRGB ? .full : .limited),
      extent: Extent(width: 224, height: 126))
  }

  /// The kernel of a pass over frames whose rows are aligned.
  private static func kernel(
    _ pass: RenderPlan.Pass, _ source: PixelLayout, _ target: PixelLayout
  ) throws(RasterError) -> Kernel {
    func planes(_ layout: PixelLayout) -> [PlaneGeometry] {
      layout.planes.map { _ in PlaneGeometry(offset: 0, stride: 8192, available: 1 << 30) }
    }
    func plan(_ kernel: SampledKernel, to layout: PixelLayout) throws(RasterError) -> SampledPlan {
      let inputs = kernel.inputs.map { input in
        let own: PixelLayout =
          switch input {
          case .frame: source
          case .still: .wide
          case .intermediate: .half
          }
        return SampledPlan.Input(own, planes(own))
      }
      return try SampledPlan(
        kernel, inputs: inputs, to: layout, planes(layout), pass.extent, style: .gpu)
    }
    switch pass.body {
    case .pointwise(let operations, _, _):
      return try KernelComposer.compose(
        try KernelPlan(
          operations, from: source, planes(source), to: target, planes(target), pass.extent,
          style: .gpu))
    case .sampled(let kernel):
      let layout = pass.output == .destination ? target : PixelLayout.half
      return try SampledComposer.compose(try plan(kernel, to: layout))
    case .curves(let kernel, _, _):
      return try SampledComposer.composeCurves(
        try plan(kernel, to: .half), pushConstantLimit: 128)
    }
  }

  @Test(arguments: FilterExample.names)
  func `every pair of filters compiles`(first: String) throws {
    try Self.check(
      FilterExample.names.map {
        "\(FilterExample.text(first)); \(FilterExample.text($0))"
      })
  }

  /// One filter of each kind of image, besides those that blur.
  static let kinds = [
    "exposure, ev=1", "opacity, amount=0.5", "transform, rotation=4", "sobel", "unsharp",
    "gaussian-blur, sigma=9", "checkerboard",
    "blend, source=\"gaussian-blur, sigma=2\", opacity=0.5",
  ]

  /// An equalization reads its input twice: once it is measured, in a kernel of its own kind.
  @Test(arguments: kinds)
  func `an equalization compiles in each place of three`(first: String) throws {
    let lists = Self.kinds.flatMap { second in
      ["clahe", "histogram-equalize"].flatMap { own in
        [
          "\(own); \(first); \(second)", "\(first); \(own); \(second)",
          "\(first); \(second); \(own)",
        ]
      }
    }
    try Self.check(lists, [("NV12", "NV12")])
  }

  static let blurs = [
    "gaussian-blur, sigma=2", "box-blur, width=9, height=3", "unsharp", "gaussian-blur; clahe",
    "clahe; gaussian-blur, sigma=9", "rotate, angle=12; gaussian-blur",
  ]

  @Test(arguments: blurs)
  func `blends with what is blurred compile`(source: String) throws {
    let lists = Self.blurs.flatMap { mask in
      [
        "blend-with-mask, source=\"\(source)\", mask-source=\"\(mask)\", mode=screen",
        "blend-with-mask, location=picture, source=\"\(source)\", mask-source=\"\(mask)\"; clahe",
        "\(mask); blend, source=\"\(source)\", opacity=0.5; bulge, amount=0.3",
      ]
    }
    try Self.check(lists, [("RGBA", "NV12")])
  }

  @Test(arguments: 0..<10)
  func `random lists compile`(_ part: Int) throws {
    var random = Random(UInt64(part))
    let texts =
      FilterExample.names.map { FilterExample.text($0) }
      + Self.blurs.map { "blend, source=\"\($0)\", mode=hue" }
    for index in 0..<30 {
      let count = Int.random(in: 3...8, using: &random)
      let list = (0..<count).map { _ in texts[Int.random(in: texts.indices, using: &random)] }
      try Self.check([list.joined(separator: "; ")], [Self.formats[index % 2]])
    }
  }

  @Test func `no example is an identity`() throws {
    for name in FilterExample.names {
      let filters = try FilterExample.make(FilterExample.text(name))
      #expect(filters.count == 1 && filters.allSatisfy { !$0.isIdentity }, "\(name)")
    }
  }
}
