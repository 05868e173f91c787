import RasterColor
import RasterGraph
import RasterReference
import ShaderLibrary
import Testing

@Suite struct FilterTests {
  @Test func `filters at their defaults change nothing`() {
    #expect(Exposure().isIdentity && VideoBalance().isIdentity && Gamma().isIdentity)
    #expect(ColorChain().isIdentity)
    #expect(ColorChain().steps(luma: .bt601).isEmpty)
  }

  private func check<Filter: PointwiseFilter>(_ type: Filter.Type) {
    for parameter in Filter.parameters {
      let path = parameter.value as WritableKeyPath<Filter, Double>
      #expect(Filter()[keyPath: path] == parameter.defaultValue)
      #expect(parameter.range.contains(parameter.defaultValue))
      var changed = Filter()
      changed[keyPath: path] = parameter.range.upperBound
      #expect(!changed.isIdentity, "\(parameter.name)")
    }
  }

  @Test func `parameters state the defaults and every one of them counts`() {
    check(Exposure.self)
    check(VideoBalance.self)
    check(Gamma.self)
  }

  /// Golden numbers: exposure +0.5 of (0.8, 0.4, 0.2).
  @Test func `exposure doubles with each stop`() {
    var exposure = Exposure()
    exposure.ev = 0.5
    let color = exposure.reference(ReferenceColor(0.8, 0.4, 0.2))
    #expect(abs(color.red - 1.1314) < 5e-5)
    #expect(abs(color.green - 0.5657) < 5e-5)
    #expect(abs(color.blue - 0.2828) < 5e-5)
  }

  @Test func `every function that a filter calls is in the shader library`() {
    var chain = ColorChain()
    chain.gamma.gamma = 2
    for step in chain.steps(luma: .bt601) {
      guard case .luma(let function, _) = step else { continue }
      #expect(ShaderLibrary.source(function.source) != nil)
    }
  }
}
