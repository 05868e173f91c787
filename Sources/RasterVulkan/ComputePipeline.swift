internal import CVulkan

/// A compiled compute kernel that reads and writes storage buffers.
///
/// Thread-safety: immutable; usable from any thread.
package final class ComputePipeline: @unchecked Sendable {
  // @unchecked: handles are set once and only read.
  package let device: Device
  /// Storage buffers that the kernel uses, at bindings from 0.
  package let bindingCount: Int
  /// The kind of each binding, that of the uniform buffer included.
  let descriptorTypes: [VkDescriptorType]
  /// Bytes of the uniform buffer that is bound behind them; 0 for none.
  package let uniformSize: Int
  /// Bytes of its push constants.
  package let pushConstantSize: Int
  let handle: VkPipeline
  let layout: VkPipelineLayout
  let setLayout: VkDescriptorSetLayout

  /// Makes the pipeline from SPIR-V whose entry point is `main`. Costs milliseconds.
  ///
  /// - Parameters:
  ///   - texelBindings: those of the bindings that are uniform texel buffers.
  ///   - cache: remembers the pipeline, and may save the time if it has seen it before.
  package init(
    spirv: [UInt32], bindingCount: Int, texelBindings: Set<Int> = [], uniformSize: Int,
    pushConstantSize: Int, on device: Device, cache: PipelineCache
  ) throws(VulkanError) {
    var types = (0..<bindingCount).map {
      texelBindings.contains($0)
        ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    }
    if uniformSize > 0 { types.append(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) }
    let setLayout = try ComputePipeline.makeSetLayout(types, on: device)
    let layout: VkPipelineLayout
    do throws(VulkanError) {
      layout = try ComputePipeline.makeLayout(setLayout, pushConstantSize, on: device)
    } catch {
      vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
      throw error
    }
    do throws(VulkanError) {
      handle = try ComputePipeline.makePipeline(spirv, layout, cache, on: device)
    } catch {
      vkDestroyPipelineLayout(device.handle, layout, nil)
      vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
      throw error
    }
    self.device = device
    self.bindingCount = bindingCount
    descriptorTypes = types
    self.uniformSize = uniformSize
    self.pushConstantSize = pushConstantSize
    self.layout = layout
    self.setLayout = setLayout
  }

  deinit {
    vkDestroyPipeline(device.handle, handle, nil)
    vkDestroyPipelineLayout(device.handle, layout, nil)
    vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
  }

  private static func makeSetLayout(
    _ types: [VkDescriptorType], on device: Device
  ) throws(VulkanError) -> VkDescriptorSetLayout {
    let bindings = types.enumerated().map { index, type in
      var binding = VkDescriptorSetLayoutBinding()
      binding.binding = UInt32(index)
      binding.descriptorType = type
      binding.descriptorCount = 1
      binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT.rawValue
      return binding
    }
    return try vkMake("vkCreateDescriptorSetLayout") { handle in
      bindings.withUnsafeBufferPointer { bindings in
        var info = VkDescriptorSetLayoutCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
        info.bindingCount = UInt32(bindings.count)
        info.pBindings = bindings.baseAddress
        return vkCreateDescriptorSetLayout(device.handle, &info, nil, &handle)
      }
    }
  }

  private static func makeLayout(
    _ setLayout: VkDescriptorSetLayout, _ pushConstantSize: Int, on device: Device
  ) throws(VulkanError) -> VkPipelineLayout {
    var range = VkPushConstantRange()
    range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT.rawValue
    range.size = UInt32(pushConstantSize)
    var sets: VkDescriptorSetLayout? = setLayout
    return try vkMake("vkCreatePipelineLayout") { handle in
      withUnsafePointer(to: &range) { range in
        withUnsafePointer(to: &sets) { sets in
          var info = VkPipelineLayoutCreateInfo()
          info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO
          info.setLayoutCount = 1
          info.pSetLayouts = sets
          info.pushConstantRangeCount = pushConstantSize > 0 ? 1 : 0
          info.pPushConstantRanges = range
          return vkCreatePipelineLayout(device.handle, &info, nil, &handle)
        }
      }
    }
  }

  private static func makePipeline(
    _ spirv: [UInt32], _ layout: VkPipelineLayout, _ cache: PipelineCache, on device: Device
  ) throws(VulkanError) -> VkPipeline {
    let module: VkShaderModule = try vkMake("vkCreateShaderModule") { handle in
      spirv.withUnsafeBufferPointer { words in
        var info = VkShaderModuleCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO
        info.codeSize = words.count * MemoryLayout<UInt32>.size
        info.pCode = words.baseAddress
        return vkCreateShaderModule(device.handle, &info, nil, &handle)
      }
    }
    defer { vkDestroyShaderModule(device.handle, module, nil) }
    return try vkMake("vkCreateComputePipelines") { handle in
      "main".withCString { entry in
        var info = VkComputePipelineCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT
        info.stage.module = module
        info.stage.pName = entry
        info.layout = layout
        return vkCreateComputePipelines(device.handle, cache.handle, 1, &info, nil, &handle)
      }
    }
  }
}
