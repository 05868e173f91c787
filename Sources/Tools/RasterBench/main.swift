import CShim
import Glibc
import Synchronization

// usage: raster-bench [-t] [-n FRAMES] [-r ROUNDS] [-c CAPS] ELEMENT...
//
// Measures elements with one input and one output against each other: pushes the same frames through each of
// them in turn, round by round, and prints the median and the least time per frame and the ratio of each
// median to the first. ELEMENT is a description as for gst-launch-1.0, such as
// "videobalance brightness=0.1". Frames come from a pool of 8, so that an element may work in place. Noise is
// written into each just before it is pushed, outside the measured time, as an element upstream does. A frame
// is done when its result can be read.
//
// -t measures how many frames pass instead: a round's frames follow each other without anything in between, and
// only the last is read. The CPU time is that of the whole process, for each frame.

struct Options {
  var frames = 60
  var rounds = 5
  var caps = "video/x-raw,format=RGBA,width=1920,height=1080,framerate=30/1"
  var elements: [String] = []
  var isThroughput = false

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "-t": isThroughput = true
      case "-n": frames = rest.popFirst().flatMap { Int($0) } ?? frames
      case "-r": rounds = rest.popFirst().flatMap { Int($0) } ?? rounds
      case "-c": caps = rest.popFirst() ?? caps
      default: elements.append(word)
      }
    }
  }
}

func fail(_ message: String) -> Never {
  print("raster-bench: \(message)")
  exit(1)
}

/// Whether the pad that drops frames looks at them before.
let readsFrames = Atomic(true)

/// One element between a pad that frames are pushed into and one that drops them.
struct Stage {
  let name: String
  let element: UnsafeMutablePointer<GstElement>
  let source: UnsafeMutablePointer<GstPad>
  var times: [Double] = []
  var cpuTimes: [Double] = []

  init(_ description: String, caps: UnsafeMutablePointer<GstCaps>) {
    name = description
    var error: UnsafeMutablePointer<GError>?
    guard let element = gst_parse_bin_from_description(description, 1, &error),
      let input = gst_element_get_static_pad(element, "sink"),
      let output = gst_element_get_static_pad(element, "src"),
      let source = gst_pad_new("src", GST_PAD_SRC), let sink = gst_pad_new("sink", GST_PAD_SINK)
    else { fail("cannot make \"\(description)\"") }
    self.element = element
    self.source = source
    gst_pad_set_chain_function_full(
      sink,
      { _, _, buffer in
        var map = GstMapInfo()
        if readsFrames.load(ordering: .relaxed), gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 {
          gst_buffer_unmap(buffer, &map)
        }
        gst_mini_object_unref(
          UnsafeMutableRawPointer(buffer)?.assumingMemoryBound(to: GstMiniObject.self))
        return GST_FLOW_OK
      }, nil, nil)
    gst_pad_set_query_function_full(sink, answer, nil, nil)
    guard gst_pad_link(source, input) == GST_PAD_LINK_OK,
      gst_pad_link(output, sink) == GST_PAD_LINK_OK
    else { fail("cannot link \"\(description)\"") }
    gst_pad_set_active(sink, 1)
    gst_pad_set_active(source, 1)
    guard gst_element_set_state(element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE else {
      fail("cannot start \"\(description)\"")
    }
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    gst_pad_push_event(source, gst_event_new_stream_start("bench"))
    gst_pad_push_event(source, gst_event_new_caps(caps))
    gst_pad_push_event(source, gst_event_new_segment(&segment))
  }

  /// Pushes frames one right after the other; the seconds for each, and those of all CPUs.
  mutating func pushAll(_ frames: Int, _ pool: UnsafeMutablePointer<GstBufferPool>) {
    let (start, cpu) = (ContinuousClock.now, clock())
    readsFrames.store(false, ordering: .relaxed)
    for index in 0..<frames {
      if index == frames - 1 { readsFrames.store(true, ordering: .relaxed) }
      var buffer: UnsafeMutablePointer<GstBuffer>?
      guard gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK, let buffer else {
        fail("no buffer")
      }
      _ = push(buffer)
    }
    let time = (ContinuousClock.now - start).components
    let seconds = Double(time.seconds) + Double(time.attoseconds) * 1e-18
    times.append(seconds / Double(frames))
    cpuTimes.append(Double(clock() - cpu) / Double(CLOCKS_PER_SEC) / Double(frames))
  }

  /// Pushes a frame and returns the seconds until the element has handed its result on.
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Double {
    let start = ContinuousClock.now
    guard gst_pad_push(source, buffer) == GST_FLOW_OK else { fail("\"\(name)\" refused a frame") }
    let time = (ContinuousClock.now - start).components
    return Double(time.seconds) + Double(time.attoseconds) * 1e-18
  }
}

/// Downstream reads any stride, as most elements do.
func answer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
  _ query: UnsafeMutablePointer<GstQuery>?
) -> gboolean {
  guard let query, query.pointee.type == GST_QUERY_ALLOCATION else {
    return gst_pad_query_default(pad, parent, query)
  }
  gst_query_add_allocation_meta(query, raster_video_meta_api(), nil)
  return 1
}

func makePool(_ caps: UnsafeMutablePointer<GstCaps>) -> UnsafeMutablePointer<GstBufferPool> {
  var info = GstVideoInfo()
  guard gst_video_info_from_caps(&info, caps) != 0, let pool = gst_video_buffer_pool_new(),
    let config = gst_buffer_pool_get_config(pool)
  else { fail("these caps are not video") }
  gst_buffer_pool_config_set_params(config, caps, UInt32(info.size), 8, 8)
  gst_buffer_pool_set_config(pool, config)
  gst_buffer_pool_set_active(pool, 1)
  return pool
}

/// Bytes of noise, as many as a frame has.
func makeNoise(_ caps: UnsafeMutablePointer<GstCaps>) -> [UInt8] {
  var info = GstVideoInfo()
  guard gst_video_info_from_caps(&info, caps) != 0 else { fail("these caps are not video") }
  var state: UInt32 = 1
  return (0..<Int(info.size)).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt8(state >> 24)
  }
}

/// A frame of the pool with fresh noise.
func makeFrame(
  _ pool: UnsafeMutablePointer<GstBufferPool>, _ noise: [UInt8]
) -> UnsafeMutablePointer<GstBuffer> {
  var buffer: UnsafeMutablePointer<GstBuffer>?
  guard gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK, let buffer else {
    fail("no buffer")
  }
  gst_buffer_fill(buffer, 0, noise, gsize(noise.count))
  return buffer
}

func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] * 1000 }

func text(_ value: Double) -> String {
  let scaled = Int((value * 1000).rounded())
  let fraction = String(scaled % 1000)
  return "\(scaled / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
}

gst_init(nil, nil)
let options = Options(Array(CommandLine.arguments.dropFirst()))
guard !options.elements.isEmpty, let caps = gst_caps_from_string(options.caps) else {
  fail("usage: raster-bench [-t] [-n FRAMES] [-r ROUNDS] [-c CAPS] ELEMENT...")
}
let pool = makePool(caps)
let noise = makeNoise(caps)
var stages = options.elements.map { Stage($0, caps: caps) }
for index in stages.indices {
  for _ in 0..<8 { _ = stages[index].push(makeFrame(pool, noise)) }
}
for _ in 0..<options.rounds {
  for index in stages.indices {
    if options.isThroughput {
      stages[index].pushAll(options.frames, pool)
      continue
    }
    for _ in 0..<options.frames {
      stages[index].times.append(stages[index].push(makeFrame(pool, noise)))
    }
  }
}
print("\(options.caps), \(options.frames * options.rounds) frames")
let first = median(stages[0].times)
for stage in stages {
  let least = (stage.times.min() ?? 0) * 1000
  print(
    "\(text(median(stage.times))) ms median, \(text(least)) ms least, ratio "
      + "\(text(first / median(stage.times)))"
      + (options.isThroughput ? ", CPU \(text(median(stage.cpuTimes))) ms" : "")
      + "  \(stage.name)")
  gst_element_set_state(stage.element, GST_STATE_NULL)
}
