internal import RasterGraph

/// Where a kernel finds its numbers: in the push constants if they fit, else in a uniform block.
struct KernelNumbers {
  let count: Int
  let planeCount: Int
  private let arePushed: Bool

  /// - Parameters:
  ///   - count: numbers of the kernel.
  ///   - planeCount: planes that are bound.
  ///   - pushConstantLimit: bytes of push constants of the device.
  init(count: Int, planeCount: Int, pushConstantLimit: Int) {
    self.count = count
    self.planeCount = planeCount
    let fixed = PushConstants.headCount + planeCount * PushConstants.planeCount
    arePushed = 4 * (fixed + count) <= pushConstantLimit
  }

  /// The text of a number.
  func value(_ index: Int) -> String {
    arePushed ? "p.v[\(index)]" : "num.v[\(index / 4)].\(Array("xyzw")[index % 4])"
  }

  func addDeclarations(to text: inout KernelText, uniformBinding: Int) {
    text.add("layout(push_constant, std430) uniform Push {")
    text.add("  int lastColumn, lastLine, lastRow, lastPixel;")
    if planeCount > 0 {
      text.add("  int offsetAndStride[\(planeCount * PushConstants.planeCount)];")
    }
    if arePushed, count > 0 { text.add("  float v[\(count)];") }
    text.add("} p;")
    guard !arePushed else { return }
    text.add(
      "layout(std140, set = 0, binding = \(uniformBinding)) uniform Values "
        + "{ vec4 v[\((count + 3) / 4)]; } num;")
  }

  /// The finished kernel.
  func kernel(_ source: String, bindingCount: Int) -> Kernel {
    let fixed = PushConstants.headCount + planeCount * PushConstants.planeCount
    return Kernel(
      source: source, bindingCount: bindingCount,
      pushConstantSize: 4 * (fixed + (arePushed ? count : 0)),
      uniformCount: arePushed ? 0 : count)
  }
}
