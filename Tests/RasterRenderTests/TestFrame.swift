import CShim
import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterVideo
import RasterVulkan
import Testing

/// How the planes of a test frame lie in memory.
struct Padding: Hashable, Sendable, CustomTestStringConvertible {
  /// Bytes before the first plane.
  var offset = 0
  /// Bytes that are added to the least stride.
  var extraStride = 0
  /// Strides are rounded up to a multiple of this.
  var strideAlignment = 1
  /// Whether rows are stored bottom up.
  var isBottomUp = false

  var testDescription: String {
    "offset \(offset), stride +\(extraStride) to \(strideAlignment)"
      + (isBottomUp ? ", bottom up" : "")
  }

  /// Rows at multiples of 64 bytes, as in our own pool.
  static let aligned = Padding(strideAlignment: 64)
  /// Rows at multiples of 4 bytes, as caps state them.
  static let caps = Padding(strideAlignment: 4)
}

/// A layout by its name in caps.
func layout(_ name: String) throws -> PixelLayout {
  let format = raster_video_format_from_string(name)
  let info = try #require(gst_video_format_get_info(format))
  return try #require(PixelLayout(info), "\(name) has no layout")
}

extension PixelLayout.Component {
  /// Writes a sample, the lowest byte first.
  func store(_ sample: Int, at address: UnsafeMutableRawPointer) {
    for byte in 0..<bytes {
      address.storeBytes(
        of: UInt8(truncatingIfNeeded: (sample << shift) >> (8 * byte)), toByteOffset: byte,
        as: UInt8.self)
    }
  }

  func load(at address: UnsafeMutableRawPointer) -> Int {
    let stored = (0..<bytes).reduce(0) {
      $0 | Int(address.load(fromByteOffset: $1, as: UInt8.self)) << (8 * $1)
    }
    return stored >> shift & largest
  }
}

extension RenderPlan {
  /// The plan of filters, at whose end a frame has the size that they give it.
  init(
    _ filters: [any Filter], _ source: FrameDescription, to end: FrameDescription? = nil,
    transfer: TransferFunction? = nil
  ) throws {
    let context = FilterContext(luma: source.encoding.lumaCoefficients)
    let image = filters.reduce(source.image(0)) {
      $1.isIdentity ? $0 : $1.output($0, in: context)
    }
    var target = end ?? source
    target.extent = image.extent
    try self.init(image, from: [source], to: target, transfer: transfer)
  }
}

extension ReferenceFrame {
  var frameDescription: FrameDescription {
    FrameDescription(
      layout: layout, encoding: encoding, extent: Extent(width: width, height: height))
  }

  /// Makes room for samples, all zero.
  mutating func clear() {
    colors = layout.colors.indices.map {
      [Int](repeating: 0, count: size(of: $0).columns * size(of: $0).rows)
    }
    alpha = [Int](repeating: 0, count: layout.alpha == nil ? 0 : width * height)
  }

  /// The plan of filters from a frame to another of the same kind.
  func plan(_ filters: [any Filter]) throws -> RenderPlan {
    try RenderPlan(filters, frameDescription)
  }

  /// A frame of random samples.
  init(
    random layout: PixelLayout, encoding: ColorEncoding, width: Int, height: Int,
    using random: inout Random
  ) {
    self.init(
      layout: layout, encoding: encoding, width: width, height: height, colors: [], alpha: [])
    for component in layout.colors {
      let plane = layout.planes[component.plane]
      let count = plane.rowBytes(width: width) / plane.pixelStride * plane.rows(height: height)
      colors.append((0..<count).map { _ in Int.random(in: 0...component.largest, using: &random) })
    }
    if let component = layout.alpha {
      alpha = (0..<width * height).map { _ in Int.random(in: 0...component.largest, using: &random)
      }
    }
  }

  /// The components with their samples, alpha last.
  private var stored: [(PixelLayout.Component, [Int])] {
    Array(zip(layout.colors, colors)) + (layout.alpha.map { [($0, alpha)] } ?? [])
  }

  /// Memory for the frame, filled with `filler` and, if wanted, with its samples.
  func makeFrame(
    _ padding: Padding, on device: Device, filler: UInt8, withSamples: Bool
  ) throws -> Frame {
    var frame = Frame(layout: layout, planes: [])
    for plane in layout.planes.indices {
      let rowBytes = layout.planes[plane].rowBytes(width: width)
      let rows = layout.planes[plane].rows(height: height)
      let stride =
        (rowBytes + padding.extraStride + padding.strideAlignment - 1) / padding.strideAlignment
        * padding.strideAlignment
      let buffer = try HostBuffer(allocating: padding.offset + stride * rows + 64, on: device)
      buffer.address.initializeMemory(as: UInt8.self, repeating: filler, count: buffer.size)
      frame.planes.append(
        FramePlane(
          buffer: buffer,
          offset: padding.offset + (padding.isBottomUp ? (rows - 1) * stride : 0),
          stride: padding.isBottomUp ? -stride : stride))
    }
    if withSamples { write(to: frame) }
    return frame
  }

  private func write(to frame: Frame) {
    for (component, samples) in stored {
      forEachSample(of: component, in: frame) { address, index in
        component.store(samples[index], at: address)
      }
    }
  }

  /// The samples that `frame` holds.
  func read(from frame: Frame) -> ReferenceFrame {
    var result = self
    for (index, component) in layout.colors.enumerated() {
      forEachSample(of: component, in: frame) { address, sample in
        result.colors[index][sample] = component.load(at: address)
      }
    }
    if let component = layout.alpha {
      forEachSample(of: component, in: frame) { address, sample in
        result.alpha[sample] = component.load(at: address)
      }
    }
    return result
  }

  private func forEachSample(
    of component: PixelLayout.Component, in frame: Frame,
    _ body: (UnsafeMutableRawPointer, Int) -> Void
  ) {
    let plane = layout.planes[component.plane]
    let position = frame.planes[component.plane]
    let columns = plane.rowBytes(width: width) / plane.pixelStride
    for row in 0..<plane.rows(height: height) {
      for column in 0..<columns {
        let offset =
          position.offset + row * position.stride + column * plane.pixelStride + component.offset
        body(position.buffer.address + offset, row * columns + column)
      }
    }
  }

  /// The largest difference to another frame, over all components.
  func maxDifference(to other: ReferenceFrame) -> Int {
    var result = 0
    for (mine, theirs) in zip(colors + [alpha], other.colors + [other.alpha]) {
      for (left, right) in zip(mine, theirs) { result = max(result, abs(left - right)) }
    }
    return result
  }
}
