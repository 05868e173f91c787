import CAllocationCount
import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// What a frame costs besides the work itself.
  @Suite struct Allocations {
    @Test(
      "a frame takes nothing from the heap",
      arguments: [
        "brightness=0.1",
        "filters=\"exposure, ev=0.3; gaussian-blur, sigma=2; vibrance, amount=0.4\"",
        "filters=\"rotate, angle=3; blend, mode=multiply; scale, width=40\"",
      ])
    func perFrame(_ settings: String) throws {
      guard allocation_count_works() != 0 else { return }
      // What the counting itself takes, and nothing else.
      let control = try counts(of: "identity")
      #expect(Set(control.dropFirst()).count == 1)
      let counts = try counts(of: "rasterfilter \(settings)")
      // Each of the frames that may be under way takes its room once, and the pool grows when downstream is slow.
      let more = counts.dropFirst(10).filter { $0 != control.last }
      #expect(more.count <= 4, "\(counts)")
    }

    private func counts(of element: String) throws -> [UInt] {
      let test = try TestPipeline(
        "videotestsrc num-buffers=60 ! video/x-raw,format=NV12,width=64,height=48 "
          + "! \(element) name=r ! fakesink sync=false")
      let counter = Counter()
      // From one frame before the element to the same place of the next.
      let probe = try BufferProbe(try test.element("r"), "sink") { _ in
        counter.note()
        return .pass
      }
      #expect(test.run() == .endOfStream)
      withExtendedLifetime(probe) {}
      #expect(counter.counts.count == 60)
      return counter.counts
    }
  }
}

/// Allocations between calls, all on one thread.
private final class Counter: @unchecked Sendable {
  private(set) var counts: [UInt] = []

  init() { counts.reserveCapacity(100) }

  func note() {
    counts.append(allocation_count_end())
    allocation_count_begin()
  }
}
