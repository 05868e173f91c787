import RasterColor
import RasterGraph
import RasterReference
import ShaderLibrary
import Testing

@Suite struct FilterTests {
  @Test func `filters at their defaults change nothing`() {
    #expect(Exposure().isIdentity && VideoBalance().isIdentity && Gamma().isIdentity)
    #expect(ColorChain().isIdentity)
    #expect(steps(of: ColorChain(), .bt601).isEmpty)
  }

  @Test func `the registry has every filter once, under its name`() throws {
    let names = FilterRegistry.all.map { $0.name }
    #expect(names == names.sorted() && Set(names).count == names.count)
    for name in names { #expect(type(of: try FilterRegistry.make(name)).name == name) }
    let error = #expect(throws: RasterError.self) { try FilterRegistry.make("exposur") }
    #expect(error?.remedy.contains("exposure") == true)
  }

  @Test func `every filter has a twin and every parameter its default`() throws {
    for type in FilterRegistry.all {
      let filter = type.init()
      #expect(filter is any ReferenceFilter || filter is any ImageTwin, "\(type.name)")
      #expect(filter.problem == nil)
      for (index, parameter) in type.descriptors.enumerated() {
        switch (parameter.kind, try #require(filter.value(at: index))) {
        case (.number(let range, let wanted), .number(let value)):
          #expect(value == wanted && range.contains(wanted))
        case (.toggle(let wanted), .toggle(let value)): #expect(value == wanted)
        case (.text(let wanted), .text(let value)): #expect(value == wanted)
        case (.choice(let words, let wanted), .text(let value)):
          #expect(value == wanted && words.contains(wanted))
        default: Issue.record("\(type.name).\(parameter.name) is of another kind")
        }
      }
    }
  }

  @Test func `a wrong value is refused with the right ones, and the filter stays`() throws {
    var filter = try FilterRegistry.make("exposure")
    for value in [ParameterValue.number(11), .text("bright"), .toggle(true)] {
      let error = #expect(throws: RasterError.self) { try filter.set(value, at: 0) }
      #expect(error?.remedy.contains("-10.0 … 10.0") == true)
      #expect(filter.isIdentity)
    }
    try filter.set(.number(1), at: 0)
    #expect(filter.value(at: 0) == .number(1))
  }

  @Test(arguments: ["1 2 3", "a b c d e f g h i j k l", "1 0 0 0 0 1 0 0 0 0 1 inf"])
  func `a text that is no matrix is refused`(text: String) throws {
    var filter = try FilterRegistry.make("color-matrix")
    #expect(throws: RasterError.self) { try filter.set(.text(text), at: 0) }
    #expect(filter.isIdentity)
  }

  @Test(arguments: ["0,0", "0,0 0,1", "0,0 1", "0,0 2,1", "x,y 1,1", "1,1 0,0"])
  func `a text that is no curve is refused`(text: String) throws {
    var filter = try FilterRegistry.make("tone-curve")
    #expect(throws: RasterError.self) { try filter.set(.text(text), at: 0) }
    #expect(filter.isIdentity)
  }

  @Test func `a curve goes through its points and is level beyond them`() throws {
    let spline = try #require(Spline(parsing: "0.1,0.2 0.4,0.7 0.6,0.5 0.9,0.9"))
    for (x, y) in [(0.1, 0.2), (0.4, 0.7), (0.6, 0.5), (0.9, 0.9), (0, 0.2), (1, 0.9)] {
      #expect(abs(spline(x) - y) < 1e-12)
    }
  }

  /// Golden numbers: (0.8, 0.4, 0.2) with saturation 0.5, and with vibrance +0.5.
  @Test func `saturation and vibrance have their golden numbers`() {
    let color = ReferenceColor(0.8, 0.4, 0.2)
    func expect(_ result: ReferenceColor, _ red: Double, _ green: Double, _ blue: Double) {
      #expect(abs(result.red - red) < 5e-5)
      #expect(abs(result.green - green) < 5e-5)
      #expect(abs(result.blue - blue) < 5e-5)
    }
    var saturation = Saturation()
    saturation.amount = 0.5
    expect(saturation.reference(color, weights: .bt601), 0.6484, 0.4484, 0.3484)
    var vibrance = Vibrance()
    vibrance.amount = 0.5
    expect(vibrance.reference(color, weights: .bt601), 0.8606, 0.3806, 0.1406)
  }

  /// Golden numbers: exposure +0.5 of (0.8, 0.4, 0.2).
  @Test func `exposure doubles with each stop`() {
    var exposure = Exposure()
    exposure.ev = 0.5
    let color = exposure.reference(ReferenceColor(0.8, 0.4, 0.2), weights: .bt601)
    #expect(abs(color.red - 1.1314) < 5e-5)
    #expect(abs(color.green - 0.5657) < 5e-5)
    #expect(abs(color.blue - 0.2828) < 5e-5)
  }

  @Test func `every function that a filter calls is in the shader library`() {
    var chain = ColorChain()
    chain.gamma.gamma = 2
    for step in steps(of: chain, .bt601) {
      guard case .luma(let function, _) = step, case .library(let file) = function.source else {
        continue
      }
      #expect(ShaderLibrary.source(file) != nil)
    }
  }
}
