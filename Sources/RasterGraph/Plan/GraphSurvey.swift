/// What has to be known of a whole graph before it is planned.
///
/// Walked with a stack of its own: lists of filters are as long as users like, and the stacks of threads
/// that carry frames are small.
struct GraphSurvey {
  /// Images that end a kernel, since so many lie on top of each other; each after all that it is made of.
  private(set) var cuts: [Image] = []

  private var facts: [ObjectIdentifier: Facts] = [:]
  private var cutIdentities: Set<ObjectIdentifier> = []

  private struct Facts {
    /// Images from here to the farthest one that has no input.
    var depth: Int
    /// The pictures that the image is made of, up to one more than a kernel may read.
    var leaves: [ObjectIdentifier]
  }

  /// Images on top of each other that one kernel computes, so that none takes seconds to compile.
  static let depthLimit = 40
  /// Pictures that one kernel reads: their planes have to fit the bindings.
  static let inputLimit = 5

  init() {}

  init(_ root: Image) {
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

  /// The number of pictures that an image is made of, up to one more than a kernel may read.
  func leafCount(of image: Image) -> Int { facts[image.identity]?.leaves.count ?? 0 }

  /// Notes the facts of an image whose inputs are known. Marks inputs that are read across a multiple of
  /// the limit: all of them, for one way around would lead back to the frames.
  private mutating func note(_ image: Image) {
    let below = image.inputs.compactMap { facts[$0.identity] }
    let depth = 1 + (below.map(\.depth).max() ?? 0)
    for (input, own) in zip(image.inputs, below)
    where own.depth / Self.depthLimit < depth / Self.depthLimit && !input.inputs.isEmpty {
      cutIdentities.insert(input.identity)
    }
    var leaves = below.first?.leaves ?? [image.identity]
    for leaf in below.dropFirst().flatMap(\.leaves)
    where leaves.count <= Self.inputLimit && !leaves.contains(leaf) {
      leaves.append(leaf)
    }
    facts[image.identity] = Facts(depth: depth, leaves: leaves)
  }
}
