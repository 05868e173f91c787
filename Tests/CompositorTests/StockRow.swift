import CGstCheck
import RasterReference
import RasterTestSupport
import Testing

/// Whether the tests run with what they compare with, to see whether they themselves are right.
let isStockUnderTest = compositor == "compositor"

/// Properties of a pad that place and blend its picture.
struct PadSettings: Hashable, Sendable {
  var x = 0
  var y = 0
  var width = -1
  var height = -1
  var alpha = 1.0
  var mode = CompositionOperator.over
  /// Nil for the order of the pads.
  var zorder: Int?
  var keepsAspectRatio = false

  /// As gst-launch sets them on a pad.
  func text(_ pad: String) -> String {
    var words = [
      "xpos=\(x)", "ypos=\(y)", "width=\(width)", "height=\(height)", "alpha=\(alpha)",
      "operator=\(mode.rawValue)",
    ]
    if let zorder { words.append("zorder=\(zorder)") }
    if keepsAspectRatio { words.append("sizing-policy=keep-aspect-ratio") }
    return words.map { "\(pad)::\($0)" }.joined(separator: " ")
  }
}

/// A source of pictures and the pad that takes them.
struct PadRow: Sendable {
  /// Elements that make the pictures, as gst-launch reads them.
  var source: String
  var caps: String
  var settings: PadSettings

  /// - Parameters:
  ///   - pattern: of videotestsrc, with other properties of it.
  ///   - caps: the fields after the media type.
  init(_ pattern: String, _ caps: String, _ settings: PadSettings = PadSettings()) {
    self.init(elements: "videotestsrc pattern=\(pattern)", caps, settings)
  }

  /// - Parameter elements: any, the first of which counts its buffers.
  init(elements: String, _ caps: String, _ settings: PadSettings) {
    (source, self.caps, self.settings) = (elements, caps, settings)
  }
}

/// What GStreamer's compositor does otherwise, by design of ours.
enum StockDifference: Sendable, CustomStringConvertible {
  /// It has a rule of its own, by which frames differ by more than 2 code values; why that is not what a compositor
  /// should do.
  case rule(String)
  /// It rounds more coarsely, up to a number of code values.
  case rounding(String, Double)

  var description: String {
    switch self {
    case .rule(let text), .rounding(let text, _): text
    }
  }
}

/// A composition that is rendered by more than one compositor.
struct StockRow: Sendable, CustomTestStringConvertible {
  var name: String
  /// The fields of the output's caps after the media type.
  var output: String
  var background = CompositionBackground.checker
  var pads: [PadRow]
  var frames = 1
  /// Pads whose pictures no pixel shows.
  var unseen: Set<Int> = []
  /// How far the stock element may be from double precision with its own rules: it rounds down for each pad.
  var stockBound = 2.0
  var difference: StockDifference?

  var testDescription: String { name }

  /// The pipeline with a compositor.
  func launch(_ factory: String) -> String {
    let settings = pads.indices.map { pads[$0].settings.text("sink_\($0)") }
    var parts = [
      "\(factory) name=c background=\(background.rawValue) \(settings.joined(separator: " ")) "
        + "! video/x-raw,\(output),framerate=25/1 ! fakesink name=s"
    ]
    for (index, pad) in pads.enumerated() {
      let source = pad.source.replacing(" ", with: " num-buffers=\(frames) ", maxReplacements: 1)
      parts.append("\(source) ! video/x-raw,\(pad.caps),framerate=25/1 ! c.sink_\(index)")
    }
    return parts.joined(separator: " ")
  }
}

/// What went into a compositor and what came out.
struct RenderedRow {
  /// The frames of each pad.
  let inputs: [[SampleFrame]]
  let outputs: [SampleFrame]

  /// - Parameter prepare: is given the compositor before it starts.
  init(
    _ row: StockRow, by factory: String,
    prepare: (UnsafeMutablePointer<GstElement>) throws -> Void = { _ in }
  ) throws {
    let test = try TestPipeline(row.launch(factory))
    let element = try test.element("c")
    try prepare(element)
    let keepers = try row.pads.indices.map { try FrameKeeper(element, "sink_\($0)") }
    let sink = try FrameKeeper(try test.element("s"))
    let outcome = test.run()
    guard outcome == .endOfStream else { throw Failure(row: row.name, outcome: outcome) }
    inputs = try keepers.enumerated().map { index, keeper in
      let info = try videoInfo(element, "sink_\(index)")
      return try keeper.kept.all.map { try SampleFrame($0, info) }
    }
    let info = try videoInfo(try test.element("s"), "sink")
    outputs = try sink.kept.all.map { try SampleFrame($0, info) }
  }

  struct Failure: Error {
    let row: String
    let outcome: TestPipeline.Outcome
  }

  /// What rules make of the inputs, frame by frame.
  ///
  /// - Parameter animate: changes the settings of a pad for a frame.
  func expected(
    _ row: StockRow, _ rules: CompositionRules,
    animate: (_ pad: Int, _ frame: Int, _ settings: inout PadSettings) -> Void = { _, _, _ in }
  ) -> [[[Double]]] {
    let order = row.pads.indices.sorted { a, b in
      (row.pads[a].settings.zorder ?? a, a) < (row.pads[b].settings.zorder ?? b, b)
    }
    return outputs.enumerated().map { number, frame in
      var composition = ReferenceComposition(background: row.background, rules: rules)
      composition.layers = order.compactMap { pad in
        guard number < inputs[pad].count else { return nil }
        var (input, settings) = (inputs[pad][number], row.pads[pad].settings)
        animate(pad, number, &settings)
        return CompositionLayer(
          image: input.image(rules, for: frame.info),
          place: PadRectangle(settings, showing: input.info, in: frame.info),
          alpha: settings.alpha, mode: settings.mode)
      }
      return composition.samples(like: frame)
    }
  }
}

/// What the caps say that a pad has agreed on.
func videoInfo(
  _ element: UnsafeMutablePointer<GstElement>, _ padName: String
) throws -> GstVideoInfo {
  let pad = try #require(gst_element_get_static_pad(element, padName))
  defer { gst_object_unref(pad) }
  let caps = try #require(gst_pad_get_current_caps(pad), "\(padName) has no caps")
  defer { gst_caps_unref(caps) }
  var info = GstVideoInfo()
  try #require(gst_video_info_from_caps(&info, caps) != 0)
  return info
}
