internal import CVulkan
internal import Synchronization

/// A buffer over memory that both the CPU and the device use in place.
///
/// Either memory of our own, mapped for as long as the buffer lives, or pages of the process that
/// somebody else owns. Thread-safety: usable from any thread; who writes the bytes when is the user's matter.
package final class HostBuffer: @unchecked Sendable {
  // @unchecked: handles and the address are set once and only read; the view has a lock.
  package let device: Device
  /// Where the CPU finds the buffer's first byte.
  package let address: UnsafeMutableRawPointer
  /// Bytes that the buffer covers.
  package let size: Int
  let handle: VkBuffer
  private let memory: VkDeviceMemory
  private let texelView = Mutex(TexelView())

  /// New memory of at least `size` bytes, in whole words; its contents are undefined.
  ///
  /// - Parameter nearDevice: whether the device reads it often and the CPU only writes it.
  package convenience init(
    allocating size: Int, on device: Device, nearDevice: Bool = false
  ) throws(VulkanError) {
    guard size > 0, let rounded = size.roundedUp(toMultipleOf: 16) else {
      throw VulkanError(call: "vkCreateBuffer", result: VK_ERROR_OUT_OF_DEVICE_MEMORY)
    }
    try self.init(size: rounded, imported: nil, on: device) { buffer throws(VulkanError) in
      var needs = VkMemoryRequirements()
      vkGetBufferMemoryRequirements(device.handle, buffer, &needs)
      guard
        let type = device.memoryTypes.hostVisible(
          allowed: needs.memoryTypeBits, nearDevice: nearDevice)
      else {
        throw VulkanError(
          .unavailable, "The device \(device.name) has no memory that the CPU can map.",
          remedy: "Choose another device with the device property or RASTER_DEVICE.")
      }
      return try HostBuffer.allocate(size: needs.size, type: type, next: nil, on: device)
    }
  }

  /// The pages that hold `bytes`, used in place.
  ///
  /// The pages must stay mapped at this address, readable and writable, while the buffer lives.
  /// - Throws: where the device cannot use such memory.
  package convenience init(
    importing bytes: UnsafeMutableRawBufferPointer, on device: Device
  ) throws(VulkanError) {
    let alignment = device.limits.importAlignment
    guard alignment > 0, let base = bytes.baseAddress, !bytes.isEmpty,
      let query = device.hostPointerProperties
    else {
      throw VulkanError(call: "memory import", result: VK_ERROR_FEATURE_NOT_PRESENT)
    }
    let misalignment = Int(UInt(bitPattern: base) % UInt(alignment))
    let start = base - misalignment
    guard let span = (bytes.count + misalignment).roundedUp(toMultipleOf: alignment) else {
      throw VulkanError(call: "memory import", result: VK_ERROR_OUT_OF_HOST_MEMORY)
    }
    let type = try HostBuffer.importableType(of: start, query: query, on: device)
    try self.init(size: span, imported: start, on: device) { _ throws(VulkanError) in
      try HostBuffer.importMemory(start, size: span, type: type, on: device)
    }
  }

  /// - Parameters:
  ///   - imported: where the pages are that the memory is made of; nil to map new memory.
  ///   - makeMemory: makes the memory for the buffer, which is destroyed if that fails.
  private init(
    size: Int, imported: UnsafeMutableRawPointer?, on device: Device,
    makeMemory: (VkBuffer) throws(VulkanError) -> VkDeviceMemory
  ) throws(VulkanError) {
    let buffer = try HostBuffer.makeBuffer(size: size, imported: imported != nil, on: device)
    var made: VkDeviceMemory?
    do throws(VulkanError) {
      let memory = try makeMemory(buffer)
      made = memory
      try vk("vkBindBufferMemory") { vkBindBufferMemory(device.handle, buffer, memory, 0) }
      if let imported {
        address = imported
      } else {
        address = try HostBuffer.map(memory, size: size, on: device)
      }
      self.device = device
      self.size = size
      self.handle = buffer
      self.memory = memory
    } catch {
      vkDestroyBuffer(device.handle, buffer, nil)
      vkFreeMemory(device.handle, made, nil)
      throw error
    }
  }

  deinit {
    texelView.withLock { vkDestroyBufferView(device.handle, $0.handle, nil) }
    vkDestroyBuffer(device.handle, handle, nil)
    vkFreeMemory(device.handle, memory, nil)
  }

  /// The buffer as texels of four 32-bit words, made at the first call.
  func texels() throws(VulkanError) -> VkBufferView {
    try texelView.withLock { view throws(VulkanError) in
      if let known = view.handle { return known }
      guard size / 16 <= device.limits.maxTexelBufferElements else {
        throw VulkanError(
          .unavailable, "A memory of \(size) bytes is too large for \(device.name).",
          remedy: "Let upstream allocate each frame by itself, or choose another device.")
      }
      let made: VkBufferView = try vkMake("vkCreateBufferView") { handle in
        var info = VkBufferViewCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO
        info.buffer = self.handle
        info.format = VK_FORMAT_R32G32B32A32_UINT
        info.range = VkDeviceSize(size / 16 * 16)
        return vkCreateBufferView(device.handle, &info, nil, &handle)
      }
      view.handle = made
      return made
    }
  }

  /// @unchecked: a handle of Vulkan, which any thread may use.
  private struct TexelView: @unchecked Sendable {
    var handle: VkBufferView?
  }

  private static func makeBuffer(
    size: Int, imported: Bool, on device: Device
  ) throws(VulkanError) -> VkBuffer {
    var external = VkExternalMemoryBufferCreateInfo()
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO
    external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT.rawValue
    return try vkMake("vkCreateBuffer") { handle in
      withUnsafePointer(to: &external) { external in
        var info = VkBufferCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
        info.pNext = imported ? UnsafeRawPointer(external) : nil
        info.size = VkDeviceSize(size)
        info.usage =
          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT.rawValue | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT.rawValue
          | VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue | VK_BUFFER_USAGE_TRANSFER_DST_BIT.rawValue
          | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT.rawValue
        info.sharingMode = VK_SHARING_MODE_EXCLUSIVE
        guard let copyFamily = device.copyQueueFamily else {
          return vkCreateBuffer(device.handle, &info, nil, &handle)
        }
        let families: InlineArray<2, UInt32> = [device.queueFamily, copyFamily]
        return families.span.withUnsafeBufferPointer { families in
          info.sharingMode = VK_SHARING_MODE_CONCURRENT
          info.queueFamilyIndexCount = UInt32(families.count)
          info.pQueueFamilyIndices = families.baseAddress
          return vkCreateBuffer(device.handle, &info, nil, &handle)
        }
      }
    }
  }

  private static func map(
    _ memory: VkDeviceMemory, size: Int, on device: Device
  ) throws(VulkanError) -> UnsafeMutableRawPointer {
    try vkMake("vkMapMemory") { pointer in
      vkMapMemory(device.handle, memory, 0, VkDeviceSize(size), 0, &pointer)
    }
  }

  private static func allocate(
    size: VkDeviceSize, type: UInt32, next: UnsafeRawPointer?, on device: Device
  ) throws(VulkanError) -> VkDeviceMemory {
    try vkMake("vkAllocateMemory") { handle in
      var info = VkMemoryAllocateInfo()
      info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
      info.pNext = next
      info.allocationSize = size
      info.memoryTypeIndex = type
      return vkAllocateMemory(device.handle, &info, nil, &handle)
    }
  }

  private static func importableType(
    of address: UnsafeMutableRawPointer, query: PFN_vkGetMemoryHostPointerPropertiesEXT,
    on device: Device
  ) throws(VulkanError) -> UInt32 {
    var properties = VkMemoryHostPointerPropertiesEXT()
    properties.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT
    try vk("vkGetMemoryHostPointerPropertiesEXT") {
      query(
        device.handle, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, address,
        &properties)
    }
    guard
      let type = device.memoryTypes.hostVisible(
        allowed: properties.memoryTypeBits, nearDevice: false)
    else {
      throw VulkanError(
        call: "vkGetMemoryHostPointerPropertiesEXT", result: VK_ERROR_INVALID_EXTERNAL_HANDLE)
    }
    return type
  }

  private static func importMemory(
    _ address: UnsafeMutableRawPointer, size: Int, type: UInt32, on device: Device
  ) throws(VulkanError) -> VkDeviceMemory {
    var host = VkImportMemoryHostPointerInfoEXT()
    host.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT
    host.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
    host.pHostPointer = address
    var result: Result<VkDeviceMemory, VulkanError>
    result = withUnsafePointer(to: &host) { host in
      Result { () throws(VulkanError) in
        try allocate(
          size: VkDeviceSize(size), type: type, next: UnsafeRawPointer(host), on: device)
      }
    }
    return try result.get()
  }
}

extension Int {
  /// The least multiple of `step` (at least 1) that is not smaller; nil on overflow.
  func roundedUp(toMultipleOf step: Int) -> Int? {
    let (sum, overflow) = addingReportingOverflow(step - 1)
    return overflow ? nil : sum / step * step
  }
}
