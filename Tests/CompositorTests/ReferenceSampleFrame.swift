import CGstCheck
import RasterTestSupport
import Testing

/// The samples of one frame as numbers, component by component, read with GStreamer's own description of the
/// format: red, green, blue or Y', Cb, Cr or gray, then alpha where there is one.
struct SampleFrame: Equatable {
  struct Component: Equatable {
    let columns: Int
    let rows: Int
    /// How often the width and the height of the frame are halved.
    let halvings: (x: Int, y: Int)
    let depth: Int
    /// Row by row, without gaps.
    var samples: [Int]

    var largest: Int { (1 << depth) - 1 }

    static func == (left: Component, right: Component) -> Bool {
      left.halvings == right.halvings && left.depth == right.depth && left.samples == right.samples
    }
  }

  struct Unreadable: Error {}

  let info: GstVideoInfo
  var components: [Component]

  var width: Int { Int(info.width) }
  var height: Int { Int(info.height) }
  var hasAlpha: Bool { components.count == 4 }
  var numbers: [[Double]] { components.map { $0.samples.map { Double($0) } } }

  static func == (left: SampleFrame, right: SampleFrame) -> Bool {
    (left.width, left.height) == (right.width, right.height) && left.components == right.components
  }

  /// - Parameter info: from the caps that the frame has; whole bytes or words only, the lowest first.
  init(_ buffer: Buffer, _ info: GstVideoInfo) throws {
    var (frame, copy) = (GstVideoFrame(), info)
    guard gst_video_frame_map(&frame, &copy, buffer.pointer, GST_MAP_READ) != 0 else {
      throw Unreadable()
    }
    defer { gst_video_frame_unmap(&frame) }
    guard let format = info.finfo?.pointee else { throw Unreadable() }
    self.info = info
    components = try (0..<Int(format.n_components)).map { index in
      try Component(index, of: format, in: frame)
    }
  }
}

extension SampleFrame.Component {
  fileprivate init(_ index: Int, of format: GstVideoFormatInfo, in frame: GstVideoFrame) throws {
    func number<Tuple, Number: BinaryInteger>(_ tuple: Tuple, _ type: Number.Type) -> Int {
      withUnsafeBytes(of: tuple) { Int($0.bindMemory(to: type)[index]) }
    }
    let plane = number(format.plane, UInt32.self)
    let planes = withUnsafeBytes(of: frame.data) {
      Array($0.bindMemory(to: UnsafeMutableRawPointer?.self))
    }
    let strides = withUnsafeBytes(of: frame.info.stride) { Array($0.bindMemory(to: Int32.self)) }
    guard let start = planes[plane] else { throw SampleFrame.Unreadable() }
    let halvings = (x: number(format.w_sub, UInt32.self), y: number(format.h_sub, UInt32.self))
    let (columns, rows) = (
      (Int(frame.info.width) + (1 << halvings.x) - 1) >> halvings.x,
      (Int(frame.info.height) + (1 << halvings.y) - 1) >> halvings.y
    )
    let (depth, shift) = (number(format.depth, UInt32.self), number(format.shift, UInt32.self))
    let (step, offset) = (
      number(format.pixel_stride, Int32.self), number(format.poffset, UInt32.self)
    )
    // GStreamer says of P010 that Cr begins one byte after Cb: it counts words there.
    let first = depth + shift > 8 && offset % 2 == 1 ? 2 * offset : offset
    var samples: [Int] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let place = start + row * Int(strides[plane]) + column * step + first
        let word =
          depth + shift > 8
          ? Int(place.loadUnaligned(as: UInt16.self)) : Int(place.load(as: UInt8.self))
        samples.append(word >> shift & ((1 << depth) - 1))
      }
    }
    self.init(columns: columns, rows: rows, halvings: halvings, depth: depth, samples: samples)
  }
}

/// How far apart two frames are, in code values of the output. A color counts as far as its alpha lets it be seen.
struct SampleDistance: CustomStringConvertible {
  private(set) var maximum = 0.0
  private var worst = "no samples"

  /// - Parameter expected: samples of each component, neither rounded nor necessarily whole.
  init(_ actual: SampleFrame, _ expected: [[Double]]) {
    for (index, component) in actual.components.enumerated() {
      for (place, sample) in component.samples.enumerated() {
        // Not a number counts as far off.
        let apart =
          abs(Double(sample) - expected[index][place]) * visibility(index, place, expected)
        guard !(apart <= maximum) else { continue }
        maximum = apart.isNaN ? .infinity : apart
        worst =
          "component \(index), x \(place % component.columns), y \(place / component.columns): "
          + "\(sample) instead of \(expected[index][place])"
      }
    }
    func visibility(_ index: Int, _ place: Int, _ expected: [[Double]]) -> Double {
      guard actual.hasAlpha, index < 3 else { return 1 }
      let largest = Double(actual.components[3].largest)
      return min(expected[3][place], Double(actual.components[3].samples[place])) / largest
    }
  }

  var description: String { "\(maximum) at \(worst)" }
}

/// How far frames are from what they should be, at the worst place of all.
func distance(_ frames: [SampleFrame], _ expected: [[[Double]]]) throws -> SampleDistance {
  try #require(frames.count == expected.count)
  let all = zip(frames, expected).map { SampleDistance($0, $1) }
  return try #require(all.max { $0.maximum < $1.maximum })
}
