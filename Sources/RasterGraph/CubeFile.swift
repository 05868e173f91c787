extension ColorTable {
  /// The table in a .cube file.
  ///
  /// The format is that of the Cube LUT Specification 1.0 (Adobe, 2013), which is Iridas' format,
  /// with what DaVinci Resolve adds: `LUT_1D_INPUT_RANGE`, `LUT_3D_INPUT_RANGE`, and both sizes in
  /// one file for a shaper before a cube. Lines may end in LF, CR LF or CR and have blanks or a
  /// comment anywhere; a mark for UTF-8 may come first. Linear in the size of the file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - name: what errors call the file.
  /// - Throws: `invalidSetting` with the line and what is wrong in it. Nothing beyond the file's own
  ///   size is allocated, whatever sizes it names.
  package init(cube bytes: [UInt8], name: String) throws(RasterError) {
    var file = CubeFile(bytes, name: name)
    self = try file.table()
  }
}

/// Reads a .cube file.
private struct CubeFile {
  private let name: String
  private var scanner: TextScanner
  private var header = Header()
  private var values: [Float] = []

  /// What the lines before the table say; nil where they say nothing.
  private struct Header {
    var curveSize: Int?
    var cubeSize: Int?
    var minimum: SIMD3<Double>?
    var maximum: SIMD3<Double>?
    var curveRange: ClosedRange<Double>?
    var cubeRange: ClosedRange<Double>?
    var hasTitle = false
    /// The last line about the domain.
    var domainLine = 1

    /// Lines of numbers that have to follow.
    var entryCount: Int {
      let edge = cubeSize ?? 0
      return (curveSize ?? 0) + edge * edge * edge
    }
  }

  /// The largest number of a table or a domain: far above all that cameras and screens have, and so
  /// small that differences stay finite in single precision.
  private static let limit = 1e6
  /// The narrowest domain: its points can still be told apart in single precision.
  private static let narrowest = 1e-6

  init(_ bytes: [UInt8], name: String) {
    self.name = name
    scanner = TextScanner(bytes)
  }

  mutating func table() throws(RasterError) -> ColorTable {
    guard scanner.size > 0 else { throw problem("the file is empty", CubeFile.whole) }
    scanner.skipByteOrderMark()
    repeat {
      guard let first = scanner.peek() else { continue }
      if Ascii.isLetter(first) { try readKeyword() } else { try readEntry() }
    } while scanner.nextLine()
    let count = header.entryCount
    guard count > 0 else { throw missingSize }
    guard values.count == 3 * count else {
      throw problem("the file ends after \(values.count / 3) of \(count) entries", CubeFile.whole)
    }
    return try assembled()
  }

  // MARK: Lines

  private mutating func readKeyword() throws(RasterError) {
    let word = scanner.word()
    let keyword = String(decoding: word, as: UTF8.self)
    guard values.isEmpty else {
      throw CubeFile.keywords.contains(keyword)
        ? problem(
          "\(keyword) comes after the first entry", "Move it before the table's first line.")
        : notNumber(word)
    }
    switch keyword {
    case "TITLE":
      try check(!header.hasTitle, keyword)
      header.hasTitle = true
      // The rest is a text in quotes, without effect.
      return
    case "LUT_1D_SIZE":
      try check(header.curveSize == nil, keyword)
      header.curveSize = try size(keyword, ColorTable.curveSizes)
    case "LUT_3D_SIZE":
      try check(header.cubeSize == nil, keyword)
      header.cubeSize = try size(keyword, ColorTable.cubeSizes)
    case "DOMAIN_MIN":
      try check(header.minimum == nil, keyword)
      header.minimum = try color()
      header.domainLine = scanner.line
    case "DOMAIN_MAX":
      try check(header.maximum == nil, keyword)
      header.maximum = try color()
      header.domainLine = scanner.line
    case "LUT_1D_INPUT_RANGE":
      try check(header.curveRange == nil, keyword)
      header.curveRange = try range()
    case "LUT_3D_INPUT_RANGE":
      try check(header.cubeRange == nil, keyword)
      header.cubeRange = try range()
    default: throw unknown(word)
    }
    try expectEnd()
  }

  private mutating func readEntry() throws(RasterError) {
    let expected = 3 * header.entryCount
    if values.isEmpty {
      guard expected > 0 else {
        // Anything can stand where a file is not of this format at all.
        if scanner.number() == nil { throw unknown(scanner.word()) }
        throw missingSize
      }
      // A number and what parts it from the next take two bytes at least.
      values.reserveCapacity(min(expected, scanner.size / 2 + 1))
    }
    guard values.count < expected else {
      throw problem("there are more than \(expected / 3) entries", CubeFile.whole)
    }
    for _ in 0..<3 { values.append(Float(try number())) }
    try expectEnd()
  }

  // MARK: Words

  private mutating func number() throws(RasterError) -> Double {
    guard let value = scanner.number() else {
      let word = scanner.word()
      guard !word.isEmpty else {
        throw problem("three numbers are expected", "Write red, green and blue in one line.")
      }
      throw notNumber(word)
    }
    guard abs(value) <= CubeFile.limit else {
      throw problem("a number is beyond ±1000000", "Scale the table so that white is near 1.")
    }
    return value
  }

  private mutating func color() throws(RasterError) -> SIMD3<Double> {
    let (red, green, blue) = (try number(), try number(), try number())
    return SIMD3(red, green, blue)
  }

  private mutating func range() throws(RasterError) -> ClosedRange<Double> {
    guard scanner.peek() != nil else { throw missingRange }
    let minimum = try number()
    guard scanner.peek() != nil else { throw missingRange }
    let maximum = try number()
    guard maximum - minimum >= CubeFile.narrowest else { throw narrow(minimum, maximum) }
    return minimum...maximum
  }

  private mutating func size(
    _ keyword: String, _ allowed: ClosedRange<Int>
  ) throws(RasterError) -> Int {
    let word = scanner.word()
    guard let size = Int(String(decoding: word, as: UTF8.self)), allowed.contains(size) else {
      throw problem(
        "\(keyword) is \(TextScanner.shown(word))",
        "Use a table with \(allowed.lowerBound) to \(allowed.upperBound) points at each side.")
    }
    return size
  }

  private mutating func expectEnd() throws(RasterError) {
    guard scanner.peek() != nil else { return }
    throw problem(
      "\(TextScanner.shown(scanner.word())) is more than the line can have",
      "Write each entry in a line of its own.")
  }

  // MARK: The table

  private func assembled() throws(RasterError) -> ColorTable {
    guard let cubeSize = header.cubeSize else {
      guard header.cubeRange == nil else { throw rangeWithoutTable("LUT_3D") }
      let (minimum, maximum) = try domain(header.curveRange)
      return ColorTable(
        dimensions: 1, size: header.curveSize ?? 0, values: values, domainMinimum: minimum,
        domainMaximum: maximum)
    }
    guard let curveSize = header.curveSize else {
      guard header.curveRange == nil else { throw rangeWithoutTable("LUT_1D") }
      let (minimum, maximum) = try domain(header.cubeRange)
      return ColorTable(
        dimensions: 3, size: cubeSize, values: values, domainMinimum: minimum,
        domainMaximum: maximum)
    }
    guard header.minimum == nil, header.maximum == nil else {
      throw whole(
        "DOMAIN_MIN and DOMAIN_MAX leave open which of its two tables they belong to",
        "Write LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE.")
    }
    let (minimum, maximum) = try domain(header.cubeRange)
    return ColorTable(
      dimensions: 3, size: cubeSize, values: Array(values.dropFirst(3 * curveSize)),
      domainMinimum: minimum, domainMaximum: maximum,
      shaper: ColorTable.Shaper(
        size: curveSize, values: Array(values.prefix(3 * curveSize)),
        domain: header.curveRange ?? 0...1))
  }

  private func domain(
    _ range: ClosedRange<Double>?
  ) throws(RasterError) -> (SIMD3<Double>, SIMD3<Double>) {
    if let range {
      guard header.minimum == nil, header.maximum == nil else {
        throw whole(
          "there are both a domain and an input range",
          "Keep either DOMAIN_MIN and DOMAIN_MAX, or the input range.")
      }
      return (SIMD3(repeating: range.lowerBound), SIMD3(repeating: range.upperBound))
    }
    let (minimum, maximum) = (header.minimum ?? .zero, header.maximum ?? .one)
    for channel in 0..<3 where maximum[channel] - minimum[channel] < CubeFile.narrowest {
      throw narrow(minimum[channel], maximum[channel], line: header.domainLine)
    }
    return (minimum, maximum)
  }

  // MARK: Errors

  private static let keywords: Set<String> = [
    "TITLE", "LUT_1D_SIZE", "LUT_3D_SIZE", "DOMAIN_MIN", "DOMAIN_MAX", "LUT_1D_INPUT_RANGE",
    "LUT_3D_INPUT_RANGE",
  ]
  private static let whole = "Export the table again, as a .cube file."

  private func problem(_ text: String, _ remedy: String, line: Int? = nil) -> RasterError {
    let line = line ?? scanner.line
    return RasterError(.invalidSetting, "\(name), line \(line): \(text).", remedy: remedy)
  }

  /// For what no single line is to blame.
  private func whole(_ text: String, _ remedy: String) -> RasterError {
    RasterError(.invalidSetting, "\(name): \(text).", remedy: remedy)
  }

  private func check(_ isFirst: Bool, _ keyword: String) throws(RasterError) {
    guard !isFirst else { return }
    throw problem("\(keyword) comes a second time", "Keep one of them.")
  }

  private func notNumber(_ word: ArraySlice<UInt8>) -> RasterError {
    problem(
      "\(TextScanner.shown(word)) is not a number",
      "Write decimal numbers with a point, such as 0.25 or 2.5e-1.")
  }

  private func unknown(_ word: ArraySlice<UInt8>) -> RasterError {
    problem(
      "\(TextScanner.shown(word)) is not a keyword of .cube files",
      "Use a table in the .cube format; it has \(CubeFile.keywords.sorted().joined(separator: ", "))"
        + " and lines of three numbers.")
  }

  private var missingSize: RasterError {
    problem(
      "LUT_1D_SIZE or LUT_3D_SIZE is missing", "Write the size before the table's first line.")
  }

  private var missingRange: RasterError {
    problem("two numbers are expected", "Write the lowest and the highest input, such as 0 1.")
  }

  private func narrow(_ minimum: Double, _ maximum: Double, line: Int? = nil) -> RasterError {
    problem(
      "the domain \(minimum) … \(maximum) is empty or too narrow",
      "Write a maximum that is above the minimum.", line: line)
  }

  private func rangeWithoutTable(_ table: String) -> RasterError {
    whole(
      "there is \(table)_INPUT_RANGE but no \(table)_SIZE", "Add the size, or take the range out.")
  }
}
