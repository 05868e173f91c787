package import RasterGraph

/// Writes the GLSL of a kernel that computes pixels by functions of the position.
///
/// Each group is a function `Pixels G<n>(ivec4 x, ivec4 y)` of four positions within its picture; what it
/// samples are functions before it. An invocation computes its block four pixels at a time.
package struct SampledComposer {
  let plan: SampledPlan
  let writer: TargetWriter
  let numbers: KernelNumbers
  var text = KernelText()
  /// The number of the next statement's first value.
  var nextNumber = 0
  /// Planes of the inputs before each of them.
  private let firstPlanes: [Int]
  /// Groups that are computed at the positions of the workgroup alone.
  let ownPlaces: Set<Int>
  /// A layer to the backdrop of which offsets are added instead of to its result, while its group is written.
  var backdropShift: (place: Int, offsets: [String])?
  /// Calls that load rows of blocks before their pixels.
  var rowLoads: [RowLoad] = []
  /// Whether positions of the group that is being written are four neighbors of a row that lie in the pictures.
  var readsRows = false
  /// Where the first block of a region across and down are among the numbers; nil in kernels of whole pictures.
  private let originNumber: Int?

  /// The kernel of a plan.
  ///
  /// - Parameter pushConstantLimit: bytes of push constants that the device has; at least 128.
  /// - Throws: `internalFailure` where the plan names a function that is not in the library.
  package static func compose(
    _ plan: SampledPlan, pushConstantLimit: Int = 128
  ) throws(RasterError) -> Kernel {
    var composer = SampledComposer(plan, pushConstantLimit)
    return try composer.compose()
  }

  init(_ plan: SampledPlan, _ pushConstantLimit: Int, extraNumbers: Int = 0) {
    self.plan = plan
    var planes = 0
    var first: [Int] = []
    for input in plan.inputs {
      first.append(planes)
      planes += input.layout.planes.count
    }
    firstPlanes = first
    ownPlaces = plan.kernel.ownPlaces
    let isRegion = plan.kernel.reading != .branching
    originNumber = isRegion ? plan.kernel.numberCount : nil
    let count = plan.kernel.numberCount + extraNumbers + (isRegion ? 2 : 0)
    numbers = KernelNumbers(
      count: count, planeCount: planes + plan.target.layout.planes.count,
      pushConstantLimit: pushConstantLimit, areKept: plan.target.walksRows)
    writer = TargetWriter(
      target: plan.target, firstBinding: planes, numbers: numbers,
      staysInRange: plan.staysInRange)
  }

  private mutating func compose() throws(RasterError) -> Kernel {
    let target = plan.target
    emitHead(
      workgroup: "local_size_x = \(target.workgroupWidth), local_size_y = \(target.workgroupHeight)"
    )
    writer.addBindings(to: &text)
    try emitGroups()
    text.add("void main() {")
    numbers.emitReading(to: &text)
    let origin = originNumber.map { first in
      (" + int(\(numbers.value(first)))", " + int(\(numbers.value(first + 1)))")
    }
    text.beginBlock(target, origin: origin ?? ("", ""))
    if !ownPlaces.isEmpty, !isRegion { emitTile() }
    if let convolution = plan.kernel.convolution {
      emitConvolution(convolution)
    } else if plan.kernel.reading.arePlanesApart {
      emitPlanes()
    } else if loadsWholeRows {
      emitRowsOfBlock()
    } else if !ownPlaces.isEmpty, plan.target.blockWidth * plan.target.blockHeight > 4 {
      emitTiledBlock()
    } else {
      emitBlock()
    }
    if !plan.kernel.reading.arePlanesApart { emitChannels() }
    writer.emitSamples(to: &text, hasAlpha: true)
    writer.emitStores(to: &text)
    text.endBlock(target)
    text.add("}")
    var kernel = numbers.kernel(text.source, bindingCount: bindingCount)
    kernel.texelBindings = texelBindings
    return kernel
  }

  /// The bindings of planes that are read as texels.
  private var texelBindings: Set<Int> {
    let planes = plan.inputs.indices.flatMap { plan.texelPlanes($0) }
    return Set(planes.indices.filter { planes[$0] })
  }

  /// Whether the kernel is for a region in which all of its layers are seen.
  var isRegion: Bool { plan.kernel.reading != .branching }

  /// Whether all loads of a row come before its pixels.
  var loadsWholeRows: Bool { plan.loadsWholeRows }

  /// Whether all pixels of a block lie in one coarse square.
  var hasSmallBlocks: Bool {
    loadsWholeRows && !plan.kernel.reading.arePlanesApart && plan.target.blockWidth == 8
  }

  var bindingCount: Int { numbers.planeCount + plan.kernel.tables.count }

  /// Declares everything but the target.
  mutating func emitHead(workgroup: String) {
    text.add("#version 450")
    if plan.target.usesWideWords {
      text.add("#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require")
    }
    text.add("layout(\(workgroup)) in;")
    text.add("struct Pixels { vec4 r, g, b, a; };")
    text.addConversions(plan.target)
    let texels = texelBindings
    if !texels.isEmpty { text.add("#extension GL_EXT_samplerless_texture_functions : require") }
    for (index, input) in plan.inputs.enumerated() {
      for plane in input.layout.planes.indices {
        let binding = firstPlanes[index] + plane
        if texels.contains(binding) { continue }
        let type =
          input.layout.isFloat ? (plan.target.usesWideWords ? "uint64_t" : "uvec2") : "uint"
        text.addBuffer(binding, "readonly", "\(type) s\(binding)[];")
      }
    }
    for table in plan.kernel.tables.indices {
      text.addBuffer(numbers.planeCount + table, "readonly", "float t\(table)[];")
    }
    numbers.addDeclarations(to: &text, uniformBinding: bindingCount)
  }

  mutating func emitGroups() throws(RasterError) {
    for (index, input) in plan.inputs.enumerated() where !loadsWholeRows {
      InputWriter(
        input: input, index: index, firstPlane: firstPlanes[index],
        usesWideWords: plan.target.usesWideWords, numbers: numbers
      ).addFunction(to: &text)
    }
    if !ownPlaces.isEmpty { emitRowReaders() }
    for (index, group) in plan.kernel.groups.enumerated() { try emitGroup(index, group) }
  }

  private mutating func emitRowReaders() {
    text.add(
      "// The pixels of the workgroup: first column and row, last ones; and the end of its blocks.")
    text.add("ivec4 tile; int tileEnd;")
    if loadsWholeRows {
      text.add(
        "// Which four pixels of the block's row are computed, and whether they are samples of chroma."
      )
      text.add("int quad; bool chroma;")
      if hasSmallBlocks { text.add("int blockColumn;") }
    }
    for (index, input) in plan.inputs.enumerated() {
      if loadsWholeRows {
        BlockRowWriter(
          input: input, target: plan.target, reading: plan.kernel.reading, index: index,
          firstPlane: firstPlanes[index], numbers: numbers
        ).addFunctions(to: &text)
        continue
      }
      RowWriter(
        input: input, reading: plan.kernel.reading, index: index, firstPlane: firstPlanes[index],
        usesWideWords: plan.target.usesWideWords, numbers: numbers
      ).addFunction(to: &text)
    }
  }

  /// The texts of the next values.
  mutating func take(_ count: Int) -> [String] {
    let result = (nextNumber..<nextNumber + count).map { numbers.value($0) }
    nextNumber += count
    return result
  }

  /// Adds the text of a function and returns its name.
  mutating func define(
    _ call: ShaderCall, _ place: String, words: [String: String] = [:]
  ) throws(RasterError) -> String {
    var words = words
    if let table = call.table { words["TABLE"] = "t\(table)" }
    let snippet = try Snippet(call.source, suffix: "_\(place)", words: words)
    text.add(snippet.source)
    return snippet.name(of: call.source.function)
  }

  /// Computes the block `q_<row>_<quad>`, each pixel by itself.
  private mutating func emitBlock() {
    let root = plan.kernel.groups.count - 1
    forEachQuad { composer, row, quad in
      composer.emitPosition(row, quad)
      composer.text.emit(
        "Pixels q_\(row)_\(quad) = G\(root)(x_\(row)_\(quad), y_\(row)_\(quad));")
    }
  }

  /// Declares the positions of four pixels; those beyond the frame repeat its last ones.
  mutating func emitPosition(_ row: Int, _ quad: Int) {
    let target = plan.target
    text.emit(
      "ivec4 x_\(row)_\(quad) = min(ivec4(bx * \(target.blockWidth) + \(quad * 4)) "
        + "+ ivec4(0, 1, 2, 3), p.lastPixel);")
    text.emit(
      "ivec4 y_\(row)_\(quad) = ivec4(min(by * \(target.blockHeight) + \(row), p.lastRow));")
  }

  /// Makes the channels that the target's writer takes.
  private mutating func emitChannels() {
    let layout = plan.target.layout
    forEachQuad { composer, row, quad in
      let place = "\(row)_\(quad)"
      for (channel, name) in ["r", "g", "b"].enumerated() {
        composer.text.emit("vec4 c\(channel)_\(place) = q_\(place).\(name);")
      }
      if layout.isFloat {
        composer.text.emit("vec4 c3_\(place) = q_\(place).a;")
      } else if let alpha = layout.alpha {
        composer.text.emit(
          "ivec4 o3_\(place) = truncated(clamp(q_\(place).a, 0.0, 1.0) * \(alpha.largest).0 + 0.5);"
        )
      }
    }
  }

  mutating func forEachQuad(_ body: (inout SampledComposer, _ row: Int, _ quad: Int) -> Void) {
    for row in 0..<plan.target.blockHeight {
      for quad in 0..<(plan.target.blockWidth / 4) { body(&self, row, quad) }
    }
  }
}

extension SampledKernel {
  /// Numbers of all groups.
  var groupNumberCount: Int {
    groups.reduce(0) { $0 + $1.statements.reduce(0) { $0 + $1.valueCount } }
  }

  /// Numbers of all groups and of the convolution.
  var numberCount: Int {
    guard let convolution else { return groupNumberCount }
    let weights = convolution.pixels.map { $0.firstWeight + $0.count }.max() ?? 0
    return groupNumberCount + (convolution.isBox ? 4 : 1 + weights)
  }
}
