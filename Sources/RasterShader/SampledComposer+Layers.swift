internal import RasterGraph

// Compositions: the tile of a workgroup decides what is computed, in branches that all its invocations take alike.

extension SampledComposer {
  /// Says which pixels the workgroup covers.
  mutating func emitTile() {
    let target = plan.target
    text.emit(
      "ivec2 origin = ivec2(gl_WorkGroupID.xy) * "
        + "ivec2(\(target.workgroupWidth), \(target.workgroupHeight));")
    text.emit(
      "tileEnd = (min(origin.x + \(target.workgroupWidth - 1), p.lastColumn) + 1) "
        + "* \(target.blockWidth) - 1;")
    text.emit(
      "tile = ivec4(origin * ivec2(\(target.blockWidth), \(target.blockHeight)), "
        + "min(tileEnd, p.lastPixel), min((origin.y + \(target.workgroupHeight)) "
        + "* \(target.blockHeight) - 1, p.lastRow));")
  }

  /// Computes the block `q_<row>_<quad>` in a loop: straight code for all of it takes LLVM very long to compile.
  mutating func emitTiledBlock() {
    let (target, root) = (plan.target, plan.kernel.groups.count - 1)
    let quads = target.blockWidth / 4
    forEachQuad { composer, row, quad in composer.text.emit("Pixels q_\(row)_\(quad);") }
    text.emit("for (int k = 0; k < \(quads * target.blockHeight); k++) {")
    text.emit(
      "ivec4 x = min(ivec4(bx * \(target.blockWidth) + k % \(quads) * 4) + ivec4(0, 1, 2, 3), "
        + "p.lastPixel);")
    text.emit("ivec4 y = ivec4(min(by * \(target.blockHeight) + k / \(quads), p.lastRow));")
    text.emit("Pixels q = G\(root)(x, y);")
    forEachQuad { composer, row, quad in
      composer.text.emit("if (k == \(row * quads + quad)) q_\(row)_\(quad) = q;")
    }
    text.emit("}")
  }

  /// Computes the channels of the block, luma and chroma each at its own size.
  mutating func emitPlanes() {
    let target = plan.target
    for isChroma in [false, true] {
      let shift = isChroma ? 1 : 0
      text.emit("chroma = \(isChroma);")
      for row in 0..<target.blockHeight >> shift {
        let x = "bx * \(target.blockWidth >> shift)"
        let y = "min(by * \(target.blockHeight >> shift) + \(row), p.lastRow >> \(shift))"
        emitRowLoads(x, y, " >> \(shift)")
        for quad in 0..<target.blockWidth >> shift / 4 {
          let place = "\(row)_\(quad)"
          text.emit("quad = \(quad);")
          text.emit(
            "Pixels h\(shift)_\(place) = \(root)(ivec4(\(x) + \(quad * 4)) + ivec4(0, 1, 2, 3), "
              + "ivec4(\(y)));")
          if isChroma {
            text.emit("vec4 c1_\(place) = h1_\(place).g, c2_\(place) = h1_\(place).b;")
          } else {
            text.emit("vec4 c0_\(place) = h0_\(place).r;")
          }
        }
      }
    }
  }

  /// Computes the block `q_<row>_<quad>`, with all loads of a row before its pixels.
  mutating func emitRowsOfBlock() {
    let target = plan.target
    for row in 0..<target.blockHeight {
      let x = "bx * \(target.blockWidth)"
      let y = "min(by * \(target.blockHeight) + \(row), p.lastRow)"
      if hasSmallBlocks { text.emit("blockColumn = \(x);") }
      emitRowLoads(x, y, "")
      for quad in 0..<target.blockWidth / 4 {
        text.emit("quad = \(quad);")
        text.emit(
          "Pixels q_\(row)_\(quad) = \(root)(ivec4(\(x) + \(quad * 4)) + ivec4(0, 1, 2, 3), "
            + "ivec4(\(y)));")
      }
    }
  }

  private mutating func emitRowLoads(_ x: String, _ y: String, _ scale: String) {
    for load in rowLoads {
      var row = "\(y) + (\(load.down)\(scale))"
      if let window = load.window, !plan.kernel.reading.isWhole {
        row = "clamp(\(row), \(window.top)\(scale), \(window.bottom)\(scale))"
      }
      text.emit("F\(load.input)(\(x) + (\(load.right)\(scale)), \(row));")
    }
  }

  private var root: String { "G\(plan.kernel.groups.count - 1)" }

  /// Declares `first`: the layer of a chain that hides all below it in the tile, by its place from 1; 0 for none.
  func firstSeen(_ group: SampledKernel.Group) -> [String] {
    var lines: [String] = []
    var number = nextNumber
    for (place, statement) in group.statements.enumerated() {
      if case .layer(let call, _, _, _) = statement, call.hasOpaqueBounds {
        let first = number + 1 + (call.hasBounds ? 4 : 0)
        let v = (first..<first + 4).map { numbers.value($0) }
        lines.append(
          "if (\(v[0]) <= float(tile.x) && \(v[1]) <= float(tile.y) && \(v[2]) > float(tile.z) "
            + "&& \(v[3]) > float(tile.w)) first = \(place);")
      }
      number += statement.valueCount
    }
    return ["int first = 0;"] + lines
  }

  /// A layer on its backdrop, where its bounds meet the tile and nothing above hides it.
  mutating func layer(
    _ place: Int, _ name: String, _ call: SampledKernel.BlendCall, _ backdrop: String,
    _ group: Int, _ mask: Int?
  ) throws(RasterError) -> [String] {
    let n = "n\(place)"
    let v = call.hasBounds ? (nextNumber + 1..<nextNumber + 5).map { numbers.value($0) } : []
    let meets =
      v.isEmpty
      ? ""
      : " && \(v[0]) <= float(tile.z) && \(v[1]) <= float(tile.w) && \(v[2]) > float(tile.x) "
        + "&& \(v[3]) > float(tile.y)"
    var lines = ["Pixels \(n)s = G\(group)(x, y);"]
    if let mask { lines.append("Pixels \(n)q = G\(mask)(x, y);") }
    lines += try blend("\(n)o", name, call, backdrop, "\(n)s", mask.map { _ in "\(n)q" })
    guard !isRegion else { return lines + ["Pixels \(n) = \(n)o;"] }
    return ["Pixels \(n) = \(backdrop);", "if (first <= \(place)\(meets)) {"] + lines
      + ["\(n) = \(n)o;", "}"]
  }

  // MARK: - Reading rows

  /// Whether a group has a second function that reads four neighbors of a row at once.
  func isReadInRows(_ group: Int) -> Bool {
    let kernel = plan.kernel
    guard kernel.groups[group].canReadRows else { return false }
    return ownPlaces.contains { own in
      kernel.groups[own].statements.contains { statement in
        guard case .sample(let sampling, let source, _) = statement else { return false }
        return sampling.map == .translation && sampling.edge == .transparent && source == group
      }
    }
  }

  /// Writes `Pixels R<n>(ivec4 x, ivec4 y, …)`: a group at four neighbors of a row. What is not inside its pictures
  /// may have any value.
  mutating func emitRows(
    _ index: Int, _ group: SampledKernel.Group
  ) throws(RasterError) {
    // The group's own function reads the same numbers.
    let first = nextNumber
    readsRows = true
    var body: [String] = []
    for (place, statement) in group.statements.enumerated() {
      body += try lines(statement, place, "r\(index)_\(place)")
    }
    readsRows = false
    nextNumber = first
    text.add("Pixels R\(index)(ivec4 x, ivec4 y, int moved, bool isInside) {")
    for line in body { text.emit(line) }
    text.emit("return n\(group.statements.count - 1);")
    text.add("}")
  }

  /// The samples of an input.
  mutating func load(_ n: String, _ input: Int, _ name: String) -> [String] {
    if readsRows { return ["Pixels \(n) = C\(input)(x.x, y.x, moved, isInside);"] }
    guard let own = Int(name.prefix { $0 != "_" }), ownPlaces.contains(own) else {
      return ["Pixels \(n) = L\(input)(x, y);"]
    }
    rowLoads.append(RowLoad(input: input, right: "0", down: "0"))
    let isInside = isRegion ? "\(plan.kernel.reading.isWhole)" : "tileEnd <= p.lastPixel"
    return ["Pixels \(n) = C\(input)(x.x, y.x, 0, \(isInside));"]
  }

  /// What makes places of pixels those of what is computed.
  private var chromaShift: String { plan.kernel.reading.arePlanesApart ? " >> int(chroma)" : "" }

  /// Notes what the rows of a group are made of.
  private mutating func addRowLoads(_ group: Int, _ v: [String]) {
    for case .load(let input) in plan.kernel.groups[group].statements {
      rowLoads.append(
        RowLoad(
          input: input, right: "int(\(v[0]))", down: "int(\(v[1]))",
          window: ("int(\(v[3]))", "int(\(v[5]))")))
    }
  }

  /// A group's pixels some columns and rows away, and nothing beyond the window. Rows are read as they are: where
  /// all of the tile's pixels lie within the window, nothing has to be cut.
  mutating func moved(
    _ n: String, _ sampling: SampledKernel.Sampling, _ group: Int, _ v: [String]
  ) -> [String] {
    let isRow = isReadInRows(group) && !readsRows && sampling.edge == .transparent
    if isRow { addRowLoads(group, v) }
    if isRow, plan.kernel.reading.isWhole {
      return [
        "ivec2 \(n)d = ivec2(\(v[0]), \(v[1]))\(chromaShift);",
        "Pixels \(n) = R\(group)(x + \(n)d.x, y + \(n)d.y, \(n)d.x, true);",
      ]
    }
    var lines = [
      "ivec2 \(n)d = ivec2(\(v[0]), \(v[1]))\(chromaShift);",
      "ivec4 \(n)w = ivec4(\(v[2]), \(v[3]), \(v[4]), \(v[5]))\(chromaShift);",
      "ivec4 \(n)x = x + \(n)d.x, \(n)y = y + \(n)d.y;",
      "ivec4 \(n)j = clamp(\(n)y, \(n)w.y, \(n)w.w);",
    ]
    if isRow, isRegion {
      lines.append("Pixels \(n) = R\(group)(\(n)x, \(n)j, \(n)d.x, false);")
    } else if isRow {
      lines += [
        "bool \(n)t = tile.x + \(n)d.x >= \(n)w.x && tile.y + \(n)d.y >= \(n)w.y "
          + "&& tileEnd + \(n)d.x <= \(n)w.z && tile.w + \(n)d.y <= \(n)w.w;",
        "Pixels \(n) = R\(group)(\(n)x, \(n)j, \(n)d.x, \(n)t);", "if (!\(n)t) {",
      ]
    } else {
      lines += ["Pixels \(n) = G\(group)(clamp(\(n)x, \(n)w.x, \(n)w.z), \(n)j);"]
    }
    guard sampling.edge == .transparent else { return lines }
    // What lies beyond may be anything, so it is not multiplied by 0.
    lines.append(
      "bvec4 \(n)k = bvec4(ivec4(equal(\(n)x, clamp(\(n)x, \(n)w.x, \(n)w.z))) "
        + "& ivec4(equal(\(n)y, \(n)j)));")
    lines += "rgba".map { "\(n).\($0) = mix(vec4(0.0), \(n).\($0), \(n)k);" }
    return lines + (isRow && !isRegion ? ["}"] : [])
  }
}

extension SampledKernel {
  /// The groups that are computed at the positions of the workgroup alone; none in a kernel without layers.
  var ownPlaces: Set<Int> {
    guard isTiled, !groups.isEmpty else { return [] }
    var result: Set<Int> = []
    var open = [groups.count - 1]
    while let next = open.popLast() {
      guard result.insert(next).inserted else { continue }
      for statement in groups[next].statements {
        switch statement {
        case .base(let group): open.append(group)
        case .layer(_, _, let group, let mask): open += [group] + (mask.map { [$0] } ?? [])
        default: break
        }
      }
    }
    return result
  }
}

/// A row of an input that is loaded before the pixels of a block's row.
struct RowLoad {
  let input: Int
  /// How far away it is, in pixels.
  let right: String
  let down: String
  /// The first and last row that may be read.
  var window: (top: String, bottom: String)?
}
