import RasterGraph
import RasterReference
import ShaderLibrary
import Testing

private func table(_ text: String) throws -> ColorTable {
  try ColorTable(cube: Array(text.utf8), name: "look.cube")
}

/// The eight corners of a cube, red fastest.
private let corners = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"

@Suite struct ColorTableTests {
  @Test func `a cube has its title, domain and values`() throws {
    let table = try table(
      "# a look\nTITLE \"Look # 1\"\nLUT_3D_SIZE 2\nDOMAIN_MIN -1 0 0.5\nDOMAIN_MAX 1 2 4\n\n"
        + corners)
    #expect(table.dimensions == 3 && table.size == 2 && table.shaper == nil)
    #expect(table.domainMinimum == SIMD3(-1, 0, 0.5) && table.domainMaximum == SIMD3(1, 2, 4))
    #expect(table.values.prefix(9) == [0, 0, 0, 1, 0, 0, 0, 1, 0])
    #expect(table.values.count == 24)
  }

  @Test(
    arguments: [
      "LUT_1D_SIZE 2\n0 0.25 -1e-1\n1 .5 2.5E+1\n", "LUT_1D_SIZE 2\r\n0 0.25 -1e-1\r\n1 .5 25\r\n",
      "LUT_1D_SIZE 2\r0 0.25 -1e-1\r1 .5 25", "\u{FEFF}LUT_1D_SIZE 2\n0 0.25 -1e-1\n1 .5 25\n",
      "\t LUT_1D_SIZE\t2 # points\n\n  0\t0.25\t-0.1  # first\n# none\n+1 0.50 25.\n\n\n",
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\n0 0.25000000000000000000000 -0.1\n1 5e-1 0.00025e5",
    ])
  func `blanks, comments, line ends and forms of numbers are understood`(text: String) throws {
    let table = try table(text)
    #expect(table.dimensions == 1 && table.size == 2)
    #expect(table.values == [0, 0.25, -0.1, 1, 0.5, 25])
    #expect(table.domainMinimum == .zero && table.domainMaximum == .one)
  }

  @Test func `a shaper comes before its cube`() throws {
    let table = try table(
      "LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE -0.5 1.5\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 2\n"
        + "0 0 0\n.5 .5 .5\n2 2 2\n" + corners)
    let shaper = try #require(table.shaper)
    #expect(shaper.size == 3 && shaper.domain == -0.5...1.5)
    #expect(shaper.values == [0, 0, 0, 0.5, 0.5, 0.5, 2, 2, 2])
    #expect(table.dimensions == 3 && table.values.count == 24)
    #expect(table.domainMaximum == SIMD3(2, 2, 2))
    #expect(table.shaderTable == shaper.values + table.values)
  }

  /// The text, the line that is named, and a part of what is said.
  static let malformed: [(text: String, line: Int, words: String)] = [
    ("", 1, "empty"), ("\n\n# nothing\n", 3, "missing"), ("TITLE \"x\"\n", 1, "missing"),
    ("0 0 0\n1 1 1\n", 1, "missing"), ("{\\rtf1\\ansi}", 1, "not a keyword"),
    ("\u{0}\u{1}\u{2}PNG", 1, "\"???PNG\" is not a keyword"), ("<xml>", 1, "not a keyword"),
    ("Hello\nworld", 1, "\"Hello\" is not a keyword"), ("lut_3d_size 2", 1, "not a keyword"),
    ("LUT_3D_SIZE\n" + corners, 1, "LUT_3D_SIZE"), ("LUT_3D_SIZE 1\n0 0 0", 1, "\"1\""),
    ("LUT_3D_SIZE 0\n", 1, "\"0\""), ("LUT_3D_SIZE -2\n", 1, "\"-2\""),
    ("LUT_3D_SIZE 257\n", 1, "\"257\""), ("LUT_1D_SIZE 65537\n", 1, "\"65537\""),
    ("LUT_3D_SIZE 99999999999999999999999999\n", 1, "…\""), ("LUT_3D_SIZE 2.5\n", 1, "\"2.5\""),
    ("LUT_3D_SIZE 2 3\n", 1, "\"3\""), ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", 2, "second time"),
    ("TITLE \"a\"\nTITLE \"b\"\n", 2, "second time"), ("LUT_3D_SIZE 256\n", 1, "0 of 16777216"),
    ("LUT_1D_SIZE 2\n0 0 0\n", 2, "1 of 2"), ("LUT_3D_SIZE 2\n" + corners + "0 0 0\n", 10, "more"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1\n", 3, "three numbers"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1 1 1\n", 3, "\"1\" is more"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1 x\n", 3, "\"x\""),
    ("LUT_1D_SIZE 2\n0 0 0\n1 nan 1\n", 3, "\"nan\""),
    ("LUT_1D_SIZE 2\n0 0 0\nnan 1 1\n", 3, "\"nan\" is not a number"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 -inf 1\n", 3, "\"-inf\""),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1e999 1\n", 3, "beyond"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1e99999999999999999999 1\n", 3, "beyond"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 " + String(repeating: "9", count: 5000) + " 1\n", 3, "beyond"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 -1000001 1\n", 3, "beyond"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 0x10 1\n", 3, "\"0x10\""), ("LUT_1D_SIZE 2\n0,5 0 0\n", 2, "\"0,5\""),
    ("LUT_1D_SIZE 2\n0 0 0\n1 . 1\n", 3, "\".\""), ("LUT_1D_SIZE 2\n0 0 0\n1 1e 1\n", 3, "\"1e\""),
    ("LUT_1D_SIZE 2\n0 0 0\n1 - 1\n", 3, "\"-\""),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1e+ 1\n", 3, "\"1e+\""),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1.2.3 1\n", 3, "\"1.2.3\""),
    ("LUT_1D_SIZE 2\n0 0 0\nDOMAIN_MIN 0 0 0\n1 1 1\n", 3, "after the first entry"),
    ("LUT_1D_SIZE 2\nDOMAIN_MIN 0 0\n0 0 0\n1 1 1\n", 2, "three numbers"),
    ("LUT_1D_SIZE 2\nDOMAIN_MIN 0 0 nan\n", 2, "\"nan\""),
    ("LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1\n", 2, "1.0 … 1.0"),
    ("LUT_1D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 -1 1\n0 0 0\n1 1 1\n", 3, "0.0 … -1.0"),
    ("LUT_1D_SIZE 2\nDOMAIN_MAX 1e-320 1 1\n0 0 0\n1 1 1\n", 2, "too narrow"),
    ("LUT_1D_SIZE 2\nDOMAIN_MAX 1e300 1 1\n", 2, "beyond"),
    ("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 1 0\n0 0 0\n1 1 1\n", 2, "1.0 … 0.0"),
    ("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 1\n0 0 0\n1 1 1\n", 2, "two numbers"),
    ("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE\n", 2, "two numbers"),
    ("LUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\n", 2, "LUT_IN_VIDEO_RANGE"),
    ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n", 4, "2 of 10"),
    ("CLUT_1D_SIZE\u{E9} 2\n", 1, "??"),
  ]

  @Test(arguments: malformed.indices)
  func `a malformed file is refused with its line`(index: Int) throws {
    let (text, line, words) = ColorTableTests.malformed[index]
    let error = #expect(throws: RasterError.self) { try table(text) }
    #expect(error?.code == .invalidSetting)
    let message = error?.message ?? ""
    #expect(message.hasPrefix("look.cube, line \(line): "), "\(message)")
    #expect(message.contains(words), "\(message)")
    #expect(message.utf8.count < 200 && error?.remedy.isEmpty == false)
  }

  @Test(
    arguments: [
      ("LUT_1D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n0 0 0\n1 1 1\n", "no LUT_3D_SIZE"),
      ("LUT_3D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\n" + corners, "no LUT_1D_SIZE"),
      ("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\nDOMAIN_MIN 0 0 0\n0 0 0\n1 1 1\n", "both a domain"),
      ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nDOMAIN_MAX 1 1 1\n0 0 0\n1 1 1\n" + corners, "leave open"),
    ])
  func `contradictions between lines are refused`(text: String, words: String) throws {
    let error = #expect(throws: RasterError.self) { try table(text) }
    #expect(error?.message.contains(words) == true)
  }

  @Test func `any bytes end in a table or in an error`() throws {
    var numbers = Random(1)
    let valid = Array(("TITLE \"x\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\n" + corners).utf8)
    for round in 0..<20000 {
      var bytes = valid
      for _ in 0...(round % 4) {
        let place = Int.random(in: bytes.indices, using: &numbers)
        switch round % 3 {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 32...57, using: &numbers), at: place)
        }
      }
      do throws(RasterError) {
        let table = try ColorTable(cube: bytes, name: "x")
        #expect(table.values.count == 24 && table.values.allSatisfy { $0.isFinite })
      } catch { #expect(error.code == .invalidSetting) }
    }
    for end in 0..<valid.count { _ = try? ColorTable(cube: Array(valid[..<end]), name: "x") }
  }

  @Test func `numbers are rounded as Swift's own`() throws {
    var numbers = Random(2)
    var words: [String] = ["0.1", "1e-5", "123456.789", "9007199254740993", "4.9e-324", "1e-400"]
    for _ in 0..<3000 {
      let value = Double.random(in: -1...1, using: &numbers)
      words += [
        "\(value)", "\(Float(value))", "\(value)e-\(Int.random(in: 0...30, using: &numbers))",
      ]
    }
    words.removeAll { abs(Double($0) ?? .infinity) > 1e6 }
    words.removeLast(words.count % 3)
    let lines = stride(from: 0, to: words.count, by: 3).map {
      words[$0..<($0 + 3)].joined(separator: " ")
    }
    let table = try table("LUT_1D_SIZE \(lines.count)\n" + lines.joined(separator: "\n"))
    #expect(table.values == words.compactMap { Double($0).map { Float($0) } })
  }

  @Test func `a large cube is read in a moment`() throws {
    var lines = ["LUT_3D_SIZE 65"]
    for index in 0..<(65 * 65 * 65) {
      let (red, green, blue) = (index % 65, index / 65 % 65, index / 4225)
      lines.append([red, green, blue].map { "\(Float($0) / 64)" }.joined(separator: " "))
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    var table: ColorTable?
    let time = try ContinuousClock().measure { table = try ColorTable(cube: bytes, name: "x") }
    #expect(table?.values.suffix(3) == [1, 1, 1])
    #expect(time < .seconds(RenderPlanTests.isWatched ? 10 : 1))
    print("\(bytes.count) bytes in \(time)")
  }
}

@Suite struct HaldTests {
  /// The picture of the cube that changes nothing.
  private func identity(_ level: Int) -> [UInt16] {
    let side = level * level
    return (0..<(side * side * side)).flatMap { index -> [UInt16] in
      [index % side, index / side % side, index / side / side].map {
        UInt16($0 * 65535 / (side - 1))
      } + [77]
    }
  }

  @Test(arguments: [2, 3, 8])
  func `a picture is its cube`(level: Int) throws {
    let edge = level * level * level
    let table = try ColorTable(hald: identity(level), width: edge, height: edge, name: "x")
    #expect(table.dimensions == 3 && table.size == level * level)
    #expect(table.values.count == 3 * edge * edge)
    let color = ReferenceColor(0.3, 0.6, 0.9)
    for tetrahedral in [false, true] {
      let result = ColorTableLookup.lookup(table, color, tetrahedral: tetrahedral)
      #expect(abs(result.red - 0.3) + abs(result.green - 0.6) + abs(result.blue - 0.9) < 1e-4)
    }
  }

  @Test(arguments: [(8, 9), (512, 256), (1, 1), (0, 0), (-8, -8), (100, 100), (4913, 4913)])
  func `a picture of another size is refused with the right ones`(width: Int, height: Int) throws {
    let error = #expect(throws: RasterError.self) {
      try ColorTable(hald: [], width: width, height: height, name: "look.png")
    }
    #expect(error?.code == .invalidSetting)
    #expect(error?.message.contains("look.png: a picture of \(width)×\(height)") == true)
    #expect(error?.remedy.contains("512×512") == true)
  }

  @Test func `too few samples are refused`() throws {
    #expect(throws: RasterError.self) {
      try ColorTable(hald: [0, 0, 0, 0], width: 8, height: 8, name: "x")
    }
  }
}

@Suite struct ColorTableLookupTests {
  /// A color halfway along one edge, and one in the middle of a cell that is not linear.
  @Test func `the twin has its golden numbers`() throws {
    let cube = try table("LUT_3D_SIZE 2\n" + corners.replacing("1 1 1\n", with: "0 0 0\n"))
    func red(_ x: Double, _ y: Double, _ z: Double, _ tetrahedral: Bool) -> Double {
      ColorTableLookup.lookup(cube, ReferenceColor(x, y, z), tetrahedral: tetrahedral).red
    }
    // Without the last corner: x - xyz, and x less the smallest fraction.
    #expect(abs(red(0.5, 0, 0, false) - 0.5) < 1e-12)
    #expect(abs(red(0.5, 0.5, 0.5, false) - 0.375) < 1e-12)
    #expect(abs(red(0.8, 0.5, 0.25, false) - 0.7) < 1e-12)
    #expect(abs(red(0.5, 0.5, 0.5, true)) < 1e-12)
    #expect(abs(red(0.8, 0.5, 0.25, true) - 0.55) < 1e-12)
    #expect(abs(red(7, -1, 0.25, true) - 1) < 1e-12)
  }

  @Test func `a domain and a shaper are maps before the lookup`() throws {
    let curve = try table(
      "LUT_1D_SIZE 3\nDOMAIN_MIN -1 0 0\nDOMAIN_MAX 1 2 1\n0 0 0\n.2 .2 .2\n1 1 1\n")
    let color = ColorTableLookup.lookup(curve, ReferenceColor(0.5, 0.5, 0.5), tetrahedral: false)
    #expect(abs(color.red - 0.6) < 1e-7 && abs(color.green - 0.1) < 1e-7)
    #expect(abs(color.blue - 0.2) < 1e-7)
    let shaped = try table(
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\nLUT_3D_SIZE 2\n1 0 0\n0 1 1\n" + corners)
    let result = ColorTableLookup.lookup(shaped, ReferenceColor(0.5, 0.5, 3), tetrahedral: true)
    #expect(result == ReferenceColor(0.75, 0.25, 1))
  }

  @Test func `arguments map the domain to the points`() throws {
    let table = try table(
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -1 1\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 4\n"
        + "0 0 0\n1 1 1\n" + corners)
    #expect(
      table.shaderArguments(intensity: 0.5) == [
        0.5, 2, 0.25, 0, 0.25, 0, 0.25, 0, 2, 0.5, 0.5,
      ])
    #expect(table.shaderSource(tetrahedral: false).function == "LutTrilinear")
    #expect(table.shaderSource(tetrahedral: true).function == "LutTetrahedral")
    for tetrahedral in [false, true] {
      let file = try #require(table.shaderSource(tetrahedral: tetrahedral).file)
      #expect(ShaderLibrary.source(file) != nil)
    }
    #expect(ShaderLibrary.source("Filters/LutCurve") != nil)
  }
}
