internal import CVulkan

/// A Vulkan call that failed, or a device that cannot be used.
package struct VulkanError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No driver, no device of that name, or a device that lacks something.
    case unavailable
    case deviceLost
    case outOfMemory
    /// Any other result of a call.
    case failed
  }

  package let kind: Kind
  /// One sentence that names the call or the thing that is missing.
  package let message: String
  /// One sentence that says what the user can do.
  package let remedy: String

  package init(_ kind: Kind, _ message: String, remedy: String) {
    self.kind = kind
    self.message = message
    self.remedy = remedy
  }

  init(call: StaticString, result: VkResult) {
    let name = VulkanError.name(of: result)
    switch result {
    case VK_ERROR_DEVICE_LOST:
      self.init(
        .deviceLost, "The Vulkan device was lost (\(call)).",
        remedy: "Set the element to NULL and start it again; look for GPU faults in the kernel log."
      )
    case VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
      VK_ERROR_TOO_MANY_OBJECTS, VK_ERROR_OUT_OF_POOL_MEMORY:
      self.init(
        .outOfMemory, "The Vulkan device has no memory left (\(call): \(name)).",
        remedy: "Use smaller frames or fewer of them, or choose another device.")
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      self.init(
        .unavailable, "No Vulkan driver was found (\(call): \(name)).",
        remedy: VulkanError.installDriver)
    default:
      self.init(
        .failed, "Vulkan refused \(call): \(name).",
        remedy: "Run with GST_DEBUG=raster*:6 and the Khronos validation layer, and report it.")
    }
  }

  /// The remedy for a machine without a driver.
  static let installDriver =
    "Install a Vulkan driver; mesa-vulkan-drivers has one that needs no GPU. "
    + "If VK_ICD_FILENAMES or VK_DRIVER_FILES is set, check that it names a driver."

  private static func name(of result: VkResult) -> String {
    switch result {
    case VK_ERROR_OUT_OF_HOST_MEMORY: "VK_ERROR_OUT_OF_HOST_MEMORY"
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: "VK_ERROR_OUT_OF_DEVICE_MEMORY"
    case VK_ERROR_INITIALIZATION_FAILED: "VK_ERROR_INITIALIZATION_FAILED"
    case VK_ERROR_DEVICE_LOST: "VK_ERROR_DEVICE_LOST"
    case VK_ERROR_MEMORY_MAP_FAILED: "VK_ERROR_MEMORY_MAP_FAILED"
    case VK_ERROR_LAYER_NOT_PRESENT: "VK_ERROR_LAYER_NOT_PRESENT"
    case VK_ERROR_EXTENSION_NOT_PRESENT: "VK_ERROR_EXTENSION_NOT_PRESENT"
    case VK_ERROR_FEATURE_NOT_PRESENT: "VK_ERROR_FEATURE_NOT_PRESENT"
    case VK_ERROR_INCOMPATIBLE_DRIVER: "VK_ERROR_INCOMPATIBLE_DRIVER"
    case VK_ERROR_TOO_MANY_OBJECTS: "VK_ERROR_TOO_MANY_OBJECTS"
    case VK_ERROR_OUT_OF_POOL_MEMORY: "VK_ERROR_OUT_OF_POOL_MEMORY"
    case VK_ERROR_INVALID_EXTERNAL_HANDLE: "VK_ERROR_INVALID_EXTERNAL_HANDLE"
    case VK_TIMEOUT: "VK_TIMEOUT"
    default: "VkResult \(result.rawValue)"
    }
  }
}

/// Runs a Vulkan call and throws where it does not succeed; no result is ever ignored.
func vk(_ call: StaticString, _ body: () -> VkResult) throws(VulkanError) {
  let result = body()
  guard result == VK_SUCCESS else { throw VulkanError(call: call, result: result) }
}

/// Runs a Vulkan call that makes a handle, and returns the handle.
func vkMake<Handle>(
  _ call: StaticString, _ body: (inout Handle?) -> VkResult
) throws(VulkanError) -> Handle {
  var handle: Handle?
  let result = body(&handle)
  guard result == VK_SUCCESS, let handle else {
    throw VulkanError(call: call, result: result == VK_SUCCESS ? VK_ERROR_UNKNOWN : result)
  }
  return handle
}
