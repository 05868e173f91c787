internal import CVulkan

/// The kinds of memory of a device, by what they are good for.
struct MemoryTypes: Sendable {
  private let flags: [VkMemoryPropertyFlags]

  init(of device: PhysicalDevice) {
    var properties = VkPhysicalDeviceMemoryProperties()
    vkGetPhysicalDeviceMemoryProperties(device.handle, &properties)
    flags = withUnsafeBytes(of: properties.memoryTypes) { bytes in
      bytes.bindMemory(to: VkMemoryType.self).prefix(Int(properties.memoryTypeCount))
        .map(\.propertyFlags)
    }
  }

  /// The type for memory that the CPU reads and writes and the device uses in place: visible and
  /// coherent, cached if possible (an uncached one is very slow to read).
  ///
  /// - Parameters:
  ///   - allowed: a bit for each type that the use permits.
  ///   - nearDevice: whether the device reads it often and the CPU never does: then the device's own
  ///     memory is preferred.
  /// - Returns: nil where no permitted type is visible to the CPU.
  func hostVisible(allowed: UInt32, nearDevice: Bool) -> UInt32? {
    let visible =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
    let local = visible | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
    if nearDevice, let type = first(allowed: allowed, having: local) { return type }
    let cached = visible | VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue
    return first(allowed: allowed, having: cached) ?? first(allowed: allowed, having: visible)
  }

  private func first(allowed: UInt32, having wanted: VkMemoryPropertyFlags) -> UInt32? {
    for (index, flags) in flags.enumerated()
    where allowed & (1 << UInt32(index)) != 0 && flags & wanted == wanted {
      return UInt32(index)
    }
    return nil
  }
}
