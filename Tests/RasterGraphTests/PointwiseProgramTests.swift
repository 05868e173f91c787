import RasterColor
import RasterGraph
import Testing

/// Settings that change something in every filter.
private func fullChain() -> ColorChain {
  var chain = ColorChain()
  chain.exposure.ev = 0.5
  chain.balance.hue = 0.2
  chain.balance.contrast = 1.3
  chain.gamma.gamma = 1.8
  return chain
}

/// The steps of a chain's filters.
func steps(of chain: ColorChain, _ luma: LumaCoefficients) -> [PointwiseStep] {
  chain.filters.filter { !$0.isIdentity }.compactMap { $0 as? any PointwiseFilter }
    .flatMap { $0.steps(luma: luma) }
}

@Suite struct PointwiseProgramTests {
  private let nv12 = ColorEncoding(model: .ycbcr(.bt709), range: .limited)
  private let rgb = ColorEncoding(model: .rgb, range: .full)
  private let gray = ColorEncoding(model: .gray, range: .full)

  private func program(
    _ chain: ColorChain, _ encoding: ColorEncoding
  ) -> PointwiseProgram {
    PointwiseProgram(
      steps(of: chain, encoding.lumaCoefficients), from: encoding, to: encoding)
  }

  @Test func `a linear chain on YCbCr is one matrix that keeps luma and chroma apart`() throws {
    var chain = fullChain()
    chain.gamma.gamma = 1
    #expect(program(chain, nv12).operations == [.matrix(.separate)])
  }

  @Test func `a linear chain on gray is one factor and one offset`() throws {
    var chain = fullChain()
    chain.gamma.gamma = 1
    let program = program(chain, gray)
    #expect(program.operations == [.matrix(.single)])
    #expect(program.values.count == 2)
  }

  @Test func `RGB keeps the limits of the stock element between two matrices`() throws {
    var chain = fullChain()
    chain.gamma.gamma = 1
    #expect(
      program(chain, rgb).operations == [.matrix(.full), .codeLimits, .matrix(.full)])
  }

  @Test func `limits and gamma share the conversion to luma`() throws {
    #expect(
      program(fullChain(), rgb).operations == [
        .matrix(.full), .codeLimits,
        .function(
          .init(source: .library("Filters/Gamma"), channels: .first, argumentCount: 1, table: nil)),
        .matrix(.full),
      ])
  }

  @Test func `neutral settings fold to the identity with rounding`() throws {
    let values = program(ColorChain(), nv12).values
    let expected: [Float] = [1, 0.5, 1, 0, 0.5, 0, 1, 0.5]
    #expect(values.count == expected.count)
    for (value, wanted) in zip(values, expected) { #expect(abs(value - wanted) < 1e-5) }
  }

  @Test func `values change with the settings and operations do not`() throws {
    var other = fullChain()
    other.balance.contrast = 0.5
    let (first, second) = (program(fullChain(), nv12), program(other, nv12))
    #expect(first.operations == second.operations)
    #expect(first.values != second.values)
  }

  @Test func `a step that mixes luma and chroma computes pixels as a whole`() {
    let mixing = AffineMatrix(.init(0, 1, 0), .init(1, 0, 0), .init(0, 0, 1))
    let program = PointwiseProgram([.matrix(mixing)], from: nv12, to: nv12)
    #expect(program.operations == [.matrix(.full)])
    #expect(program.mixesChannels)
    #expect(!PointwiseProgram([.matrix(.scaling(2))], from: nv12, to: nv12).mixesChannels)
  }

  @Test func `five filters with a function in the middle are two matrices and the function`() throws
  {
    var vibrance = Vibrance()
    vibrance.amount = 0.5
    var saturation = Saturation()
    saturation.amount = 0.5
    var exposure = Exposure()
    exposure.ev = 1
    let filters: [any PointwiseFilter] = [exposure, saturation, vibrance, ColorInvert(), exposure]
    let program = PointwiseProgram(
      filters.flatMap { $0.steps(luma: .bt709) }, from: nv12, to: nv12)
    #expect(
      program.operations == [
        .matrix(.full),
        .function(
          .init(source: .library("Filters/Vibrance"), channels: .all, argumentCount: 1, table: nil)),
        .matrix(.full),
      ])
  }
}
