import RasterRender
import RasterVulkan

/// Milliseconds for copies of `size` bytes to the device and back at the same time, over and over, on queues that do
/// nothing else: what no element that moves frames both ways can beat.
func copyLimit(size: Int, rounds: Int = 200) throws -> Double {
  let device = try RenderContext.context(for: DeviceSelection("")).device
  var there = try CopyLoop(device, size, toDevice: true)
  var back = try CopyLoop(device, size, toDevice: false)
  for _ in 0..<10 {
    try there.next()
    try back.next()
  }
  let start = ContinuousClock.now
  for _ in 0..<rounds {
    try there.next()
    try back.next()
  }
  try there.finish()
  try back.finish()
  let time = (ContinuousClock.now - start).components
  return (Double(time.seconds) * 1000 + Double(time.attoseconds) * 1e-15) / Double(rounds)
}

/// Copies in one direction, three at a time.
private struct CopyLoop: ~Copyable {
  private let queue: Queue
  private let source: HostBuffer
  private let target: HostBuffer
  private var slots: InlineArray<3, CommandSlot>
  private var index = 0

  init(_ device: Device, _ size: Int, toDevice: Bool) throws {
    let queue = try Queue(on: device, forCopies: true)
    let source = try HostBuffer(allocating: size, on: device, nearDevice: !toDevice)
    let target = try HostBuffer(allocating: size, on: device, nearDevice: toDevice)
    slots = try InlineArray { _ in try CommandSlot(on: device, forCopies: true) }
    self.queue = queue
    self.source = source
    self.target = target
  }

  mutating func next() throws {
    _ = try slots[index].finish()
    try slots[index].begin()
    var encoder = slots[index].encoder()
    encoder.copy(BufferBinding(source, offset: 0, size: source.size), to: target)
    _ = try slots[index].submit(to: queue)
    index = (index + 1) % 3
  }

  mutating func finish() throws {
    for index in slots.indices { _ = try slots[index].finish() }
  }
}
