internal import RasterGraph
internal import RasterVulkan

/// Copies of a frame in the device's own memory, made anew for each frame while kernels work on the one before.
///
/// Kernels that read pixels several times would fetch them over the bus each time, and even those that read them
/// once do not fill both directions of it.
struct FrameCopy {
  /// The frame among those of the plan.
  let index: Int
  let extent: Extent
  /// For each frame under way, a buffer for each plane, which begins where the plane's binding does.
  let planes: [[HostBuffer]]

  /// Room for the copies of a frame.
  init(
    _ index: Int, _ frame: Frame, _ extent: Extent, _ context: RenderContext
  ) throws(RasterError) {
    self.index = index
    self.extent = extent
    let limits = context.device.limits
    var all: [[HostBuffer]] = []
    for _ in 0..<Renderer.depth {
      var planes: [HostBuffer] = []
      for plane in frame.layout.planes.indices {
        // Another frame may begin farther behind the start of its binding.
        let end = BoundPlane(frame, plane, extent, limits).end
        planes.append(
          try translated { () throws(VulkanError) in
            try HostBuffer(
              allocating: end + limits.storageBufferOffsetAlignment + 64, on: context.device,
              nearDevice: true)
          })
      }
      all.append(planes)
    }
    planes = all
  }

  /// Adds the copying of a frame to a command buffer.
  func record(
    slot: Int, _ frame: Frame, _ limits: DeviceLimits, _ encoder: inout DispatchEncoder
  ) {
    for (plane, target) in planes[slot].enumerated() {
      let bound = BoundPlane(frame, plane, extent, limits)
      encoder.copy(
        BufferBinding(
          frame.planes[plane].buffer, offset: bound.start, size: min(bound.end, target.size)),
        to: target)
    }
  }
}

/// Where frames are brought near the device, beside the kernels. Thread-safety: one thread at a time.
struct CopyLine: ~Copyable {
  let queue: Queue
  private var slots: PerFrame<CommandSlot>

  init(on device: Device) throws(VulkanError) {
    let queue = try Queue(on: device, forCopies: true)
    slots = try InlineArray { _ throws(VulkanError) in
      try CommandSlot(on: device, forCopies: true)
    }
    self.queue = queue
  }

  /// Waits until what was copied for a slot is there.
  mutating func finish(slot: Int) throws(VulkanError) { _ = try slots[slot].finish() }

  /// Begins to copy the frames of a plan, once those before in the slot are done.
  mutating func submit(
    _ copies: [FrameCopy], _ sources: [Frame], slot: Int, after dependencies: [Submission],
    _ limits: DeviceLimits
  ) throws(VulkanError) -> Submission {
    _ = try slots[slot].finish()
    try slots[slot].begin()
    var encoder = slots[slot].encoder()
    for copy in copies { copy.record(slot: slot, sources[copy.index], limits, &encoder) }
    return try slots[slot].submit(to: queue, after: dependencies)
  }
}
