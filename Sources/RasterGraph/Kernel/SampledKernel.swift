/// A kernel that computes each pixel by functions of the position: what decides its text.
///
/// A group is a function from four positions to the color there. Its statements are evaluated in order,
/// each once, and may sample other groups, which come before it. The last group is the whole picture.
package struct SampledKernel: Hashable, Sendable {
  package var groups: [Group] = []
  /// What the kernel reads, in the order of `load` statements' numbers.
  package var inputs: [Input] = []
  /// Where the tables come from, in the order of the calls' numbers.
  package var tables: [Table] = []
  /// Set where the last group begins with a convolution of another one.
  package var convolution: Convolution?

  /// How layers are read and left out.
  package var reading = RowReading.branching

  package init() {}

  /// How a kernel of layers reads the rows of those at whole pixels.
  package enum RowReading: Hashable, Sendable {
    /// As workgroups find them: branches decide, also about which layers there are.
    case branching
    /// All of the region lies within the pictures, from multiples of four pixels on.
    case whole
    /// As `whole`, luma and chroma apart, each at its own size.
    case planes
    /// From any pixel, and within windows.
    case cut
    /// As `cut`, luma and chroma apart: all places are those of chroma.
    case cutPlanes

    /// Whether nothing beyond the pictures is read.
    package var isWhole: Bool { self == .whole || self == .planes }
    package var arePlanesApart: Bool { self == .planes || self == .cutPlanes }
  }

  /// Whether there are layers, for which work is saved where they are not.
  package var hasLayers: Bool {
    groups.contains { group in
      group.statements.contains { if case .layer = $0 { true } else { false } }
    }
  }

  /// Whether what workgroups cover decides how they compute it.
  package var isTiled: Bool { hasLayers || reading != .branching }

  /// Pixels across that a block has at least, so that few loads and stores are needed.
  func blockWidth(_ target: PixelLayout, loadsWholeRows: Bool) -> Int {
    guard isTiled else { return 4 }
    if reading.arePlanesApart { return 32 }
    if target.isSubsampled { return 16 }
    guard loadsWholeRows else { return 4 }
    return target.planes[0].rowBytes(width: 8) > 16 ? 8 : 16
  }

  /// Whether all loads of a block's row come before its pixels, which are few or need little.
  func loadsWholeRows(_ target: PixelLayout, _ inputs: [SampledPlan.Input]) -> Bool {
    switch reading {
    case .branching: return false
    case .whole where target.isSubsampled, .cut where target.isSubsampled: return false
    // Straight code for many layers takes long to compile, and pixels that share chroma may begin with a second one.
    case .cut where layerCount > 4 || inputs.contains { $0.layout.isSubsampled }: return false
    case .planes, .cutPlanes, .whole, .cut: break
    }
    let statements = groups.flatMap(\.statements)
    // What was loaded for one place is not there for another.
    var (loaded, sampled): (Set<Int>, Set<Int>) = ([], [])
    return inputs.allSatisfy { $0.canLoadBlocks(at: reading) }
      && statements.allSatisfy { statement in
        switch statement {
        case .load(let input): loaded.insert(input).inserted
        case .sample(let sampling, let group, _):
          sampling.map == .translation && sampling.edge == .transparent
            && groups[group].canReadRows && sampled.insert(group).inserted
        case .warp, .neighborhood, .convolved: false
        default: true
        }
      }
  }

  private var layerCount: Int {
    groups.last?.statements.count { if case .layer = $0 { true } else { false } } ?? 0
  }

  package var grouping: KernelTarget.Grouping {
    if hasLayers, reading == .branching { return .tiles }
    // Within a loop, lavapipe would read the weights for each lane.
    return convolution == nil ? .rows : .parts
  }

  /// One function from positions to colors.
  package struct Group: Hashable, Sendable {
    package var statements: [Statement] = []
    package init() {}
  }

  /// A picture that is read where it lies.
  package enum Input: Hashable, Sendable {
    /// A frame of the request.
    case frame(Int)
    /// A picture in memory, by its place in the plan's list.
    case still(Int)
    /// The result of an earlier pass.
    case intermediate(Int)
  }

  package enum Table: Hashable, Sendable {
    /// One of the plan's lookup tables.
    case values(Int)
    /// Numbers that an earlier pass wrote.
    case intermediate(Int)
  }

  /// One step of a group. `Int`s without a name are statements of the same group, by their place in it;
  /// the numbers of a statement are the next unread ones of the kernel.
  package enum Statement: Hashable, Sendable {
    /// The stored samples of an input at the position.
    case load(input: Int)
    /// The result of the kernel's convolution.
    case convolved
    /// An affine map of the channels. Offsets are multiplied by alpha where the color is premultiplied.
    case matrix(Int, isPremultiplied: Bool, MatrixShape)
    case color(ShaderCall, Int)
    /// A function of the first channel.
    case luma(ShaderCall, Int)
    /// Cuts the colors to 0…1.
    case codeLimits(Int)
    /// Multiplies alpha by a number.
    case opacity(Int)
    case premultiply(Int)
    case unpremultiply(Int)
    case generate(ShaderCall)
    case combine(ShaderCall, Int, Int)
    /// One color: three channels and alpha.
    case solid
    /// One by the side of a square, then two colors. Coarse squares have eight pixels to a side, or a multiple of that.
    case checkered(isCoarse: Bool)
    /// Premultiplied source over premultiplied backdrop; the opacity, then bounds, if there are any: first column
    /// and row, first column and row behind; then those in which it hides what is below.
    case blend(BlendCall, backdrop: Int, source: Int, mask: Int?)
    /// What lies below layers: another group, computed where it is not hidden altogether.
    case base(group: Int)
    /// A blend whose source and mask are groups, computed where the bounds say so; where the kernel works on code
    /// values and the mode needs R'G'B', then two matrices: to R'G'B' and back.
    case layer(BlendCall, backdrop: Int, group: Int, mask: Int?)
    case sample(Sampling, group: Int, hasAlpha: Bool)
    case warp(ShaderCall, Sampling, group: Int, hasAlpha: Bool)
    case neighborhood(ShaderCall, group: Int)
    /// Looks up the lightness in the curves of tiles.
    case equalize(Int, table: Int)
  }

  /// Which coefficients a map of the channels has; the others are those of the map that changes nothing.
  package enum MatrixShape: Hashable, Sendable {
    /// Three rows of three factors and an offset.
    case full
    /// A factor and an offset for each channel.
    case separate
    /// An offset for each channel.
    case shift

    package var valueCount: Int {
      switch self {
      case .full: 12
      case .separate: 6
      case .shift: 3
      }
    }
  }

  /// How a source is blended: all but the numbers.
  package struct BlendCall: Hashable, Sendable {
    package var mode: BlendMode
    package var mask: Blending.Mask?
    package var `operator`: CompositeOperator
    package var hasBounds: Bool
    package var hasOpaqueBounds: Bool
    /// Whether the colors that are blended are code values, which the mode has to have as R'G'B'.
    package var convertsColors = false
    /// Whether the colors of the source are not multiplied by its alpha.
    package var isStraight = false
    /// Whether the backdrop is opaque everywhere.
    package var hasOpaqueBackdrop = false

    package var valueCount: Int {
      1 + (hasBounds ? 4 : 0) + (hasOpaqueBounds ? 4 : 0) + (convertsColors ? 24 : 0)
    }
  }

  /// How a group is sampled. Numbers: the map's (two, six or nine; none for a function), the
  /// window's first and last column and row, then, where there is a footprint, that of a pixel across and
  /// down and the taps across and down.
  package struct Sampling: Hashable, Sendable {
    package enum Map: Hashable, Sendable {
      /// By whole pixels across and down.
      case translation
      case affine
      case perspective
      case function
    }

    package var map: Map
    package var interpolation: Interpolation
    package var edge: EdgeMode
    /// Whether the kernel is widened, because the picture shrinks.
    package var hasFootprint: Bool
    /// Whether more than one pixel is read for a position.
    package var readsMany: Bool { interpolation != .nearest }

    package var valueCount: Int {
      let map =
        switch map {
        case .translation: 2
        case .affine: 6
        case .perspective: 9
        case .function: 0
        }
      return map + 4 + (hasFootprint ? 4 : 0)
    }
  }

  /// A convolution along an axis, computed for runs of pixels at a time.
  ///
  /// Run `n` reads from pixel `n × advance + first` on. Numbers: the last pixel that may be read, then the
  /// weights. All else is part of the text, so that weights are read at fixed places, which lavapipe does
  /// once for all lanes.
  package struct Convolution: Hashable, Sendable {
    package enum Axis: Hashable, Sendable {
      case horizontal
      case vertical
    }

    /// Where a pixel of the run finds its taps, counted from the run's first, and its weights.
    package struct Pixel: Hashable, Sendable {
      package var firstTap: Int
      package var count: Int
      package var firstWeight: Int
    }

    package var axis: Axis
    package var first: Int
    package var advance: Int
    /// The pixels of a run, unless it is a box.
    package var pixels: [Pixel]
    /// Whether the one weight is that of all taps, whose count is a number too: then sums slide.
    package var isBox: Bool
    /// The group that is read.
    package var group: Int
    package var hasAlpha: Bool

    /// Pixels of the result that are computed together.
    package static let run = 8
  }
}

extension SampledKernel.Statement {
  /// Numbers that the statement takes.
  package var valueCount: Int {
    switch self {
    case .load, .convolved, .codeLimits, .premultiply, .unpremultiply, .base: 0
    case .matrix(_, _, let shape): shape.valueCount
    case .opacity: 1
    case .solid: 4
    case .checkered: 9
    case .blend(let call, _, _, _), .layer(let call, _, _, _): call.valueCount
    case .color(let call, _), .luma(let call, _), .generate(let call), .combine(let call, _, _):
      call.argumentCount
    case .sample(let sampling, _, _): sampling.valueCount
    case .warp(let call, let sampling, _, _): call.argumentCount + sampling.valueCount
    // The size of the input.
    case .neighborhood(let call, _): call.argumentCount + 2
    case .equalize: 5
    }
  }
}

extension SampledKernel.Group {
  /// Whether each pixel depends on one pixel of inputs at the same place.
  package var canReadRows: Bool {
    statements.allSatisfy { statement in
      switch statement {
      case .load, .matrix, .color, .luma, .codeLimits, .opacity, .premultiply, .unpremultiply: true
      default: false
      }
    }
  }
}
