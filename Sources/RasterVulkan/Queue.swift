internal import CVulkan
internal import Glibc
internal import Synchronization

/// A queue of the driver. Vulkan wants its use serialized, and several ``Queue``s may share one.
final class QueuePort: @unchecked Sendable {
  // @unchecked: the handle is set once, and used under the lock alone.
  let handle: VkQueue
  let lock = Mutex(())

  init(_ handle: VkQueue) { self.handle = handle }
}

/// A line of work on a device: what is submitted here runs in this order, and beside that of other lines.
///
/// A timeline counts the submissions that are done, so that anyone can wait for one, on the CPU or on the
/// device. Thread-safety: usable from any thread.
package final class Queue: @unchecked Sendable {
  // @unchecked: handles are set once; the rest is atomic or under `submitted`.
  package let device: Device
  private let port: QueuePort
  private let timeline: VkSemaphore
  /// The number of the last submission.
  private let submitted = Mutex<UInt64>(0)
  /// The last submission that is known to be done.
  private let done = Atomic<UInt64>(0)
  /// Nanoseconds that the last wait took.
  private let lastWait = Atomic<UInt64>(0)

  /// How long a submission may take before the device counts as lost, in nanoseconds.
  private static let timeout: UInt64 = 30_000_000_000
  /// Submissions of other lines that one waits for.
  static let maxDependencies = 8

  /// - Parameter copies: whether only copies are submitted, which may then run beside kernels.
  package init(on device: Device, forCopies copies: Bool = false) throws(VulkanError) {
    self.device = device
    port = device.nextPort(forCopies: copies)
    timeline = try vkMake("vkCreateSemaphore") { handle in
      var type = VkSemaphoreTypeCreateInfo()
      type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO
      type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE
      return withUnsafePointer(to: &type) { type in
        var info = VkSemaphoreCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO
        info.pNext = UnsafeRawPointer(type)
        return vkCreateSemaphore(device.handle, &info, nil, &handle)
      }
    }
  }

  deinit { vkDestroySemaphore(device.handle, timeline, nil) }

  /// Hands over a recorded command buffer, and returns at once.
  ///
  /// - Parameter dependencies: what has to be done before, on other lines of this device.
  func submit(
    _ commands: VkCommandBuffer, after dependencies: Dependencies
  ) throws(VulkanError) -> Submission {
    let (result, value) = submitted.withLock { last in
      let value = last + 1
      let result = port.lock.withLock { _ in submit(commands, value, dependencies) }
      if result == VK_SUCCESS { last = value }
      return (result, value)
    }
    guard result == VK_SUCCESS else {
      let error = VulkanError(call: "vkQueueSubmit", result: result)
      device.note(error)
      throw error
    }
    return Submission(queue: self, value: value)
  }

  private func submit(
    _ commands: VkCommandBuffer, _ value: UInt64, _ dependencies: Dependencies
  ) -> VkResult {
    var commands: VkCommandBuffer? = commands
    var signaled: VkSemaphore? = timeline
    var value = value
    return withUnsafePointers(&commands, &signaled, &value) { commands, signaled, value in
      dependencies.withUnsafe { semaphores, values, stages, count in
        var numbers = VkTimelineSemaphoreSubmitInfo()
        numbers.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO
        numbers.waitSemaphoreValueCount = count
        numbers.pWaitSemaphoreValues = values
        numbers.signalSemaphoreValueCount = 1
        numbers.pSignalSemaphoreValues = value
        return withUnsafePointer(to: &numbers) { numbers in
          var info = VkSubmitInfo()
          info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO
          info.pNext = UnsafeRawPointer(numbers)
          info.waitSemaphoreCount = count
          info.pWaitSemaphores = semaphores
          info.pWaitDstStageMask = stages
          info.commandBufferCount = 1
          info.pCommandBuffers = commands
          info.signalSemaphoreCount = 1
          info.pSignalSemaphores = signaled
          return vkQueueSubmit(port.handle, 1, &info, nil)
        }
      }
    }
  }

  /// Whether all that was submitted is done. Waits for it, unless the device was given up.
  package var isIdle: Bool {
    let last = submitted.withLock { $0 }
    return (try? wait(for: last)) != nil || isDone(last)
  }

  /// Whether a submission is done.
  func isDone(_ value: UInt64) -> Bool {
    if done.load(ordering: .acquiring) >= value { return true }
    var counter: UInt64 = 0
    guard vkGetSemaphoreCounterValue(device.handle, timeline, &counter) == VK_SUCCESS else {
      return false
    }
    // What a lost device says of its work is not to be relied on later.
    if !device.isLost { note(counter) }
    return counter >= value
  }

  /// Waits until a submission is done.
  ///
  /// - Throws: where the device is lost, or does not finish within 30 seconds.
  func wait(for value: UInt64) throws(VulkanError) {
    if done.load(ordering: .acquiring) >= value { return }
    let isDone = try device.deviceClass == .cpu ? sleep(until: value) : poll(until: value)
    guard isDone else {
      let error = VulkanError(
        .deviceLost, "The device \(device.name) did not finish a frame within 30 seconds.",
        remedy: "Use smaller frames or fewer filters, or choose another device.")
      device.note(error)
      throw error
    }
    note(value)
  }

  /// How long a wait may take, in nanoseconds: nobody waits for a device that has already been given up.
  private var patience: UInt64 { device.isLost ? 0 : Queue.timeout }

  /// Waits in the driver.
  ///
  /// - Returns: whether the submission is done.
  private func sleep(until value: UInt64) throws(VulkanError) -> Bool {
    try wait(until: value, nanoseconds: patience)
  }

  /// Looks again and again, with short pauses: drivers of GPUs may wake a thread up to 10 ms late (seen with
  /// NVIDIA's 580), and a frame takes less than one.
  ///
  /// - Returns: whether the submission is done.
  private func poll(until value: UInt64) throws(VulkanError) -> Bool {
    // Frames are much alike: a quarter of the last wait is a good first guess.
    let first = min(max(lastWait.load(ordering: .relaxed) / 4, 20_000), 1_000_000)
    var (pause, waited): (UInt64, UInt64) = (first, 0)
    let patience = patience
    while waited <= patience {
      if try wait(until: value, nanoseconds: 0) {
        lastWait.store(waited, ordering: .relaxed)
        return true
      }
      var time = timespec(tv_sec: 0, tv_nsec: Int(pause))
      nanosleep(&time, nil)
      waited += pause
      // The longer it takes, the less a late look matters.
      if waited > 20 * pause { pause = min(2 * pause, 1_000_000) }
    }
    return false
  }

  private func wait(until value: UInt64, nanoseconds: UInt64) throws(VulkanError) -> Bool {
    var semaphore: VkSemaphore? = timeline
    var value = value
    let result = withUnsafePointers(&semaphore, &value) { semaphore, value in
      var info = VkSemaphoreWaitInfo()
      info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO
      info.semaphoreCount = 1
      info.pSemaphores = semaphore
      info.pValues = value
      return vkWaitSemaphores(device.handle, &info, nanoseconds)
    }
    if result == VK_SUCCESS || result == VK_TIMEOUT { return result == VK_SUCCESS }
    let error = VulkanError(call: "vkWaitSemaphores", result: result)
    device.note(error)
    throw error
  }

  private func note(_ value: UInt64) {
    done.max(value, ordering: .acquiringAndReleasing)
  }

  /// What a submission waits for on the device. Without storage on the heap.
  struct Dependencies {
    private var count = 0
    private var semaphores = InlineArray<8, VkSemaphore?>(repeating: nil)
    private var values = InlineArray<8, UInt64>(repeating: 0)

    /// Adds a submission of another line of the same device, unless it is done.
    ///
    /// - Returns: false where there is no more room, so that the caller has to wait itself.
    mutating func add(_ submission: Submission) -> Bool {
      if submission.isDone { return true }
      guard count < Queue.maxDependencies else { return false }
      semaphores[count] = submission.queue.timeline
      values[count] = submission.value
      count += 1
      return true
    }

    fileprivate func withUnsafe<Value>(
      _ body: (
        UnsafePointer<VkSemaphore?>?, UnsafePointer<UInt64>?, UnsafePointer<VkPipelineStageFlags>?,
        UInt32
      ) -> Value
    ) -> Value {
      let stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT.rawValue
      let stages = InlineArray<8, VkPipelineStageFlags>(repeating: stage)
      return semaphores.span.withUnsafeBufferPointer { semaphores in
        values.span.withUnsafeBufferPointer { values in
          stages.span.withUnsafeBufferPointer { stages in
            body(semaphores.baseAddress, values.baseAddress, stages.baseAddress, UInt32(count))
          }
        }
      }
    }
  }
}

/// Work that was handed to a device. Keeps its line and the device open. Thread-safety: usable from any thread.
package struct Submission: Sendable {
  package let queue: Queue
  /// Its number in the line, from 1.
  let value: UInt64

  /// Whether both are the same work.
  package func isSame(as other: Submission) -> Bool {
    queue === other.queue && value == other.value
  }

  /// Whether the device has done it.
  package var isDone: Bool { queue.isDone(value) }

  /// Waits until the device has done it.
  ///
  /// - Throws: where the device is lost, or does not finish within 30 seconds.
  package func wait() throws(VulkanError) { try queue.wait(for: value) }
}

func withUnsafePointers<First, Second, Value>(
  _ first: inout First, _ second: inout Second,
  _ body: (UnsafePointer<First>, UnsafePointer<Second>) -> Value
) -> Value {
  withUnsafePointer(to: &first) { first in
    withUnsafePointer(to: &second) { second in body(first, second) }
  }
}

func withUnsafePointers<First, Second, Third, Value>(
  _ first: inout First, _ second: inout Second, _ third: inout Third,
  _ body: (UnsafePointer<First>, UnsafePointer<Second>, UnsafePointer<Third>) -> Value
) -> Value {
  withUnsafePointers(&first, &second) { first, second in
    withUnsafePointer(to: &third) { third in body(first, second, third) }
  }
}
