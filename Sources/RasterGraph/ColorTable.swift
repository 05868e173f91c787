/// A table that maps colors, with linear or tetrahedral steps between its points.
///
/// One curve for each channel, or a cube of colors; a cube can have a shaper before it, which is a
/// curve for each channel in turn. Colors beyond the domain take the value at its border.
package struct ColorTable: Hashable, Sendable {
  /// A curve for each channel that is applied before a cube.
  package struct Shaper: Hashable, Sendable {
    /// Points of a curve; at least 2.
    package let size: Int
    /// The curves' points from the domain's minimum to its maximum: red, green, blue of the first,
    /// then those of the second.
    package let values: [Float]
    /// What the first and the last point stand for, the same for every channel.
    package let domain: ClosedRange<Double>
  }

  /// 1 for a curve of each channel, 3 for a cube.
  package let dimensions: Int
  /// Points of a curve, or of each edge of the cube; at least 2.
  package let size: Int
  /// The colors of the points: red, green and blue of each. The first coordinate of a cube, red,
  /// runs fastest.
  package let values: [Float]
  /// The color that the first point stands for.
  package let domainMinimum: SIMD3<Double>
  /// The color that the last point stands for; above the minimum in every channel.
  package let domainMaximum: SIMD3<Double>
  /// What is applied to the channels before they are looked up in the cube; nil for curves.
  package let shaper: Shaper?

  /// Points of the largest curve.
  package static let curveSizes = 2...65536
  /// Points of the edge of the largest cube.
  package static let cubeSizes = 2...256

  /// Takes what its makers have checked: `values` has 3 × size or 3 × size³ numbers.
  init(
    dimensions: Int, size: Int, values: [Float], domainMinimum: SIMD3<Double> = .zero,
    domainMaximum: SIMD3<Double> = .one, shaper: Shaper? = nil
  ) {
    self.dimensions = dimensions
    self.size = size
    self.values = values
    self.domainMinimum = domainMinimum
    self.domainMaximum = domainMaximum
    self.shaper = shaper
  }

  // A part of the numbers tells tables apart well enough, and there can be fifty million.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(dimensions)
    hasher.combine(size)
    hasher.combine(domainMinimum)
    hasher.combine(domainMaximum)
    for index in stride(from: 0, to: values.count, by: max(values.count / 61, 1)) {
      hasher.combine(values[index])
    }
  }
}

/// How the functions in `Shaders/Filters/Lut….glsl` look a table up.
extension ColorTable {
  /// The function of the shader library.
  ///
  /// - Parameter tetrahedral: whether colors within a cell of a cube come from the four corners of
  ///   the tetrahedron around them, not from all eight corners. Without effect on curves.
  package func shaderSource(tetrahedral: Bool) -> ShaderSource {
    dimensions == 1
      ? .library("Filters/LutCurve")
      : .member(file: "Filters/LutCube", function: tetrahedral ? "LutTetrahedral" : "LutTrilinear")
  }

  /// The function's arguments after the channels.
  ///
  /// - Parameter intensity: 0 (the color stays) to 1 (the table alone).
  package func shaderArguments(intensity: Double) -> [Double] {
    let last = Double(size - 1)
    var arguments = [intensity, Double(size)]
    for channel in 0..<3 {
      let scale = last / (domainMaximum[channel] - domainMinimum[channel])
      arguments += [scale, -domainMinimum[channel] * scale]
    }
    guard dimensions == 3 else { return arguments }
    guard let shaper else { return arguments + [0, 0, 0] }
    let scale = Double(shaper.size - 1) / (shaper.domain.upperBound - shaper.domain.lowerBound)
    return arguments + [Double(shaper.size), scale, -shaper.domain.lowerBound * scale]
  }

  /// The numbers that the function reads as `TABLE`: the points of the shaper, then all others.
  package var shaderTable: [Float] { shaper.map { $0.values + values } ?? values }
}

extension ColorTable {
  /// The cube in a HALD CLUT, a picture of all colors of a cube in a row.
  ///
  /// The picture of level L has L³ × L³ pixels and is the cube with L² points at its edge; its
  /// pixels, line by line, are the cube's points with red fastest and blue slowest
  /// (http://www.quelsolaar.com/technology/clut.html).
  ///
  /// - Parameters:
  ///   - pixels: red, green, blue and alpha of each pixel, line by line without gaps, with white at
  ///     65535. Alpha is ignored.
  ///   - name: what errors call the picture.
  /// - Throws: `invalidSetting` where the picture has another size than a HALD CLUT.
  package init(
    hald pixels: [UInt16], width: Int, height: Int, name: String
  ) throws(RasterError) {
    guard let level = ColorTable.levels.first(where: { $0 * $0 * $0 == width }), width == height
    else {
      let sizes = ColorTable.levels.map { "\($0 * $0 * $0)×\($0 * $0 * $0)" }
      throw RasterError(
        .invalidSetting, "\(name): a picture of \(width)×\(height) pixels is no HALD CLUT.",
        remedy: "Use a picture of one of the sizes \(sizes.joined(separator: ", ")).")
    }
    guard pixels.count == 4 * width * height else {
      throw RasterError(
        .internalFailure, "\(name): \(pixels.count) samples are not \(width)×\(height) pixels.",
        remedy: "Report it together with the picture.")
    }
    var values: [Float] = []
    values.reserveCapacity(3 * width * height)
    for pixel in stride(from: 0, to: pixels.count, by: 4) {
      for channel in 0..<3 { values.append(Float(pixels[pixel + channel]) / 65535) }
    }
    self.init(dimensions: 3, size: level * level, values: values)
  }

  /// The levels whose cube can be used.
  private static let levels = 2...16
}
