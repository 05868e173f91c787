import CGstCheck
import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// Downstream keeps every frame that there may be: who waits for one is woken by a flush and by a stop.
  ///
  /// Stock hangs in both for ever.
  @Suite(.keptDevice, .guarded, .timeLimit(.minutes(1)), .enabled(if: !isStock)) struct KeptFrames {
    struct Case: Sendable, CustomStringConvertible {
      let inputs: Int
      let frames: Int
      let state: GstState

      var description: String {
        "\(inputs) inputs, \(frames) frames, \(state == GST_STATE_PAUSED ? "PAUSED" : "PLAYING")"
      }
    }

    static let cases = [GST_STATE_PAUSED, GST_STATE_PLAYING].flatMap { state in
      [(1, 2), (4, 2), (1, 3), (4, 8)].map { Case(inputs: $0.0, frames: $0.1, state: state) }
    }

    /// Keeps every frame that reaches a pad, until it is told to let go.
    private final class Keeper {
      let kept = BufferList()
      private let isOver = Counter()
      private let probe: BufferProbe

      init(_ element: UnsafeMutablePointer<GstElement>) throws {
        let (kept, isOver) = (kept, isOver)
        probe = try BufferProbe(element, "sink") { buffer in
          if isOver.count == 0 { kept.append(buffer) }
          return .pass
        }
      }

      func letGo() {
        isOver.increment()
        kept.removeAll()
      }
    }

    /// The seconds that something takes that must not hang; where it does, frees the frames and fails.
    private func time(_ keeper: Keeper, _ body: @escaping @Sendable () -> Void) throws -> Double {
      let done = Counter()
      let thread = TestThread {
        body()
        done.increment()
      }
      var isDone = false
      let seconds = secondsTaken { isDone = waits(2) { done.count == 1 } }
      if !isDone { keeper.letGo() }
      thread.join()
      try #require(isDone, "it hangs until frames come back")
      return seconds
    }

    @Test("with all frames kept, flushing seeks and NULL return at once", arguments: cases)
    func interruptions(_ settings: Case) throws {
      let source = "videotestsrc ! video/x-raw, format=RGBA, width=32, height=24 ! c. "
      let test = try TestPipeline(
        "\(compositor) name=c max-buffers=\(settings.frames) ! queue name=q max-size-buffers=200 "
          + "! fakesink sync=false " + String(repeating: source, count: settings.inputs))
      let queue = try test.element("q")
      let offer = try Offer(
        at: queue, size: 32 * 24 * 4, least: 2, most: UInt32(settings.frames))
      let keeper = try Keeper(queue)
      defer {
        keeper.letGo()
        withExtendedLifetime(offer) {}
      }
      let pipeline = Shared(test.pipeline)
      var (seeks, stops): ([Double], [Double]) = ([], [])
      for round in 0..<3 {
        gst_element_set_state(test.pipeline, settings.state)
        try #require(waits { keeper.kept.count == settings.frames }, "round \(round)")
        for _ in 0..<3 {
          // The thread has to be on its way to the wait, or in it.
          pause(milliseconds: 10)
          seeks.append(
            try time(keeper) {
              gst_element_seek_simple(
                pipeline.value, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, gint64(second))
            })
        }
        pause(milliseconds: 10)
        stops.append(try time(keeper) { gst_element_set_state(pipeline.value, GST_STATE_NULL) })
        #expect(keeper.kept.count == settings.frames)
        #expect(keeper.kept.all.allSatisfy { $0.canBeRead })
        keeper.kept.removeAll()
      }
      for times in [seeks, stops] {
        let median = times.sorted()[times.count / 2]
        #expect(median < CallTimes.limit && (times.max() ?? 9) < 1, "\(times)")
      }
      #expect(test.takeErrors().isEmpty)
    }
  }
}
