package import RasterColor

/// Colors looked up in a table: a `.cube` file with curves or a cube, or a picture as a HALD CLUT.
package struct Lut: PointwiseFilter {
  package static let name = "lut"
  package static let blurb = "Looks colors up in a table from a file"
  package static let example = "location=docs/examples/look.cube"
  package static let parameters: [Parameter<Lut>] = [
    .text(
      "location", "Location",
      "A .cube file (1D, 3D or both) or a picture that is a HALD CLUT; empty changes nothing",
      \Lut.location),
    .number(
      "intensity", "Intensity", "0 changes nothing, 1 is the table alone", 0...1, default: 1,
      \Lut.intensity),
    .choice(
      "interpolation", "Interpolation", "How colors between the points of a cube are found",
      ["tetrahedral", "trilinear"], default: "tetrahedral", \Lut.interpolation),
  ]

  package var location = ""
  package var intensity = 1.0
  package var interpolation = "tetrahedral"
  private var loaded: Loaded?

  /// A table with what the device reads of it.
  private struct Loaded: Hashable, Sendable {
    let location: String
    let table: ColorTable
    let numbers: LookupTable
  }

  package init() {}

  package var isIdentity: Bool { intensity == 0 || loaded == nil }

  /// The table of the file; nil where there is none.
  package var table: ColorTable? { loaded?.table }

  package mutating func load(_ resources: any FilterResources) throws(RasterError) {
    guard location != loaded?.location ?? "" else { return }
    guard !location.isEmpty else {
      loaded = nil
      return
    }
    let table: ColorTable
    if location.lowercased().hasSuffix(".cube") {
      table = try ColorTable(cube: try resources.bytes(location), name: location)
    } else {
      let picture = try resources.picture(location)
      table = try ColorTable(
        hald: picture.pixels, width: picture.extent.width, height: picture.extent.height,
        name: location)
    }
    guard table.size <= Lut.largestSize || table.dimensions == 1 else {
      throw RasterError(
        .invalidSetting, "lut: \"\(location)\" has \(table.size) points at an edge.",
        remedy: "Use a table of at most \(Lut.largestSize).")
    }
    loaded = Loaded(
      location: location, table: table, numbers: LookupTable(table.shaderTable))
  }

  /// Points at the edge of the largest cube that every device can bind: 128 MiB.
  private static let largestSize = 200

  package func steps(luma: LumaCoefficients) -> [PointwiseStep] {
    guard let loaded else { return [] }
    let source = loaded.table.shaderSource(tetrahedral: interpolation == "tetrahedral")
    return [
      .color(
        ShaderFunction(
          source, arguments: loaded.table.shaderArguments(intensity: intensity),
          table: loaded.numbers))
    ]
  }
}
