package import RasterGraph
internal import ShaderLibrary

/// The GLSL of a kernel and what has to be bound for it.
package struct Kernel: Hashable, Sendable {
  package let source: String
  /// Storage buffers at bindings from 0: the planes of the source, then those of the destination.
  package let bindingCount: Int
  /// Bytes of push constants: ``PushConstants`` has their order.
  package let pushConstantSize: Int
}

/// The order of a kernel's push constants: 32-bit numbers without gaps.
///
/// First the last block across, the last block down and the last row; then offset and stride of each
/// bound plane, in units of its access; then the program's values.
package enum PushConstants {
  /// Numbers before those of the planes.
  package static let headCount = 3
  /// Numbers of each plane.
  package static let planeCount = 2
}

/// Writes the GLSL of a plan.
///
/// An invocation covers a block of pixels and holds it in `vec4`s that each hold one channel of four
/// neighboring samples. The code is straight: no loop, no branch around memory unless a row's end
/// needs one; invocations beyond the frame repeat its last block, which writes the same bytes.
package struct KernelComposer {
  private let plan: RenderPlan
  private var lines: [String] = []

  /// The kernel of a plan.
  ///
  /// - Throws: `internalFailure` where the plan names a function that is not in the library.
  package static func compose(_ plan: RenderPlan) throws(RasterError) -> Kernel {
    var composer = KernelComposer(plan: plan)
    return try composer.compose()
  }

  private init(plan: RenderPlan) { self.plan = plan }

  private mutating func compose() throws(RasterError) -> Kernel {
    let planes = plan.source.planes.count + plan.destination.planes.count
    let values = plan.operations.reduce(0) { $0 + $1.valueCount }
    lines = ["#version 450"]
    if plan.usesWideWords {
      lines.append("#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require")
    }
    lines.append("layout(local_size_x = \(plan.workgroupWidth)) in;")
    emitBindings()
    emitPushConstants(planes: planes, values: values)
    try emitFunctions()
    lines.append("void main() {")
    lines.append("  int bx = min(int(gl_GlobalInvocationID.x), p.lastColumn);")
    lines.append("  int by = min(int(gl_GlobalInvocationID.y), p.lastLine);")
    emitLoads()
    emitUnpacking()
    emitOperations()
    emitStores()
    lines.append("}")
    return Kernel(
      source: lines.joined(separator: "\n") + "\n", bindingCount: planes,
      pushConstantSize: 4
        * (PushConstants.headCount + planes * PushConstants.planeCount + values))
  }

  private mutating func emit(_ line: String) { lines.append("  " + line) }
}

// MARK: - Declarations

extension KernelComposer {
  private mutating func emitBindings() {
    for (index, access) in plan.sourceAccess.enumerated() {
      let type = VectorType(bytes: access.bytes, wide: plan.usesWideWords)
      lines.append(
        "layout(std430, set = 0, binding = \(index)) readonly restrict buffer S\(index) "
          + "{ \(type.name) s\(index)[]; };")
    }
    for (index, access) in plan.destinationAccess.enumerated() {
      let type = VectorType(bytes: access.bytes, wide: plan.usesWideWords)
      let binding = plan.sourceAccess.count + index
      lines.append(
        "layout(std430, set = 0, binding = \(binding)) writeonly restrict buffer D\(index) "
          + "{ \(type.name) d\(index)[]; };")
    }
  }

  private mutating func emitPushConstants(planes: Int, values: Int) {
    lines.append("layout(push_constant, std430) uniform Push {")
    lines.append("  int lastColumn, lastLine, lastRow;")
    lines.append("  int offsetAndStride[\(planes * PushConstants.planeCount)];")
    lines.append("  float v[\(values)];")
    lines.append("} p;")
  }

  private mutating func emitFunctions() throws(RasterError) {
    var seen: Set<String> = []
    for case .function(let name, _) in plan.operations where seen.insert(name).inserted {
      guard let source = ShaderLibrary.source(name) else {
        throw RasterError(
          .internalFailure, "The shader library has no function \(name).",
          remedy: "Report it: the plugin was built without one of its shaders.")
      }
      lines.append(source)
    }
  }
}

// MARK: - Memory

extension KernelComposer {
  /// Loads each plane's share of the block into 32-bit words `s<plane>_<row>_<word>`.
  private mutating func emitLoads() {
    for (index, plane) in plan.source.planes.enumerated() {
      let access = plan.sourceAccess[index]
      let bytes = plane.rowBytes(width: plan.blockWidth)
      emit("int n\(index) = s\(index).length() - 1;")
      for row in 0..<plane.rows(height: plan.blockHeight) {
        let address = emitRowAddress(
          "s\(index)_\(row)", binding: index, plane: plane, row: row,
          unitsPerBlock: access == .unaligned ? bytes : bytes / access.bytes)
        switch access {
        case .vectors(let size):
          emitVectorLoads(index, row, address, count: bytes / size, size: size)
        case .unaligned:
          emitUnalignedLoads(index, row, address, words: bytes / 4)
        }
      }
    }
  }

  /// Declares where the block's part of a row starts, in units of the access.
  private mutating func emitRowAddress(
    _ name: String, binding: Int, plane: PixelLayout.Plane, row: Int, unitsPerBlock: Int
  ) -> String {
    let rows = plane.rows(height: plan.blockHeight)
    let line = rows == 1 ? "by" : "min(by * \(rows) + \(row), p.lastRow)"
    emit(
      "int \(name) = p.offsetAndStride[\(2 * binding)] + \(line) * "
        + "p.offsetAndStride[\(2 * binding + 1)] + bx * \(unitsPerBlock);")
    return name
  }

  private mutating func emitVectorLoads(
    _ plane: Int, _ row: Int, _ address: String, count: Int, size: Int
  ) {
    let type = VectorType(bytes: size, wide: plan.usesWideWords)
    for vector in 0..<count {
      let name = "\(address)v\(vector)"
      emit("\(type.name) \(name) = s\(plane)[min(\(address) + \(vector), n\(plane))];")
      for (word, text) in type.words(of: name).enumerated() {
        emit("uint s\(plane)_\(row)_\(vector * size / 4 + word) = \(text);")
      }
    }
  }

  /// A word that starts at any byte is made of two aligned ones.
  private mutating func emitUnalignedLoads(_ plane: Int, _ row: Int, _ address: String, words: Int)
  {
    let shift = "\(address)shift"
    emit("int \(shift) = (\(address) & 3) * 8;")
    for word in 0...words {
      emit(
        "uint \(address)a\(word) = s\(plane)[min((\(address) >> 2) + \(word), n\(plane))];")
    }
    for word in 0..<words {
      // Shifting by 32 at once is undefined.
      emit(
        "uint s\(plane)_\(row)_\(word) = (\(address)a\(word) >> \(shift)) | "
          + "(\(address)a\(word + 1) << 1 << (31 - \(shift)));")
    }
  }

  /// Packs the channels into words and stores each plane's share of the block.
  private mutating func emitStores() {
    for (index, plane) in plan.destination.planes.enumerated() {
      let access = plan.destinationAccess[index]
      let type = VectorType(bytes: access.bytes, wide: plan.usesWideWords)
      let bytes = plane.rowBytes(width: plan.blockWidth)
      let binding = plan.sourceAccess.count + index
      for row in 0..<plane.rows(height: plan.blockHeight) {
        let address = emitRowAddress(
          "d\(index)_\(row)", binding: binding, plane: plane, row: row,
          unitsPerBlock: bytes / access.bytes)
        for vector in 0..<(bytes / access.bytes) {
          let first = vector * access.bytes / 4
          let words = (first..<first + access.bytes / 4).map { packedWord($0, index, row) }
          let check =
            access.isGuarded
            ? "if (bx * \(bytes / access.bytes) + \(vector) "
              + "< abs(p.offsetAndStride[\(2 * binding + 1)])) " : ""
          emit("\(check)d\(index)[\(address) + \(vector)] = \(type.make(of: words));")
        }
      }
    }
  }

  /// The text of one 32-bit word of a destination plane.
  private func packedWord(_ word: Int, _ plane: Int, _ row: Int) -> String {
    let stride = plan.destination.planes[plane].pixelStride
    let components = plan.destination.storedComponents
    let parts = (0..<4).map { byte -> String in
      let position = word * 4 + byte
      let sample = position / stride
      let channel = components.first {
        $0.component.plane == plane && $0.component.offset == position % stride
      }
      // Bytes that hold no component, as the x of RGBx, become opaque.
      guard let channel else { return "\(UInt32(0xff) << UInt32(8 * byte))u" }
      let lane = Array("xyzw")[sample % 4]
      let value = "uint(o\(channel.name)_\(row)_\(sample / 4).\(lane))"
      return byte == 0 ? value : "(\(value) << \(8 * byte))"
    }
    return parts.joined(separator: " | ")
  }
}

// MARK: - Channels

extension KernelComposer {
  /// Makes `vec4`s `c<channel>_<row>_<quad>` of the loaded words, and alpha's `ivec4`s at once.
  private mutating func emitUnpacking() {
    for (name, component) in plan.source.storedComponents {
      let isColor = name != PixelLayout.alphaName
      forEachQuad(of: component, in: plan.source) { composer, row, quad, lanes in
        let stride = composer.plan.source.planes[component.plane].pixelStride
        let samples = (0..<4).map { lane -> String in
          guard lane < lanes else { return "0u" }
          let byte = (quad * 4 + lane) * stride + component.offset
          return KernelComposer.byte(byte % 4, of: "s\(component.plane)_\(row)_\(byte / 4)")
        }
        let value = "ivec4(\(samples.joined(separator: ", ")))"
        composer.emit(
          isColor
            ? "vec4 c\(name)_\(row)_\(quad) = vec4(\(value));"
            : "ivec4 o\(name)_\(row)_\(quad) = \(value);")
      }
    }
  }

  private static func byte(_ index: Int, of word: String) -> String {
    switch index {
    case 0: "\(word) & 255u"
    case 3: "\(word) >> 24"
    default: "(\(word) >> \(8 * index)) & 255u"
    }
  }

  /// Applies the program to all channels and makes `ivec4`s `o<channel>_<row>_<quad>`.
  private mutating func emitOperations() {
    var value = 0
    for operation in plan.operations {
      switch operation {
      case .matrix(let shape): emitMatrix(shape, firstValue: value)
      case .function(let source, let count): emitFunction(source, count, firstValue: value)
      case .codeLimits: emitCodeLimits()
      }
      value += operation.valueCount
    }
    for (name, component) in plan.destination.storedComponents
    where name != PixelLayout.alphaName {
      forEachQuad(of: component, in: plan.destination) { composer, row, quad, _ in
        // The limits are applied before the conversion, which is undefined beyond the integers.
        composer.emit(
          "ivec4 o\(name)_\(row)_\(quad) = ivec4(clamp(c\(name)_\(row)_\(quad), 0.0, 255.0));")
      }
    }
  }

  private mutating func emitMatrix(_ shape: PointwiseProgram.MatrixShape, firstValue value: Int) {
    let colors = plan.source.colors
    func term(_ index: Int) -> String { "p.v[\(value + index)]" }
    switch shape {
    case .single, .separate:
      forEachQuad(of: colors[0], in: plan.source) { composer, row, quad, _ in
        let name = "c0_\(row)_\(quad)"
        composer.emit("\(name) = \(term(0)) * \(name) + \(term(1));")
      }
      guard shape == .separate else { return }
      forEachQuad(of: colors[1], in: plan.source) { composer, row, quad, _ in
        let names = (1...2).map { "c\($0)_\(row)_\(quad)" }
        composer.emitRows([2, 5].map { (value + $0, names) }, targets: names)
      }
    case .full:
      forEachQuad(of: colors[0], in: plan.source) { composer, row, quad, _ in
        let names = (0...2).map { "c\($0)_\(row)_\(quad)" }
        composer.emitRows([0, 4, 8].map { (value + $0, names) }, targets: names)
      }
    }
  }

  /// Replaces `targets` by rows of a matrix, each of which has factors for its inputs, then an offset.
  private mutating func emitRows(_ rows: [(value: Int, inputs: [String])], targets: [String]) {
    let texts = rows.map { row in
      let terms = row.inputs.enumerated().map { "p.v[\(row.value + $0)] * \($1)" }
      return (terms + ["p.v[\(row.value + row.inputs.count)]"]).joined(separator: " + ")
    }
    emit("{")
    for (index, text) in texts.enumerated() { emit("  vec4 t\(index) = \(text);") }
    for (index, target) in targets.enumerated() { emit("  \(target) = t\(index);") }
    emit("}")
  }

  private mutating func emitFunction(_ source: String, _ count: Int, firstValue value: Int) {
    let function = source.split(separator: "/").last.map(String.init) ?? source
    let arguments = (0..<count).map { ", p.v[\(value + $0)]" }.joined()
    forEachQuad(of: plan.source.colors[0], in: plan.source) { composer, row, quad, _ in
      let name = "c0_\(row)_\(quad)"
      composer.emit("\(name) = \(function)(\(name)\(arguments));")
    }
  }

  private mutating func emitCodeLimits() {
    for (index, component) in plan.source.colors.enumerated() {
      forEachQuad(of: component, in: plan.source) { composer, row, quad, _ in
        let name = "c\(index)_\(row)_\(quad)"
        composer.emit("\(name) = clamp(\(name), 0.0, 1.0);")
      }
    }
  }

  /// Calls `body` with each row and group of four samples that a block has of a component, and the
  /// number of samples in the group: fewer than four in blocks of one or two samples.
  private mutating func forEachQuad(
    of component: PixelLayout.Component, in layout: PixelLayout,
    _ body: (inout KernelComposer, _ row: Int, _ quad: Int, _ lanes: Int) -> Void
  ) {
    let plane = layout.planes[component.plane]
    let samples = plane.rowBytes(width: plan.blockWidth) / plane.pixelStride
    for row in 0..<plane.rows(height: plan.blockHeight) {
      for quad in 0..<((samples + 3) / 4) {
        body(&self, row, quad, min(4, samples - quad * 4))
      }
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
