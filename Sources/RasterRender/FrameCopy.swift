internal import RasterGraph
internal import RasterVulkan

/// A copy of a frame in the device's own memory, made anew for each frame: kernels that read pixels several
/// times would fetch them over the bus each time.
struct FrameCopy {
  /// The frame among those of the plan.
  let index: Int
  let extent: Extent
  /// A buffer for each plane, which begins where the plane's binding does.
  let planes: [HostBuffer]

  /// Room for a copy of a frame.
  init(
    _ index: Int, _ frame: Frame, _ extent: Extent, _ context: RenderContext
  ) throws(RasterError) {
    self.index = index
    self.extent = extent
    let limits = context.device.limits
    var planes: [HostBuffer] = []
    for plane in frame.layout.planes.indices {
      // Another frame may begin farther behind the start of its binding.
      let size = BoundPlane(frame, plane, extent, limits).end + limits.storageBufferOffsetAlignment
      planes.append(
        try translated { () throws(VulkanError) in
          try HostBuffer(allocating: size + 64, on: context.device, nearDevice: true)
        })
    }
    self.planes = planes
  }

  /// Adds the copying of a frame to a command buffer.
  func record(_ frame: Frame, _ limits: DeviceLimits, _ encoder: inout DispatchEncoder) {
    for (plane, target) in planes.enumerated() {
      let bound = BoundPlane(frame, plane, extent, limits)
      encoder.copy(
        BufferBinding(
          frame.planes[plane].buffer, offset: bound.start, size: min(bound.end, target.size)),
        to: target)
    }
  }
}
