internal import CVulkan

/// What one submission needs: a command buffer, descriptor sets and a clock.
///
/// Made once and used again and again, once the submission before is done. Thread-safety: one thread at a
/// time.
package struct CommandSlot: ~Copyable {
  /// Dispatches that one submission may hold.
  package static let maxDispatches = 64
  private static let maxBindings = 128

  private let device: Device
  /// Whether the queue can do nothing else.
  private let isForCopies: Bool
  private let pool: VkCommandPool
  private let commands: VkCommandBuffer
  private let descriptors: VkDescriptorPool
  /// Nil where the queue has no clock.
  private let clock: VkQueryPool?
  /// What the slot was used for last.
  private var last: Submission?

  /// - Parameter copies: whether it is for a ``Queue`` for copies.
  package init(on device: Device, forCopies copies: Bool = false) throws(VulkanError) {
    let made: Made
    let copyFamily = copies ? device.copyQueueFamily : nil
    var parts = Parts(device: device, family: copyFamily ?? device.queueFamily)
    isForCopies = copyFamily != nil
    do throws(VulkanError) {
      made = try parts.make()
    } catch {
      parts.destroy()
      throw error
    }
    self.device = device
    pool = made.pool
    commands = made.commands
    descriptors = made.descriptors
    clock = parts.clock
  }

  deinit {
    // What a device that hangs may still use is given up, rather than taken from under it.
    if let last, !last.isDone, (try? last.wait()) == nil, !last.isDone { return }
    Parts(
      device: device, family: 0, pool: pool, descriptors: descriptors, clock: clock
    ).destroy()
  }

  /// Starts recording; whatever was recorded before is dropped.
  package mutating func begin() throws(VulkanError) {
    try vk("vkResetDescriptorPool") { vkResetDescriptorPool(device.handle, descriptors, 0) }
    try vk("vkResetCommandPool") { vkResetCommandPool(device.handle, pool, 0) }
    try vk("vkBeginCommandBuffer") {
      var info = VkCommandBufferBeginInfo()
      info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
      info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue
      return vkBeginCommandBuffer(commands, &info)
    }
    guard let clock else { return }
    vkCmdResetQueryPool(commands, clock, 0, 2)
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, clock, 0)
  }

  /// What dispatches are added to between ``begin()`` and ``finish()``.
  package func encoder() -> DispatchEncoder {
    DispatchEncoder(device: device, commands: commands, descriptors: descriptors)
  }

  /// Submits what was recorded, and returns at once.
  ///
  /// - Parameters:
  ///   - queue: a line of the slot's device.
  ///   - dependencies: what has to be done before, on other lines of the device.
  package mutating func submit(
    to queue: Queue, after dependencies: [Submission] = []
  ) throws(VulkanError) -> Submission {
    try end()
    var waits = Queue.Dependencies()
    for dependency in dependencies where !waits.add(dependency) { try dependency.wait() }
    let submission = try queue.submit(commands, after: waits)
    last = submission
    return submission
  }

  /// Waits until what was submitted last is done, and the slot can be used again.
  ///
  /// - Returns: the time the device took in nanoseconds; 0 where it has no clock, and where it was said
  ///   before.
  package mutating func finish() throws(VulkanError) -> UInt64 {
    guard let submission = last else { return 0 }
    // One that does not end may still use the slot, which then must not be taken apart.
    try submission.wait()
    last = nil
    return elapsedTime()
  }

  private func end() throws(VulkanError) {
    if !isForCopies { barrierToHost() }
    if let clock {
      vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, clock, 1)
    }
    try vk("vkEndCommandBuffer") { vkEndCommandBuffer(commands) }
  }

  private func barrierToHost() {
    // The CPU reads what the kernels wrote.
    var barrier = VkMemoryBarrier()
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER
    barrier.srcAccessMask =
      VK_ACCESS_SHADER_WRITE_BIT.rawValue | VK_ACCESS_TRANSFER_WRITE_BIT.rawValue
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT.rawValue
    vkCmdPipelineBarrier(
      commands,
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue | VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue,
      VK_PIPELINE_STAGE_HOST_BIT.rawValue, 0, 1, &barrier, 0, nil, 0, nil)
  }

  private func elapsedTime() -> UInt64 {
    guard let clock else { return 0 }
    var ticks: (UInt64, UInt64) = (0, 0)
    let result = vkGetQueryPoolResults(
      device.handle, clock, 0, 2, MemoryLayout.size(ofValue: ticks), &ticks,
      VkDeviceSize(MemoryLayout<UInt64>.stride), VK_QUERY_RESULT_64_BIT.rawValue)
    guard result == VK_SUCCESS else { return 0 }
    let mask: UInt64 = device.timestampBits >= 64 ? .max : (1 << UInt64(device.timestampBits)) - 1
    let difference = Double((ticks.1 &- ticks.0) & mask) * device.nanosecondsPerTick
    return UInt64(exactly: difference.rounded()) ?? 0
  }

  /// The handles that every slot has.
  private struct Made {
    let pool: VkCommandPool
    let commands: VkCommandBuffer
    let descriptors: VkDescriptorPool
  }

  /// The handles of a slot while it is being made and when it is taken apart.
  private struct Parts {
    let device: Device
    let family: UInt32
    var pool: VkCommandPool?
    var descriptors: VkDescriptorPool?
    var clock: VkQueryPool?

    mutating func make() throws(VulkanError) -> Made {
      let pool = try makePool()
      let commands = try makeCommands(pool)
      let descriptors = try makeDescriptors()
      if device.timestampBits > 0, family == device.queueFamily { clock = try makeClock() }
      return Made(pool: pool, commands: commands, descriptors: descriptors)
    }

    func destroy() {
      vkDestroyQueryPool(device.handle, clock, nil)
      vkDestroyDescriptorPool(device.handle, descriptors, nil)
      vkDestroyCommandPool(device.handle, pool, nil)
    }

    mutating func makePool() throws(VulkanError) -> VkCommandPool {
      let made: VkCommandPool = try vkMake("vkCreateCommandPool") { handle in
        var info = VkCommandPoolCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
        info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT.rawValue
        info.queueFamilyIndex = family
        return vkCreateCommandPool(device.handle, &info, nil, &handle)
      }
      pool = made
      return made
    }

    func makeCommands(_ pool: VkCommandPool) throws(VulkanError) -> VkCommandBuffer {
      try vkMake("vkAllocateCommandBuffers") { handle in
        var info = VkCommandBufferAllocateInfo()
        info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO
        info.commandPool = pool
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY
        info.commandBufferCount = 1
        return vkAllocateCommandBuffers(device.handle, &info, &handle)
      }
    }

    mutating func makeDescriptors() throws(VulkanError) -> VkDescriptorPool {
      let count = UInt32(CommandSlot.maxDispatches)
      let sizes = [
        VkDescriptorPoolSize(
          type: VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
          descriptorCount: count * UInt32(CommandSlot.maxBindings)),
        VkDescriptorPoolSize(
          type: VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
          descriptorCount: count * UInt32(CommandSlot.maxBindings)),
        VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, descriptorCount: count),
      ]
      let made: VkDescriptorPool = try vkMake("vkCreateDescriptorPool") { handle in
        sizes.withUnsafeBufferPointer { sizes in
          var info = VkDescriptorPoolCreateInfo()
          info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
          info.maxSets = count
          info.poolSizeCount = UInt32(sizes.count)
          info.pPoolSizes = sizes.baseAddress
          return vkCreateDescriptorPool(device.handle, &info, nil, &handle)
        }
      }
      descriptors = made
      return made
    }

    func makeClock() throws(VulkanError) -> VkQueryPool {
      try vkMake("vkCreateQueryPool") { handle in
        var info = VkQueryPoolCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO
        info.queryType = VK_QUERY_TYPE_TIMESTAMP
        info.queryCount = 2
        return vkCreateQueryPool(device.handle, &info, nil, &handle)
      }
    }
  }
}
