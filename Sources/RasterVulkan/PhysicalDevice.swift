internal import CVulkan

/// What kind of processor a device is; it decides preference and the shape of kernels.
package enum DeviceClass: Int, Hashable, Sendable, Comparable {
  /// A GPU with memory of its own.
  case discrete
  /// A GPU that shares the memory of the CPU.
  case integrated
  /// Neither known.
  case other
  /// A driver that computes on the CPU, such as lavapipe.
  case cpu

  package static func < (left: DeviceClass, right: DeviceClass) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A device that a driver offers, and what it can do. Valid as long as its ``Instance``.
struct PhysicalDevice {
  let handle: VkPhysicalDevice
  let properties: VkPhysicalDeviceProperties
  /// The device's UUID as 32 hexadecimal digits.
  let uuid: String

  init(handle: VkPhysicalDevice) {
    self.handle = handle
    var identity = VkPhysicalDeviceIDProperties()
    identity.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES
    var all = VkPhysicalDeviceProperties2()
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    withUnsafeMutablePointer(to: &identity) { identity in
      all.pNext = UnsafeMutableRawPointer(identity)
      vkGetPhysicalDeviceProperties2(handle, &all)
    }
    properties = all.properties
    uuid = withUnsafeBytes(of: identity.deviceUUID) { bytes in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  var name: String {
    withUnsafeBytes(of: properties.deviceName) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  var deviceClass: DeviceClass {
    switch properties.deviceType {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: .discrete
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: .integrated
    case VK_PHYSICAL_DEVICE_TYPE_CPU: .cpu
    default: .other
    }
  }

  /// The queue family to compute on: one without graphics where there is one, since it runs
  /// beside the work of the desktop. Nil where the device cannot compute.
  var computeQueueFamily: QueueFamily? {
    let computing = queueFamilies.filter { $0.can(VK_QUEUE_COMPUTE_BIT) }
    return computing.first { !$0.can(VK_QUEUE_GRAPHICS_BIT) } ?? computing.first
  }

  /// A queue family that only copies: it does so beside the kernels. Nil where there is none.
  var copyQueueFamily: QueueFamily? {
    queueFamilies.first {
      $0.can(VK_QUEUE_TRANSFER_BIT) && !$0.can(VK_QUEUE_COMPUTE_BIT)
        && !$0.can(VK_QUEUE_GRAPHICS_BIT)
    }
  }

  private var queueFamilies: [QueueFamily] {
    var count: UInt32 = 0
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, nil)
    var families = [VkQueueFamilyProperties](
      repeating: VkQueueFamilyProperties(), count: Int(count))
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, &families)
    return families.enumerated().map { index, properties in
      QueueFamily(
        index: UInt32(index), queueCount: min(properties.queueCount, QueueFamily.most),
        timestampBits: properties.timestampValidBits, flags: properties.queueFlags)
    }
  }

  struct QueueFamily {
    /// Queues that are of use: more elements than these share them.
    static let most: UInt32 = 8

    let index: UInt32
    let queueCount: UInt32
    let timestampBits: UInt32
    fileprivate let flags: VkQueueFlags

    fileprivate func can(_ work: VkQueueFlagBits) -> Bool { flags & work.rawValue != 0 }
  }

  /// Mesa 22.3 offers Vulkan 1.3.230.
  var isLaterLavapipe: Bool {
    deviceClass == .cpu && properties.apiVersion > 1 << 22 | 3 << 12 | 230
  }

  var hasInt64: Bool {
    var features = VkPhysicalDeviceFeatures()
    vkGetPhysicalDeviceFeatures(handle, &features)
    return features.shaderInt64 != 0
  }

  func hasExtension(_ wanted: String) -> Bool {
    var count: UInt32 = 0
    guard vkEnumerateDeviceExtensionProperties(handle, nil, &count, nil) == VK_SUCCESS else {
      return false
    }
    var list = [VkExtensionProperties](repeating: VkExtensionProperties(), count: Int(count))
    guard vkEnumerateDeviceExtensionProperties(handle, nil, &count, &list) == VK_SUCCESS else {
      return false
    }
    return list.contains { item in
      withUnsafeBytes(of: item.extensionName) { bytes in
        bytes.prefix { $0 != 0 }.elementsEqual(wanted.utf8)
      }
    }
  }

  /// The least alignment of memory that the device can use in place; 0 where it cannot.
  var hostImportAlignment: Int {
    guard hasExtension("VK_EXT_external_memory_host") else { return 0 }
    var host = VkPhysicalDeviceExternalMemoryHostPropertiesEXT()
    host.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT
    var all = VkPhysicalDeviceProperties2()
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    withUnsafeMutablePointer(to: &host) { host in
      all.pNext = UnsafeMutableRawPointer(host)
      vkGetPhysicalDeviceProperties2(handle, &all)
    }
    return Int(clamping: host.minImportedHostPointerAlignment)
  }
}
