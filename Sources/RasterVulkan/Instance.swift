internal import CVulkan

/// The connection to the Vulkan loader, from which devices are listed.
///
/// Thread-safety: immutable; usable from any thread.
final class Instance: @unchecked Sendable {
  // @unchecked: the handle is set once and only read; the calls made on it are free of threading
  // rules except its destruction, which happens when nobody holds the instance any more.
  let handle: VkInstance

  /// Loads the Vulkan drivers of the machine. Costs milliseconds and opens device nodes.
  init() throws(VulkanError) {
    var application = VkApplicationInfo()
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO
    application.apiVersion = raster_vk_api_version_1_2
    handle = try vkMake("vkCreateInstance") { handle in
      withUnsafePointer(to: &application) { application in
        var info = VkInstanceCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
        info.pApplicationInfo = application
        return vkCreateInstance(&info, nil, &handle)
      }
    }
  }

  deinit { vkDestroyInstance(handle, nil) }

  /// The devices of all drivers, in the loader's order.
  func physicalDevices() throws(VulkanError) -> [PhysicalDevice] {
    var count: UInt32 = 0
    try vk("vkEnumeratePhysicalDevices") { vkEnumeratePhysicalDevices(handle, &count, nil) }
    var handles = [VkPhysicalDevice?](repeating: nil, count: Int(count))
    if count > 0 {
      try vk("vkEnumeratePhysicalDevices") {
        vkEnumeratePhysicalDevices(handle, &count, &handles)
      }
    }
    return handles.prefix(Int(count)).compactMap { $0 }.map { PhysicalDevice(handle: $0) }
  }
}
