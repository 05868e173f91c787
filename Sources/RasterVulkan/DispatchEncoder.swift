internal import CVulkan

/// Adds dispatches to a command buffer that is being recorded.
package struct DispatchEncoder: ~Copyable {
  let device: Device
  let commands: VkCommandBuffer
  let descriptors: VkDescriptorPool

  /// Runs a kernel over a grid of workgroups.
  ///
  /// - Parameters:
  ///   - bindings: as many as the pipeline has, in the order of its bindings; the uniform buffer last.
  ///   - pushConstants: as many bytes as the pipeline has.
  package mutating func dispatch(
    _ pipeline: ComputePipeline, bindings: Span<BufferBinding>, pushConstants: RawSpan,
    groups: (x: UInt32, y: UInt32)
  ) throws(VulkanError) {
    var set = try allocateSet(pipeline.setLayout)
    try write(bindings, of: pipeline, to: set)
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle)
    vkCmdBindDescriptorSets(
      commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set, 0, nil)
    pushConstants.withUnsafeBytes { bytes in
      vkCmdPushConstants(
        commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT.rawValue, 0, UInt32(bytes.count),
        bytes.baseAddress)
    }
    vkCmdDispatch(commands, groups.x, groups.y, 1)
  }

  /// Makes what was written so far, also by submissions before, visible to what follows.
  package mutating func barrier() {
    var barrier = VkMemoryBarrier()
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER
    barrier.srcAccessMask =
      VK_ACCESS_SHADER_WRITE_BIT.rawValue | VK_ACCESS_TRANSFER_WRITE_BIT.rawValue
    barrier.dstAccessMask =
      VK_ACCESS_SHADER_READ_BIT.rawValue | VK_ACCESS_SHADER_WRITE_BIT.rawValue
      | VK_ACCESS_TRANSFER_READ_BIT.rawValue | VK_ACCESS_TRANSFER_WRITE_BIT.rawValue
    let stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue | VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue
    vkCmdPipelineBarrier(commands, stages, stages, 0, 1, &barrier, 0, nil, 0, nil)
  }

  /// Copies bytes from one buffer to the start of another.
  package mutating func copy(_ source: BufferBinding, to target: HostBuffer) {
    var region = VkBufferCopy(
      srcOffset: VkDeviceSize(source.offset), dstOffset: 0, size: VkDeviceSize(source.size))
    vkCmdCopyBuffer(commands, source.buffer.handle, target.handle, 1, &region)
  }

  private func allocateSet(_ layout: VkDescriptorSetLayout) throws(VulkanError) -> VkDescriptorSet?
  {
    var layout: VkDescriptorSetLayout? = layout
    return try vkMake("vkAllocateDescriptorSets") { handle in
      withUnsafePointer(to: &layout) { layout in
        var info = VkDescriptorSetAllocateInfo()
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO
        info.descriptorPool = descriptors
        info.descriptorSetCount = 1
        info.pSetLayouts = layout
        return vkAllocateDescriptorSets(device.handle, &info, &handle)
      }
    }
  }

  private func write(
    _ bindings: Span<BufferBinding>, of pipeline: ComputePipeline, to set: VkDescriptorSet?
  ) throws(VulkanError) {
    for index in bindings.indices {
      let binding = bindings[index]
      var write = VkWriteDescriptorSet()
      write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
      write.dstSet = set
      write.dstBinding = UInt32(index)
      write.descriptorCount = 1
      write.descriptorType = pipeline.descriptorTypes[index]
      var info = VkDescriptorBufferInfo(
        buffer: binding.buffer.handle, offset: VkDeviceSize(binding.offset),
        range: VkDeviceSize(binding.size))
      var texels: VkBufferView?
      if write.descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER {
        texels = try binding.buffer.texels()
      }
      withUnsafePointer(to: &info) { info in
        withUnsafePointer(to: &texels) { texels in
          // Vulkan reads the one that the type says.
          write.pBufferInfo = info
          write.pTexelBufferView = texels
          vkUpdateDescriptorSets(device.handle, 1, &write, 0, nil)
        }
      }
    }
  }
}
