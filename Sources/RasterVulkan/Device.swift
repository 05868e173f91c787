internal import CVulkan
internal import Synchronization

/// An open Vulkan device with its compute queues.
///
/// Shared by all elements of a process that ask for the same device; closed when the last lets go.
/// Thread-safety: usable from any thread.
package final class Device: @unchecked Sendable {
  // @unchecked: handles are set once and only read.
  package let name: String
  package let deviceClass: DeviceClass
  package let limits: DeviceLimits
  /// What pipelines of an earlier process must come from to be of use here.
  package let driver: DriverIdentity
  /// Whether kernels may use 64-bit integers.
  package let hasInt64: Bool
  /// Whether it is lavapipe of a Mesa later than 22.3, which is fast and slow at other things.
  package let isLaterLavapipe: Bool
  /// Tells the open devices of this process apart; used again when the device is closed.
  package let number: Int
  let handle: VkDevice
  let queueFamily: UInt32
  /// The family for copies beside kernels; nil where there is none of its own.
  let copyQueueFamily: UInt32?
  let timestampBits: UInt32
  let nanosecondsPerTick: Double
  let memoryTypes: MemoryTypes
  let hostPointerProperties: PFN_vkGetMemoryHostPointerPropertiesEXT?

  private let instance: Instance
  private let selection: DeviceSelection
  private let ports: [QueuePort]
  private let copyPorts: [QueuePort]
  private let portsGiven = Atomic(0)
  private let lost = Atomic(false)

  /// Opens the device that `selection` names.
  package init(_ selection: DeviceSelection) throws(VulkanError) {
    let instance = try Instance.make()
    let physical = try selection.choose(from: try instance.physicalDevices())
    let family = try Device.requireFeatures(of: physical)
    let importAlignment = physical.hostImportAlignment
    let copyFamily = physical.deviceClass == .discrete ? physical.copyQueueFamily : nil
    let handle = try Device.create(
      physical, families: [family] + (copyFamily.map { [$0] } ?? []),
      importsHostMemory: importAlignment > 0)
    let ports = Device.ports(handle, family)
    guard !ports.isEmpty else {
      vkDestroyDevice(handle, nil)
      throw VulkanError(call: "vkGetDeviceQueue", result: VK_ERROR_INITIALIZATION_FAILED)
    }
    number = Device.takeNumber()
    self.instance = instance
    self.selection = selection
    self.handle = handle
    self.ports = ports
    copyPorts = copyFamily.map { Device.ports(handle, $0) } ?? []
    copyQueueFamily = copyFamily?.index
    name = physical.name
    hasInt64 = physical.hasInt64
    isLaterLavapipe = physical.isLaterLavapipe
    deviceClass = physical.deviceClass
    driver = DriverIdentity(physical.properties)
    queueFamily = family.index
    timestampBits = family.timestampBits
    nanosecondsPerTick = Double(physical.properties.limits.timestampPeriod)
    memoryTypes = MemoryTypes(of: physical)
    limits = DeviceLimits(physical.properties.limits, importAlignment: importAlignment)
    hostPointerProperties = vkGetDeviceProcAddr(handle, "vkGetMemoryHostPointerPropertiesEXT")
      .map { unsafeBitCast($0, to: PFN_vkGetMemoryHostPointerPropertiesEXT.self) }
  }

  /// Opens the device of `other` once more, with everything of its own.
  package convenience init(twinOf other: Device) throws(VulkanError) {
    try self.init(other.selection)
  }

  deinit {
    vkDestroyDevice(handle, nil)
    Device.numbers.withLock { _ = $0.remove(number) }
  }

  private static let numbers = Mutex<Set<Int>>([])

  /// The least number that no open device has.
  private static func takeNumber() -> Int {
    numbers.withLock { taken in
      var number = 0
      while !taken.insert(number).inserted { number += 1 }
      return number
    }
  }

  /// Whether a call has reported the device as lost; it stays so until it is opened anew.
  package var isLost: Bool { lost.load(ordering: .acquiring) }

  /// Remembers a loss, so that nobody is given this device again.
  func note(_ error: VulkanError) {
    if error.kind == .deviceLost { lost.store(true, ordering: .releasing) }
  }

  /// A queue of the driver: each in turn, so that elements work beside each other.
  ///
  /// - Parameter copies: whether it only copies, if there is a queue for that.
  func nextPort(forCopies copies: Bool) -> QueuePort {
    let index = portsGiven.wrappingAdd(1, ordering: .relaxed).oldValue
    let own = copies && !copyPorts.isEmpty ? copyPorts : ports
    return own[index % own.count]
  }

  private static func ports(
    _ device: VkDevice, _ family: PhysicalDevice.QueueFamily
  ) -> [QueuePort] {
    (0..<family.queueCount).compactMap { index in
      var queue: VkQueue?
      vkGetDeviceQueue(device, family.index, index, &queue)
      return queue.map { QueuePort($0) }
    }
  }

  private static func requireFeatures(
    of device: PhysicalDevice
  ) throws(VulkanError) -> PhysicalDevice.QueueFamily {
    guard device.properties.apiVersion >= raster_vk_api_version_1_2 else {
      let version = device.properties.apiVersion
      throw VulkanError(
        .unavailable,
        "The device \(device.name) offers Vulkan \(version >> 22).\((version >> 12) & 0x3ff), "
          + "and 1.2 is needed.",
        remedy: "Update its driver, or choose another device with the device property.")
    }
    guard let family = device.computeQueueFamily else {
      throw VulkanError(
        .unavailable, "The device \(device.name) has no compute queue.",
        remedy: "Choose another device with the device property or RASTER_DEVICE.")
    }
    return family
  }

  private static func queueInfo(
    _ family: PhysicalDevice.QueueFamily, _ priorities: UnsafeBufferPointer<Float>
  ) -> VkDeviceQueueCreateInfo {
    var info = VkDeviceQueueCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO
    info.queueFamilyIndex = family.index
    info.queueCount = family.queueCount
    info.pQueuePriorities = priorities.baseAddress
    return info
  }

  private static func create(
    _ device: PhysicalDevice, families: [PhysicalDevice.QueueFamily], importsHostMemory: Bool
  ) throws(VulkanError) -> VkDevice {
    let priorities = [Float](repeating: 1, count: Int(PhysicalDevice.QueueFamily.most))
    let extensions: [StaticString] = importsHostMemory ? ["VK_EXT_external_memory_host"] : []
    let names = extensions.map { name in
      UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self) as UnsafePointer?
    }
    var timelines = VkPhysicalDeviceTimelineSemaphoreFeatures()
    timelines.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES
    timelines.timelineSemaphore = 1
    var features = VkPhysicalDeviceFeatures()
    features.shaderInt64 = device.hasInt64 ? 1 : 0
    return try vkMake("vkCreateDevice") { handle in
      priorities.withUnsafeBufferPointer { priorities in
        let queues = families.map { queueInfo($0, priorities) }
        return withUnsafePointers(&features, &timelines) { features, timelines in
          queues.withUnsafeBufferPointer { queues in
            names.withUnsafeBufferPointer { names in
              var info = VkDeviceCreateInfo()
              info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO
              info.pNext = UnsafeRawPointer(timelines)
              info.queueCreateInfoCount = UInt32(queues.count)
              info.pQueueCreateInfos = queues.baseAddress
              info.enabledExtensionCount = UInt32(names.count)
              info.ppEnabledExtensionNames = names.baseAddress
              info.pEnabledFeatures = features
              return vkCreateDevice(device.handle, &info, nil, &handle)
            }
          }
        }
      }
    }
  }
}

/// The numbers of a device that decide how frames are bound and split.
package struct DeviceLimits: Sendable {
  /// Bytes that one binding of a buffer may cover.
  package let maxStorageBufferRange: Int
  /// Texels that a buffer of them may have.
  package let maxTexelBufferElements: Int
  /// A binding starts at a multiple of this many bytes.
  package let storageBufferOffsetAlignment: Int
  package let maxPushConstantsSize: Int
  /// Storage buffers that a kernel may bind.
  package let maxStorageBuffers: Int
  /// Workgroups of a dispatch, across and down.
  package let maxWorkGroupCount: (x: Int, y: Int)
  /// Invocations of a workgroup.
  package let maxWorkGroupInvocations: Int
  /// System memory is usable in place from multiples of this many bytes; 0 where it is not.
  package let importAlignment: Int

  init(_ limits: VkPhysicalDeviceLimits, importAlignment: Int) {
    maxStorageBufferRange = Int(limits.maxStorageBufferRange)
    maxTexelBufferElements = Int(limits.maxTexelBufferElements)
    storageBufferOffsetAlignment = max(1, Int(clamping: limits.minStorageBufferOffsetAlignment))
    maxPushConstantsSize = Int(limits.maxPushConstantsSize)
    // A kernel may have a uniform buffer besides.
    maxStorageBuffers = min(
      Int(clamping: limits.maxPerStageDescriptorStorageBuffers),
      Int(clamping: limits.maxDescriptorSetStorageBuffers),
      Int(clamping: limits.maxPerStageResources) - 1)
    maxWorkGroupCount = (
      Int(limits.maxComputeWorkGroupCount.0), Int(limits.maxComputeWorkGroupCount.1)
    )
    maxWorkGroupInvocations = Int(limits.maxComputeWorkGroupInvocations)
    self.importAlignment = importAlignment
  }
}
