/// What has to be known of a whole graph before it is planned.
///
/// Walked with a stack of its own: lists of filters are as long as users like, and the stacks of threads
/// that carry frames are small.
struct GraphSurvey {
  /// Images that end a kernel, since so much lies below them; each after all that it is made of.
  private(set) var cuts: [Image] = []

  private let limit: BindingLimit
  private var facts: [ObjectIdentifier: Facts] = [:]
  private var cutIdentities: Set<ObjectIdentifier> = []

  private struct Facts {
    /// Images from here to the farthest one that is read from memory.
    var depth: Int
    /// What a kernel binds that computes the image once for a pixel.
    var plain: Bindings
    /// What a kernel binds that computes it several times for a pixel, and reads what is costly from memory.
    var tapped: Bindings
  }

  /// Images on top of each other that one kernel computes, so that none takes seconds to compile.
  static let depthLimit = 40

  init() { limit = BindingLimit() }

  init(_ root: Image, _ limit: BindingLimit) {
    self.limit = limit
    var order: [Image] = []
    var open = [root]
    while let image = open.last {
      let count = open.count
      if facts[image.identity] == nil {
        for input in image.inputs.reversed() where facts[input.identity] == nil {
          open.append(input)
        }
      }
      guard open.count == count else { continue }
      open.removeLast()
      if facts[image.identity] == nil {
        note(image)
        order.append(image)
      }
    }
    if !cutIdentities.isEmpty { cuts = order.filter { cutIdentities.contains($0.identity) } }
  }

  /// Whether an image ends a kernel.
  func isCut(_ image: Image) -> Bool { cutIdentities.contains(image.identity) }

  /// Notes the facts of an image whose inputs are known, after cutting off inputs until a kernel can have the
  /// rest.
  private mutating func note(_ image: Image) {
    for input in image.inputs where (facts[input.identity]?.depth ?? 0) >= Self.depthLimit - 2 {
      cut(input)
    }
    var own = joined(image)
    while max(own.plain.count, own.tapped.count) > limit.inputs {
      let heaviest = image.inputs.filter { !isCut($0) && !$0.inputs.isEmpty }.max {
        (facts[$0.identity]?.plain.count ?? 0) < (facts[$1.identity]?.plain.count ?? 0)
      }
      guard let heaviest else { break }
      cut(heaviest)
      own = joined(image)
    }
    facts[image.identity] = own
  }

  /// Makes an image one that others read from memory.
  private mutating func cut(_ image: Image) {
    guard cutIdentities.insert(image.identity).inserted else { return }
    let own = Bindings(image.identity, 1)
    facts[image.identity] = Facts(depth: 0, plain: own, tapped: own)
  }

  private func joined(_ image: Image) -> Facts {
    let below = image.inputs.compactMap { facts[$0.identity] }
    let depth = image.inputs.isEmpty ? 0 : 1 + (below.map(\.depth).max() ?? 0)
    let own = Bindings(image.identity, limit.own(image.operation))
    let plain = Bindings(below.map(\.plain)).joined(own)
    guard image.operation.readsMany else {
      return Facts(depth: depth, plain: plain, tapped: Bindings(below.map(\.tapped)).joined(own))
    }
    let alone = Bindings(image.identity, 1)
    switch image.operation {
    case .blurred:
      // Always passes of its own, the first of which reads what is below.
      return Facts(depth: depth, plain: alone, tapped: alone)
    case .equalized: return Facts(depth: depth, plain: plain, tapped: alone)
    default:
      // Twice as deep a walk: a group of its own, and a pass where it is read several times.
      return Facts(
        depth: depth + 1, plain: Bindings(below.map(\.tapped)).joined(own), tapped: alone)
    }
  }
}

/// How many storage buffers a kernel may bind, and how many of them frames take.
package struct BindingLimit: Hashable, Sendable {
  /// Buffers of what a kernel reads: pictures' planes and tables.
  let inputs: Int
  private let frames: [Int]

  /// - Parameters:
  ///   - storageBuffers: what the device allows for a kernel.
  ///   - frames: planes of each frame that is read.
  ///   - destination: planes of the frame that is written.
  init(storageBuffers: Int = 16, frames: [Int] = [], destination: Int = 4) {
    // Kernels of very many pictures take long to compile.
    inputs = max(4, min(storageBuffers, 128) - destination)
    self.frames = frames
  }

  /// Buffers that an image takes besides those of its inputs.
  func own(_ operation: ImageOperation) -> Int {
    func tables(_ functions: [ShaderFunction]) -> Int { functions.count { $0.table != nil } }
    switch operation {
    case .frame(let index): return frames.indices.contains(index) ? frames[index] : 1
    case .still, .equalized: return 1
    case .solid, .checkered, .resampled, .blended, .blurred: return 0
    case .generated(let function), .warped(let function, _, _), .neighborhood(let function),
      .combined(let function):
      return tables([function])
    case .pointwise(let steps):
      return tables(
        steps.compactMap { step in
          switch step {
          case .color(let function), .luma(let function, _): function
          case .matrix, .codeLimits, .opacity: nil
          }
        })
    }
  }
}

/// Buffers that a kernel reads, by the images that need them.
private struct Bindings {
  private var own: [ObjectIdentifier: Int]
  private(set) var count: Int

  init(_ image: ObjectIdentifier, _ count: Int) {
    own = count > 0 ? [image: count] : [:]
    self.count = count
  }

  /// All of several; what they share counts once.
  init(_ parts: [Bindings]) {
    let largest = parts.max { $0.own.count < $1.own.count }
    self = largest ?? Bindings(count: 0)
    for part in parts { self = joined(part) }
  }

  private init(count: Int) {
    own = [:]
    self.count = count
  }

  func joined(_ other: Bindings) -> Bindings {
    guard !other.own.isEmpty else { return self }
    var result = self
    for (image, count) in other.own where result.own[image] == nil {
      result.own[image] = count
      result.count += count
    }
    return result
  }
}

extension ImageOperation {
  /// Whether the image reads several pixels of its input for one of its own, and so is better computed once
  /// where it is itself read several times.
  var readsMany: Bool {
    switch self {
    case .equalized, .blurred, .neighborhood: true
    case .resampled(let resampling):
      resampling.interpolation != .nearest
    case .warped(_, let interpolation, _): interpolation != .nearest
    default: false
    }
  }
}
