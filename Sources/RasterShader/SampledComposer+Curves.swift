package import RasterGraph

/// The pass that measures the lightness of tiles and makes a curve for each: one workgroup a tile.
extension SampledComposer {
  /// Invocations of a workgroup, and values of a curve.
  package static let curveLength = 256

  /// - Parameters:
  ///   - plan: the kernel's last group is the picture; the target is not used.
  ///   - pushConstantLimit: bytes of push constants that the device has.
  package static func composeCurves(
    _ plan: SampledPlan, pushConstantLimit: Int
  ) throws(RasterError) -> Kernel {
    var composer = SampledComposer(plan, pushConstantLimit, extraNumbers: 1)
    return try composer.composeCurves()
  }

  private mutating func composeCurves() throws(RasterError) -> Kernel {
    emitHead(workgroup: "local_size_x = \(SampledComposer.curveLength)")
    text.addBuffer(writer.firstBinding, "writeonly", "float d0[];")
    text.add("shared uint counts[256]; shared uint sums[256]; shared uint excess;")
    try emitGroups()
    let root = plan.kernel.groups.count - 1
    let limit = take(1)[0]
    let measure = ShaderCall(
      source: .library("Reduction/Lightness"), channels: .all, argumentCount: 0, table: nil)
    let lightness = try define(measure, "measure")
    text.add("void main() {")
    numbers.emitReading(to: &text)
    text.add(SampledComposer.counting(root, lightness))
    text.add(
      SampledComposer.accumulating(limit, first: numbers.offset(writer.firstBinding)))
    text.add("}")
    return numbers.kernel(text.source, bindingCount: bindingCount)
  }

  /// Counts the lightness of the workgroup's tile. The last column and line of the head are those of tiles.
  private static func counting(_ root: Int, _ lightness: String) -> String {
    """
      uint own = gl_LocalInvocationID.x;
      ivec2 tile = ivec2(gl_WorkGroupID.xy), tiles = ivec2(p.lastColumn, p.lastLine) + 1;
      ivec2 size = ivec2(p.lastPixel, p.lastRow) + 1;
      ivec2 first = tile * size / tiles, end = max((tile + 1) * size / tiles, first + 1);
      ivec2 span = end - first;
      counts[own] = 0u;
      if (own == 0u) excess = 0u;
      barrier();
      int quads = (span.x + 3) / 4 * span.y;
      for (int quad = int(own); quad < quads; quad += 256) {
        int across = (span.x + 3) / 4;
        ivec4 x = ivec4(quad % across * 4) + ivec4(0, 1, 2, 3);
        Pixels q = G\(root)(min(first.x + x, size.x - 1), ivec4(min(first.y + quad / across, size.y - 1)));
        ivec4 bin = clamp(ivec4(\(lightness)(q.r, q.g, q.b) * 255.0 + 0.5), 0, 255);
        for (int lane = 0; lane < 4; lane++)
          if (x[lane] < span.x) atomicAdd(counts[bin[lane]], 1u);
      }
      barrier();
    """
  }

  /// Cuts the counts, shares out what is left over, and writes the sums of all counts up to each.
  private static func accumulating(_ limit: String, first: String) -> String {
    """
      uint pixels = uint(span.x * span.y);
      uint most = uint(clamp(\(limit) * float(pixels) / 256.0, 1.0, float(pixels)));
      uint over = counts[own] > most ? counts[own] - most : 0u;
      atomicAdd(excess, over);
      barrier();
      uint share = excess / 256u, rest = excess % 256u, step = max(256u / max(rest, 1u), 1u);
      uint extra = rest > 0u && own % step == 0u && own / step < rest ? 1u : 0u;
      sums[own] = counts[own] - over + share + extra;
      barrier();
      for (uint reach = 1u; reach < 256u; reach *= 2u) {
        uint before = own >= reach ? sums[own - reach] : 0u;
        barrier();
        sums[own] += before;
        barrier();
      }
      d0[\(first) + (tile.y * tiles.x + tile.x) * 256 + int(own)] = float(sums[own]) / float(pixels);
    """
  }
}
