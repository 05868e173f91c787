internal import CVulkan

/// Which device a user asked for: an index in the loader's order, a part of the name, or a UUID.
package struct DeviceSelection: Hashable, Sendable {
  package let text: String

  /// - Parameter text: the user's words; empty for the preferred device (discrete before
  ///   integrated before CPU).
  package init(_ text: String) {
    self.text = text
  }

  /// The index of the chosen device.
  func choose(from devices: [PhysicalDevice]) throws(VulkanError) -> PhysicalDevice {
    guard !devices.isEmpty else {
      throw VulkanError(
        .unavailable, "No Vulkan device was found.", remedy: VulkanError.installDriver)
    }
    if text.isEmpty {
      let best = devices.enumerated().min {
        ($0.element.deviceClass, $0.offset) < ($1.element.deviceClass, $1.offset)
      }
      if let best { return best.element }
    }
    if let index = Int(text), devices.indices.contains(index) { return devices[index] }
    let wanted = text.lowercased()
    let digits = wanted.filter { $0 != "-" }
    if let match = devices.first(where: { $0.uuid == digits }) { return match }
    if let match = devices.first(where: { $0.name.lowercased() == wanted }) { return match }
    if Int(text) == nil,
      let match = devices.first(where: { $0.name.lowercased().contains(wanted) })
    {
      return match
    }
    let list = devices.enumerated()
      .map { "\($0.offset): \($0.element.name) (\($0.element.uuid))" }
      .joined(separator: ", ")
    throw VulkanError(
      .unavailable, "There is no Vulkan device \"\(text)\".",
      remedy: "Set the device property or RASTER_DEVICE to an index, a name or a UUID of: \(list).")
  }
}
