package import RasterGraph
package import RasterVulkan
internal import RasterShader
internal import Synchronization

/// An open device and the kernels that were compiled for it.
///
/// Shared by all elements of a process that ask for the same device. Thread-safety: usable from any
/// thread.
package final class RenderContext: Sendable {
  package let device: Device
  private let kernels = Mutex<[KernelKey: CompiledKernel]>([:])
  /// Kernels that are remembered; shaders that are edited while they run bring new ones without end.
  private static let kernelLimit = 512
  private let shaders: ShaderCache
  private let pipelines: PipelineStore
  private let isLaterLavapipe: Bool
  /// Brings frames to the CPU and back.
  let transfer: Transfer

  private struct Entry {
    weak var context: RenderContext?
  }

  private static let open = Mutex<[DeviceSelection: Entry]>([:])

  /// The context of the device that `selection` names, opened if it is not; never a lost one.
  ///
  /// May take tens of milliseconds and opens device nodes: for state changes, not for streaming.
  package static func context(
    for selection: DeviceSelection
  ) throws(RasterError) -> RenderContext {
    // The lock is held while opening, so that two elements that start together share one device.
    let result = open.withLock { entries -> Result<RenderContext, VulkanError> in
      entries = entries.filter { $0.value.context != nil }
      if let context = entries[selection]?.context, !context.device.isLost {
        return .success(context)
      }
      return Result { () throws(VulkanError) in
        let context = RenderContext(try Device(selection), cachingIn: .standard())
        entries[selection] = Entry(context: context)
        return context
      }
    }
    return try translated { () throws(VulkanError) in try result.get() }
  }

  /// - Parameters:
  ///   - directory: where kernels are kept for later processes; nil keeps none.
  ///   - isLaterLavapipe: whether kernels are shaped for lavapipe of a Mesa later than 22.3; nil: as the device is.
  package convenience init(
    _ device: Device, cachingIn directory: CacheDirectory?, isLaterLavapipe: Bool? = nil
  ) {
    self.init(
      device, shaders: ShaderCache(directory), pipelines: PipelineStore(device, in: directory),
      isLaterLavapipe: isLaterLavapipe ?? device.isLaterLavapipe)
  }

  private init(
    _ device: Device, shaders: ShaderCache, pipelines: PipelineStore, isLaterLavapipe: Bool
  ) {
    self.device = device
    self.isLaterLavapipe = isLaterLavapipe
    self.shaders = shaders
    self.pipelines = pipelines
    transfer = Transfer(device)
  }

  /// A context of the same device opened once more, for work that must not hold up this one's.
  ///
  /// It finds the kernels that this one has kept in files. What its driver knows is not kept: that is this
  /// one's to write.
  func makeTwin() throws(RasterError) -> RenderContext {
    let twin = try translated { () throws(VulkanError) in try Device(twinOf: device) }
    return RenderContext(
      twin, shaders: shaders, pipelines: PipelineStore(twin, in: nil),
      isLaterLavapipe: isLaterLavapipe)
  }

  /// Writes what is worth keeping for later processes. Does nothing where nothing was compiled since
  /// the last time; else takes milliseconds: for state changes.
  package func saveCaches() { pipelines.save() }

  /// The shape of kernels on this device.
  ///
  /// - Parameters:
  ///   - isHeavy: whether arithmetic outweighs memory.
  ///   - isWalk: whether the kernel walks over whole words.
  package func style(isHeavy: Bool, isWalk: Bool = false) -> KernelStyle {
    guard device.deviceClass == .cpu else {
      return isWalk ? .gpuWalk(limit: device.limits.maxWorkGroupInvocations) : .gpu
    }
    guard device.hasInt64 else { return isHeavy ? .gpu : .narrowCPU }
    var style = isHeavy ? KernelStyle.heavyCPU : .cpu
    // Measured with Mesa 22.3 and 25.0: the one loads a lane at a time, the other converts so.
    style.convertsByBits = isLaterLavapipe
    // Other drivers for CPUs have buffers of few texels.
    style.readsTexels = !isLaterLavapipe && device.limits.maxTexelBufferElements >= 1 << 27
    return style
  }

  /// The kernel of a plan, and whether it had to be compiled, which takes tens of milliseconds.
  ///
  /// Different kernels are compiled side by side; who asks for one that is being compiled waits for it.
  package func kernel(
    for plan: KernelKey
  ) throws(RasterError) -> (pipeline: ComputePipeline, isNew: Bool) {
    let kernel = kernels.withLock { kernels in
      if let known = kernels[plan] { return known }
      // What is in use lives on with its users, and comes back when it is asked for.
      if kernels.count >= RenderContext.kernelLimit { kernels.removeAll() }
      let kernel = CompiledKernel()
      kernels[plan] = kernel
      return kernel
    }
    return try kernel.pipeline { () throws(RasterError) in try compile(plan) }
  }

  private func compile(_ key: KernelKey) throws(RasterError) -> ComputePipeline {
    let kernel = try key.compose(pushConstantLimit: device.limits.maxPushConstantsSize)
    let spirv = try shaders.spirv(for: kernel.source, name: key.name).words
    let pipeline = try translated { () throws(VulkanError) in
      try ComputePipeline(
        spirv: spirv, bindingCount: kernel.bindingCount, texelBindings: kernel.texelBindings,
        uniformSize: kernel.uniformCount * 4,
        pushConstantSize: kernel.pushConstantSize, on: device, cache: pipelines.cache)
    }
    pipelines.didMakePipeline()
    return pipeline
  }
}

/// A kernel that is compiled when it is first asked for. Thread-safety: usable from any thread.
private final class CompiledKernel: Sendable {
  private let pipeline = Mutex<ComputePipeline?>(nil)

  /// The pipeline, and whether this call has made it. Where `compile` fails the next call tries again.
  func pipeline(
    _ compile: () throws(RasterError) -> ComputePipeline
  ) throws(RasterError) -> (pipeline: ComputePipeline, isNew: Bool) {
    // The lock is held while compiling, so that nothing is compiled twice.
    try pipeline.withLock { pipeline throws(RasterError) in
      if let pipeline { return (pipeline, false) }
      let made = try compile()
      pipeline = made
      return (made, true)
    }
  }
}

/// What a kernel is made of.
package enum KernelKey: Hashable, Sendable {
  case pointwise(KernelPlan)
  case sampled(SampledPlan)
  case curves(SampledPlan)

  func compose(pushConstantLimit: Int) throws(RasterError) -> Kernel {
    switch self {
    case .pointwise(let plan):
      try KernelComposer.compose(plan, pushConstantLimit: pushConstantLimit)
    case .sampled(let plan):
      try SampledComposer.compose(plan, pushConstantLimit: pushConstantLimit)
    case .curves(let plan):
      try SampledComposer.composeCurves(plan, pushConstantLimit: pushConstantLimit)
    }
  }

  /// What messages call the kernel.
  var name: String {
    switch self {
    case .pointwise(let plan): plan.description
    case .sampled: "sampled"
    case .curves: "curves"
    }
  }
}

/// Runs `body` and gives its error the form that every layer above Vulkan throws.
package func translated<Value: ~Copyable>(
  _ body: () throws(VulkanError) -> Value
) throws(RasterError) -> Value {
  do {
    return try body()
  } catch {
    let code: RasterError.Code =
      switch error.kind {
      case .unavailable: .deviceUnavailable
      case .deviceLost: .deviceLost
      case .outOfMemory: .outOfMemory
      case .failed: .internalFailure
      }
    throw RasterError(code, error.message, remedy: error.remedy)
  }
}
