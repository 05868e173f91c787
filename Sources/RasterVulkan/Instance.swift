internal import CVulkan
internal import Synchronization

/// The connection to the Vulkan loader, from which devices are listed.
///
/// Thread-safety: immutable; usable from any thread.
final class Instance: @unchecked Sendable {
  // @unchecked: the handle is set once and only read; the calls made on it are free of threading
  // rules except its destruction, which happens when nobody holds the instance any more.
  let handle: VkInstance

  /// The first instance of the process, which keeps the drivers in memory.
  ///
  /// NVIDIA's driver (580) cannot be unloaded and loaded again more than some 25 times: it runs out
  /// of space for thread-local variables, and there is no driver any more.
  private static let first = Mutex<Instance?>(nil)

  /// A new instance, as the environment of the process now wants it.
  static func make() throws(VulkanError) -> Instance {
    let made = try Instance()
    first.withLock { first in
      if first == nil { first = made }
    }
    return made
  }

  /// Loads the Vulkan drivers of the machine. Costs milliseconds and opens device nodes.
  private init() throws(VulkanError) {
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
