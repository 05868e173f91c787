import RasterColor
import RasterGraph
import Testing

private let nv12 = PixelLayout(
  name: "NV12",
  planes: [
    .init(pixelStride: 1, horizontalSubsampling: 0, verticalSubsampling: 0),
    .init(pixelStride: 2, horizontalSubsampling: 1, verticalSubsampling: 1),
  ],
  colors: [
    .init(plane: 0, offset: 0, depth: 8), .init(plane: 1, offset: 0, depth: 8),
    .init(plane: 1, offset: 1, depth: 8),
  ], alpha: nil)

private let rgb = PixelLayout(
  name: "RGB", planes: [.init(pixelStride: 3, horizontalSubsampling: 0, verticalSubsampling: 0)],
  colors: (0...2).map { .init(plane: 0, offset: $0, depth: 8) }, alpha: nil)

@Suite struct KernelPlanTests {
  private func plan(
    _ layout: PixelLayout, width: Int, height: Int = 4, input: [PlaneGeometry],
    output: [PlaneGeometry], style: KernelStyle = .cpu
  ) throws -> KernelPlan {
    let encoding = ColorEncoding(
      model: layout.name == "RGB" ? .rgb : .ycbcr(.bt601), range: .limited)
    var chain = ColorChain()
    chain.exposure.ev = 1
    let program = PointwiseProgram(
      steps(of: chain, .bt601), from: encoding, to: encoding)
    return try KernelPlan(
      program.operations, from: layout, input, to: layout, output,
      Extent(width: width, height: height), style: style)
  }

  private func planes(_ stride: Int, offset: Int = 0, count: Int = 2) -> [PlaneGeometry] {
    (0..<count).map { _ in PlaneGeometry(offset: offset, stride: stride, available: 1 << 20) }
  }

  @Test func `a block is made of whole vectors in every plane`() throws {
    let wide = try plan(nv12, width: 1920, input: planes(1920), output: planes(1920))
    #expect(wide.target.blockWidth == 32 && wide.target.blockHeight == 2)
    #expect(wide.sourceAccess == [.vectors(bytes: 32), .vectors(bytes: 32)])
    let packed = try plan(
      rgb, width: 1920, input: planes(5760, count: 1), output: planes(5760, count: 1))
    #expect(packed.target.blockWidth == 32 && packed.target.blockHeight == 1)
    let gpu = try plan(nv12, width: 1920, input: planes(1920), output: planes(1920), style: .gpu)
    #expect(
      gpu.target.blockWidth == 4 && gpu.sourceAccess == [.vectors(bytes: 4), .vectors(bytes: 4)])
  }

  @Test func `on a GPU a block's part of a row is one load`() throws {
    let planar = PixelLayout(
      name: "I420",
      planes: [0, 1, 1].map {
        .init(pixelStride: 1, horizontalSubsampling: $0, verticalSubsampling: $0)
      }, colors: (0...2).map { .init(plane: $0, offset: 0, depth: 8) }, alpha: nil)
    let plan = try plan(
      planar, width: 1920, input: planes(1920, count: 3), output: planes(1920, count: 3),
      style: .gpu)
    #expect(plan.target.blockWidth == 8)
    #expect(
      plan.sourceAccess == [.vectors(bytes: 8), .vectors(bytes: 4), .vectors(bytes: 4)])
  }

  @Test(arguments: [(0, 1920, 32), (16, 1920, 16), (8, 1920, 8), (4, 1920, 4), (0, 1924, 4)])
  func `loads are as wide as offset and stride allow`(offset: Int, stride: Int, bytes: Int) throws {
    let plan = try plan(
      nv12, width: 1900, input: planes(stride, offset: offset), output: planes(1920))
    #expect(plan.sourceAccess[0] == .vectors(bytes: bytes))
  }

  @Test(arguments: [(1, 1920), (2, 1920), (0, 1921), (0, 1922)])
  func `rows that start at any byte are read in shifted words`(offset: Int, stride: Int) throws {
    let plan = try plan(
      nv12, width: 1900, input: planes(stride, offset: offset), output: planes(1920))
    #expect(plan.sourceAccess[0] == .unaligned)
  }

  @Test func `stores are checked only where a block reaches beyond the stride`() throws {
    let exact = try plan(nv12, width: 1920, input: planes(1920), output: planes(1920))
    #expect(exact.target.access.allSatisfy { !$0.isGuarded })
    let tight = try plan(nv12, width: 1900, input: planes(1900), output: planes(1900))
    #expect(tight.target.access.allSatisfy { $0.isGuarded })
  }

  @Test func `a vector never reaches beyond the memory that is there`() throws {
    let short = PlaneGeometry(offset: 0, stride: 32, available: 3 * 32 + 20)
    let plan = try plan(
      rgb, width: 6, input: [short], output: planes(32, count: 1))
    #expect(plan.sourceAccess == [.vectors(bytes: 4)])
  }

  @Test func `an output that cannot be written in words is refused`() {
    #expect(throws: RasterError.self) {
      try plan(nv12, width: 16, input: planes(16), output: planes(17))
    }
    #expect(throws: RasterError.self) {
      let short = PlaneGeometry(offset: 0, stride: 64, available: 100)
      return try plan(rgb, width: 6, input: planes(64, count: 1), output: [short])
    }
  }

  @Test func `workgroups share a row evenly on GPUs and walk along it on CPUs`() throws {
    func target(_ style: KernelStyle) throws -> KernelTarget {
      try plan(
        rgb, width: 1920, input: planes(5760, count: 1), output: planes(5760, count: 1),
        style: style
      ).target
    }
    let (walked, shared) = (try target(.cpu), try target(.gpu))
    #expect(walked.workgroupWidth == 8)
    #expect(walked.workgroups((columns: 60, lines: 9)) == (1, 9))
    #expect(shared.workgroupWidth == 120)
    #expect(shared.workgroups((columns: 480, lines: 9)) == (4, 9))
  }

  @Test func `equal structures make equal plans and the text names the steps`() throws {
    let first = try plan(nv12, width: 1920, input: planes(1920), output: planes(1920))
    let second = try plan(nv12, width: 1920, height: 8, input: planes(1920), output: planes(1920))
    #expect(first == second)
    #expect(first.description == "NV12 → matrix(separate) → NV12, 1 pass, block 32×2")
  }
}
