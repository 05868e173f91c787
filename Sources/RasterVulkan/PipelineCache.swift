internal import CVulkan

/// What makes a driver's pipelines useless to another driver or device.
package struct DriverIdentity: Hashable, Sendable, CustomStringConvertible {
  let vendorID: UInt32
  let deviceID: UInt32
  let driverVersion: UInt32
  /// 16 bytes that change with all that the driver's pipelines depend on.
  let cacheUUID: [UInt8]

  init(_ properties: VkPhysicalDeviceProperties) {
    vendorID = properties.vendorID
    deviceID = properties.deviceID
    driverVersion = properties.driverVersion
    cacheUUID = withUnsafeBytes(of: properties.pipelineCacheUUID) { Array($0) }
  }

  /// All of it in one line.
  package var description: String {
    ([vendorID, deviceID, driverVersion] + cacheUUID.map { UInt32($0) })
      .map { String($0, radix: 16) }.joined(separator: ".")
  }

  /// Whether `data` begins with the header that Vulkan prescribes, and is for this driver.
  ///
  /// Drivers should check that themselves; not all do.
  package func accepts(_ data: [UInt8]) -> Bool {
    let size = 16 + cacheUUID.count
    guard data.count >= size else { return false }
    let words = data.withUnsafeBytes { bytes in
      (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
    // The header is written in little endian on every machine.
    let expected = [
      UInt32(size), VK_PIPELINE_CACHE_HEADER_VERSION_ONE.rawValue, vendorID, deviceID,
    ]
    return words.map { UInt32(littleEndian: $0) } == expected
      && data[16..<size].elementsEqual(cacheUUID)
  }
}

/// The memory of a driver for the pipelines that it has made.
///
/// Never fails: without it, pipelines are only made more slowly. Thread-safety: usable from any
/// thread.
package final class PipelineCache: @unchecked Sendable {
  // @unchecked: the handle is set once; Vulkan locks what it names.
  package let device: Device
  /// Nil where the driver could not make one.
  let handle: VkPipelineCache?

  /// - Parameter data: what ``data(limit:)`` returned in this or an earlier process. Ignored where it
  ///   is empty or another driver's.
  package init(on device: Device, startingWith data: [UInt8]) {
    self.device = device
    let known = device.driver.accepts(data) ? data : []
    handle = PipelineCache.make(known, on: device) ?? PipelineCache.make([], on: device)
  }

  deinit { vkDestroyPipelineCache(device.handle, handle, nil) }

  /// What the next process can start with; nil where the driver has none, or more than `limit`
  /// bytes. Costs milliseconds.
  package func data(limit: Int) -> [UInt8]? {
    guard let handle else { return nil }
    var size = 0
    guard vkGetPipelineCacheData(device.handle, handle, &size, nil) == VK_SUCCESS, size > 0,
      size <= limit
    else { return nil }
    var result = VK_SUCCESS
    let data = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      result = vkGetPipelineCacheData(device.handle, handle, &size, buffer.baseAddress)
      count = result == VK_SUCCESS ? min(size, buffer.count) : 0
    }
    return device.driver.accepts(data) ? data : nil
  }

  private static func make(_ data: [UInt8], on device: Device) -> VkPipelineCache? {
    try? vkMake("vkCreatePipelineCache") { handle in
      data.withUnsafeBytes { data in
        var info = VkPipelineCacheCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO
        info.initialDataSize = data.count
        info.pInitialData = data.isEmpty ? nil : data.baseAddress
        return vkCreatePipelineCache(device.handle, &info, nil, &handle)
      }
    }
  }
}
