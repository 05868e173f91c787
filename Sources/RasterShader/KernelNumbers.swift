internal import RasterGraph

/// Where a kernel finds its numbers: in the push constants as far as they fit, else in a uniform block. Those of
/// the planes come first.
struct KernelNumbers {
  let count: Int
  let planeCount: Int
  private let arePushed: Bool
  private let arePlanesPushed: Bool
  /// Whether an invocation reads them once and keeps them, because it computes many blocks.
  private let areKept: Bool

  /// - Parameters:
  ///   - count: numbers of the kernel.
  ///   - planeCount: planes that are bound.
  ///   - pushConstantLimit: bytes of push constants of the device.
  ///   - areKept: whether an invocation computes many blocks.
  init(count: Int, planeCount: Int, pushConstantLimit: Int, areKept: Bool) {
    self.areKept = areKept
    self.count = count
    self.planeCount = planeCount
    let fixed = PushConstants.headCount + planeCount * PushConstants.planeCount
    arePlanesPushed = 4 * fixed <= pushConstantLimit
    arePushed = 4 * (fixed + count) <= pushConstantLimit
  }

  /// The text of a number.
  func value(_ index: Int) -> String { areKept ? "number\(index)" : storedValue(index) }

  private func storedValue(_ index: Int) -> String {
    arePushed ? "push.v[\(index)]" : "num.v[\(index / 4)].\(Array("xyzw")[index % 4])"
  }

  /// The text of where a plane begins, in units of its access.
  func offset(_ plane: Int) -> String { placing(2 * plane) }

  /// The text of a plane's stride, in units of its access.
  func stride(_ plane: Int) -> String { placing(2 * plane + 1) }

  private func placing(_ index: Int) -> String {
    areKept ? "place\(index)" : storedPlacing(index)
  }

  private func storedPlacing(_ index: Int) -> String {
    arePlanesPushed
      ? "push.offsetAndStride[\(index)]"
      : "num.offsetAndStride[\(index / 4)].\(Array("xyzw")[index % 4])"
  }

  func addDeclarations(to text: inout KernelText, uniformBinding: Int) {
    text.add("layout(push_constant, std430) uniform Push {")
    text.add("  int lastColumn, lastLine, lastRow, lastPixel;")
    if planeCount > 0, arePlanesPushed {
      text.add("  int offsetAndStride[\(planeCount * PushConstants.planeCount)];")
    }
    if arePushed, count > 0 { text.add("  float v[\(count)];") }
    text.add("} push;")
    addBlock(to: &text, uniformBinding: uniformBinding)
    text.add("struct { int lastColumn, lastLine, lastRow, lastPixel; } p;")
    guard areKept else { return }
    let places = (0..<planeCount * PushConstants.planeCount).map { placing($0) }
    if !places.isEmpty { text.add("int \(places.joined(separator: ", "));") }
    if count > 0 { text.add("float \((0..<count).map { value($0) }.joined(separator: ", "));") }
  }

  /// Reads what is kept: the first lines of the entry point.
  func emitReading(to text: inout KernelText) {
    for name in ["lastColumn", "lastLine", "lastRow", "lastPixel"] {
      text.emit("p.\(name) = push.\(name);")
    }
    guard areKept else { return }
    for index in 0..<planeCount * PushConstants.planeCount {
      text.emit("\(placing(index)) = \(storedPlacing(index));")
    }
    for index in 0..<count { text.emit("\(value(index)) = \(storedValue(index));") }
  }

  private func addBlock(to text: inout KernelText, uniformBinding: Int) {
    guard !arePushed else { return }
    text.add("layout(std140, set = 0, binding = \(uniformBinding)) uniform Values {")
    if !arePlanesPushed { text.add("  ivec4 offsetAndStride[\(blockedPlaneCount / 4)];") }
    if count > 0 { text.add("  vec4 v[\((count + 3) / 4)];") }
    text.add("} num;")
  }

  /// Numbers of the planes in the uniform block, rounded up to whole vectors.
  private var blockedPlaneCount: Int {
    arePlanesPushed ? 0 : (planeCount * PushConstants.planeCount + 3) / 4 * 4
  }

  /// The finished kernel.
  func kernel(_ source: String, bindingCount: Int) -> Kernel {
    let planes = arePlanesPushed ? planeCount * PushConstants.planeCount : 0
    return Kernel(
      source: source, bindingCount: bindingCount,
      pushConstantSize: 4 * (PushConstants.headCount + planes + (arePushed ? count : 0)),
      uniformCount: arePushed ? 0 : blockedPlaneCount + count)
  }
}
