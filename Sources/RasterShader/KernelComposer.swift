package import RasterGraph
internal import ShaderLibrary

/// The GLSL of a kernel and what has to be bound for it.
package struct Kernel: Hashable, Sendable {
  package let source: String
  /// Storage buffers at bindings from 0: the planes of the source, those of the destination, tables.
  package let bindingCount: Int
  /// Bytes of push constants: ``PushConstants`` has their order.
  package let pushConstantSize: Int
  /// Numbers of the program that are in a uniform block, as `vec4`s behind the storage buffers; 0
  /// where they are push constants.
  package let uniformCount: Int
}

/// The order of a kernel's push constants: 32-bit numbers without gaps.
///
/// First the last block across, the last block down and the last row; the last pixel of a row, if
/// ``RenderPlan/hasHalfSample``; then offset and stride of each bound plane, in units of its access;
/// then the program's values, if there is room.
package enum PushConstants {
  /// Numbers before those of the planes.
  package static func headCount(_ plan: RenderPlan) -> Int { plan.hasHalfSample ? 4 : 3 }
  /// Numbers of each plane.
  package static let planeCount = 2
}

/// Writes the GLSL of a plan.
///
/// An invocation covers a block of pixels and holds it in `vec4`s that each hold one channel of four
/// neighboring samples. The code is straight: no loop, no branch around memory unless a row's end
/// needs one; invocations beyond the frame repeat its last block, which writes the same bytes.
package struct KernelComposer {
  let plan: RenderPlan
  /// Names by which the functions of the program are called, in the order of its operations.
  var functionNames: [String] = []
  private var lines: [String] = []
  private let planeCount: Int
  private let valueCount: Int
  private let tableCount: Int
  private let valuesArePushed: Bool

  /// The kernel of a plan.
  ///
  /// - Parameter pushConstantLimit: bytes of push constants that the device has; at least 128.
  /// - Throws: `internalFailure` where the plan names a function that is not in the library.
  package static func compose(
    _ plan: RenderPlan, pushConstantLimit: Int = 128
  ) throws(RasterError) -> Kernel {
    var composer = KernelComposer(plan, pushConstantLimit)
    return try composer.compose()
  }

  private init(_ plan: RenderPlan, _ pushConstantLimit: Int) {
    self.plan = plan
    planeCount = plan.source.planes.count + plan.destination.planes.count
    valueCount = plan.operations.reduce(0) { $0 + $1.valueCount }
    tableCount = plan.operations.reduce(0) { count, operation in
      if case .function(let call) = operation, call.table != nil { count + 1 } else { count }
    }
    let fixed = PushConstants.headCount(plan) + planeCount * PushConstants.planeCount
    valuesArePushed = 4 * (fixed + valueCount) <= pushConstantLimit
  }

  private mutating func compose() throws(RasterError) -> Kernel {
    lines = ["#version 450"]
    if plan.usesWideWords {
      lines.append("#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require")
    }
    lines.append("layout(local_size_x = \(plan.workgroupWidth)) in;")
    emitBindings()
    emitPushConstants()
    try emitFunctions()
    lines.append("void main() {")
    lines.append("  int bx = min(int(gl_GlobalInvocationID.x), p.lastColumn);")
    lines.append("  int by = min(int(gl_GlobalInvocationID.y), p.lastLine);")
    emitLoads()
    emitUnpacking()
    emitOperations()
    emitStores()
    lines.append("}")
    let fixed = PushConstants.headCount(plan) + planeCount * PushConstants.planeCount
    return Kernel(
      source: lines.joined(separator: "\n") + "\n", bindingCount: planeCount + tableCount,
      pushConstantSize: 4 * (fixed + (valuesArePushed ? valueCount : 0)),
      uniformCount: valuesArePushed ? 0 : valueCount)
  }

  mutating func emit(_ line: String) { lines.append("  " + line) }

  /// The text of one of the program's numbers.
  func value(_ index: Int) -> String {
    valuesArePushed ? "p.v[\(index)]" : "u.v[\(index / 4)].\(Array("xyzw")[index % 4])"
  }

  private mutating func emitBindings() {
    let accesses = plan.sourceAccess.map(\.bytes) + plan.destinationAccess.map(\.bytes)
    for (binding, bytes) in accesses.enumerated() {
      let type = VectorType(bytes: bytes, wide: plan.usesWideWords)
      let index = binding - plan.sourceAccess.count
      let (name, use) = index < 0 ? ("s\(binding)", "readonly") : ("d\(index)", "writeonly")
      emitBuffer(binding, use, "\(type.name) \(name)[];")
    }
    for table in 0..<tableCount {
      emitBuffer(planeCount + table, "readonly", "float t\(table)[];")
    }
  }

  private mutating func emitBuffer(_ binding: Int, _ use: String, _ content: String) {
    lines.append(
      "layout(std430, set = 0, binding = \(binding)) \(use) restrict buffer B\(binding) "
        + "{ \(content) };")
  }

  private mutating func emitPushConstants() {
    lines.append("layout(push_constant, std430) uniform Push {")
    lines.append("  int lastColumn, lastLine, lastRow;")
    if plan.hasHalfSample { lines.append("  int lastPixel;") }
    lines.append("  int offsetAndStride[\(planeCount * PushConstants.planeCount)];")
    if valuesArePushed, valueCount > 0 { lines.append("  float v[\(valueCount)];") }
    lines.append("} p;")
    guard !valuesArePushed else { return }
    lines.append(
      "layout(std140, set = 0, binding = \(planeCount + tableCount)) uniform Values "
        + "{ vec4 v[\((valueCount + 3) / 4)]; } u;")
  }

  private mutating func emitFunctions() throws(RasterError) {
    for (index, operation) in plan.operations.enumerated() {
      guard case .function(let call) = operation else { continue }
      guard let text = ShaderLibrary.source(call.source) else {
        throw RasterError(
          .internalFailure, "The shader library has no function \(call.source).",
          remedy: "Report it: the plugin was built without one of its shaders.")
      }
      let snippet = Snippet(text, suffix: "_\(index)", table: call.table.map { "t\($0)" })
      lines.append(snippet.source)
      let name = call.source.split(separator: "/").last.map(String.init) ?? call.source
      functionNames.append(snippet.name(of: name))
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
