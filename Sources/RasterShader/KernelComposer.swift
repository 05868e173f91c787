package import RasterGraph

/// The GLSL of a kernel and what has to be bound for it.
package struct Kernel: Hashable, Sendable {
  package let source: String
  /// Storage buffers at bindings from 0: the planes of the source, those of the destination, tables.
  package let bindingCount: Int
  /// Those of the bindings that are uniform texel buffers instead, of texels of four 32-bit words.
  package var texelBindings: Set<Int> = []
  /// Bytes of push constants: ``PushConstants`` has their order.
  package let pushConstantSize: Int
  /// Numbers that are in a uniform block behind the storage buffers, as `vec4`s: those of the planes, if the push
  /// constants do not hold them, then those of the program. 0 where all are push constants.
  package let uniformCount: Int
}

/// The order of a kernel's push constants: 32-bit numbers without gaps.
///
/// First the last block across, the last block down, the last row and the last pixel of a row; then, if there is
/// room, offset and stride of each bound plane, in units of its access; then, likewise, the program's values.
package enum PushConstants {
  /// Numbers before those of the planes.
  package static let headCount = 4
  /// Numbers of each plane.
  package static let planeCount = 2
}

/// Writes the GLSL of a plan.
///
/// An invocation covers a block of pixels and holds it in `vec4`s that each hold one channel of four
/// neighboring samples. The code is straight: no loop, no branch around memory unless a row's end
/// needs one; invocations beyond the frame repeat its last block, which writes the same bytes.
package struct KernelComposer {
  let plan: KernelPlan
  let writer: TargetWriter
  /// Names by which the functions of the program are called, in the order of its operations.
  var functionNames: [String] = []
  var text = KernelText()
  let numbers: KernelNumbers
  private let tableCount: Int

  /// The kernel of a plan.
  ///
  /// - Parameter pushConstantLimit: bytes of push constants that the device has; at least 128.
  /// - Throws: `internalFailure` where the plan names a function that is not in the library.
  package static func compose(
    _ plan: KernelPlan, pushConstantLimit: Int = 128
  ) throws(RasterError) -> Kernel {
    var composer = KernelComposer(plan, pushConstantLimit)
    return try composer.compose()
  }

  private init(_ plan: KernelPlan, _ pushConstantLimit: Int) {
    self.plan = plan
    tableCount = plan.operations.reduce(0) { count, operation in
      if case .function(let call) = operation, call.table != nil { count + 1 } else { count }
    }
    numbers = KernelNumbers(
      count: plan.operations.reduce(0) { $0 + $1.valueCount },
      planeCount: plan.source.planes.count + plan.target.layout.planes.count,
      pushConstantLimit: pushConstantLimit, areKept: plan.target.walksRows)
    writer = TargetWriter(
      target: plan.target, firstBinding: plan.sourceAccess.count, numbers: numbers)
  }

  private mutating func compose() throws(RasterError) -> Kernel {
    text.add("#version 450")
    if plan.target.usesWideWords {
      text.add("#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require")
    }
    text.add("layout(local_size_x = \(plan.target.workgroupWidth)) in;")
    text.addConversions(plan.target)
    emitBindings()
    numbers.addDeclarations(
      to: &text, uniformBinding: numbers.planeCount + tableCount)
    try emitFunctions()
    text.add("void main() {")
    numbers.emitReading(to: &text)
    text.beginBlock(plan.target)
    emitLoads()
    emitUnpacking()
    emitOperations()
    emitAlphaDepth()
    writer.emitSamples(to: &text, hasAlpha: plan.source.alpha != nil)
    writer.emitStores(to: &text)
    text.endBlock(plan.target)
    text.add("}")
    return numbers.kernel(text.source, bindingCount: numbers.planeCount + tableCount)
  }

  mutating func emit(_ line: String) { text.emit(line) }

  /// The text of one of the program's numbers.
  func value(_ index: Int) -> String { numbers.value(index) }

  private mutating func emitBindings() {
    for (binding, access) in plan.sourceAccess.enumerated() {
      let type = VectorType(bytes: access.bytes, wide: plan.target.usesWideWords)
      text.addBuffer(binding, "readonly", "\(type.name) s\(binding)[];")
    }
    writer.addBindings(to: &text)
    for table in 0..<tableCount {
      text.addBuffer(numbers.planeCount + table, "readonly", "float t\(table)[];")
    }
  }

  private mutating func emitFunctions() throws(RasterError) {
    for (index, operation) in plan.operations.enumerated() {
      guard case .function(let call) = operation else { continue }
      let snippet = try Snippet(
        call.source, suffix: "_\(index)", words: call.table.map { ["TABLE": "t\($0)"] } ?? [:])
      text.add(snippet.source)
      functionNames.append(snippet.name(of: call.source.function))
    }
  }
}

extension PixelLayout {
  static let alphaName = "3"

  /// The components with the names of their channels in a kernel: 0, 1, 2 for color, 3 for alpha.
  var storedComponents: [(name: String, component: Component)] {
    colors.enumerated().map { ("\($0)", $1) } + (alpha.map { [(PixelLayout.alphaName, $0)] } ?? [])
  }
}

extension SourceAccess {
  /// Bytes of one element of the bound array.
  var bytes: Int {
    switch self {
    case .vectors(let bytes): bytes
    case .unaligned: 4
    }
  }
}
