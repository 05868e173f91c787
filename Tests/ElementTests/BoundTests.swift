import CGstCheck
import RasterTestSupport
import Testing

extension FilterElementTests {
  /// No more frames exist than the bound says, whoever holds them.
  @Suite struct Bounds {
    /// Who holds frames behind the element.
    enum Holder: CaseIterable {
      case fullQueue
      case teeWithFullQueue
      case probe
      case copies
      case parts
      case compositor
      case nobody

      var description: String {
        let full = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! fakesink sync=true"
        let sink = "fakesink name=s sync=false enable-last-sample=false async=false"
        return switch self {
        case .fullQueue: full + " enable-last-sample=false"
        case .teeWithFullQueue:
          "tee name=t t. ! \(full) async=false enable-last-sample=false t. ! queue ! \(sink)"
        case .compositor: "compositor ! \(sink)"
        case .probe, .copies, .parts, .nobody: sink
        }
      }

      /// What is kept of a frame.
      func keep(_ buffer: Buffer, in list: BufferList) {
        switch self {
        case .probe: list.append(buffer)
        case .copies:
          let copy = gst_buffer_copy_region(
            buffer.pointer, GST_BUFFER_COPY_MEMORY, 0, gsize.max)
          if let copy { list.append(Buffer(owning: copy)) }
        case .parts:
          let part = gst_buffer_copy_region(buffer.pointer, GST_BUFFER_COPY_MEMORY, 16, 64)
          if let part { list.append(Buffer(owning: part)) }
        default: break
        }
      }

      /// Whether the frames come to a standstill when all of them are held.
      var endsInStandstill: Bool { self != .compositor && self != .nobody }
    }

    /// Checks that memory comes back when the last that uses it lets go.
    private func checkReturn(
      _ kept: BufferList, _ element: UnsafeMutablePointer<GstElement>, _ seen: AddressSet
    ) {
      let bound = element.statistic("pool-bound")
      for _ in 1...5 {
        // The last frame is counted before it is kept.
        #expect(waits(5) { UInt64(kept.count) == bound })
        let frames = element.statistic("frames") ?? 0
        kept.removeFirst(1)
        #expect(waits(5) { (element.statistic("frames") ?? 0) > frames })
      }
      #expect(UInt64(seen.count) == element.statistic("pool-peak"))
    }

    @Test(
      "no holder makes the element go beyond its bound", arguments: Holder.allCases, [1, 2, 5, 0])
    func bound(_ holder: Holder, _ wanted: Int) throws {
      let test = try TestPipeline(
        "videotestsrc ! video/x-raw,format=NV12,width=64,height=48,framerate=30/1 "
          + "! rasterfilter name=r brightness=0.2 max-buffers=\(wanted) ! \(holder.description)")
      let (kept, seen) = (BufferList(), AddressSet())
      let element = try test.element("r")
      let probe = try BufferProbe(element, "src") { buffer in
        for memory in buffer.memories { seen.insert(UInt(bitPattern: memory)) }
        holder.keep(buffer, in: kept)
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
      let bound = wanted == 0 ? 32 : UInt64(wanted)
      if holder.endsInStandstill {
        #expect(waits(5) { element.statistic("pool-in-use") == bound })
      } else if holder == .nobody {
        #expect(waits(5) { (element.statistic("frames") ?? 0) >= 50 })
      } else {
        // With fewer frames than a compositor holds there are none.
        _ = waits(1) { (element.statistic("frames") ?? 0) >= 50 }
      }
      let peak = try #require(element.statistic("pool-peak"))
      #expect(element.statistic("pool-bound") ?? 0 >= bound)
      #expect(try peak <= #require(element.statistic("pool-bound")))
      #expect(wanted == 0 || element.statistic("pool-bound") == bound)
      #expect(UInt64(seen.count) <= peak)
      #expect(kept.all.allSatisfy { $0.canBeRead })
      if holder == .copies || holder == .parts { checkReturn(kept, element, seen) }
      #expect(holder != .nobody || peak <= 3, "\(peak)")
      var stops = CallTimes()
      stops.measure { gst_element_set_state(test.pipeline, GST_STATE_NULL) }
      #expect(stops.longest < 3 * CallTimes.limit, "\(stops)")
      #expect(test.takeErrors().isEmpty)
    }

    /// Counts the memory when it is freed.
    private func countEnd(of memory: UnsafeMutablePointer<GstMemory>, in counter: Counter) {
      gst_mini_object_weak_ref(
        cast(memory),
        { counter, _ in
          guard let counter else { return }
          Unmanaged<Counter>.fromOpaque(counter).takeRetainedValue().increment()
        }, Unmanaged.passRetained(counter).toOpaque())
    }

    @Test("copies that go on one thread while another stops the element are freed")
    func copiesGoWhileStopping() throws {
      let test = try TestPipeline(
        "videotestsrc ! video/x-raw,format=NV12,width=64,height=48 "
          + "! rasterfilter name=r brightness=0.2 max-buffers=8 ! \(Holder.copies.description)")
      let (kept, freed) = (BufferList(), Counter())
      let probe = try BufferProbe(try test.element("r"), "src") { buffer in
        Holder.copies.keep(buffer, in: kept)
        return .pass
      }
      defer { withExtendedLifetime(probe) {} }
      for round in 1...20 {
        gst_element_set_state(test.pipeline, GST_STATE_PLAYING)
        #expect(waits(5) { kept.count == 8 })
        for memory in kept.all.flatMap(\.memories) { countEnd(of: memory, in: freed) }
        // Some go before, some while, and some after it stops.
        let letGo = TestThread {
          for _ in 0..<10 {
            kept.removeFirst(1)
            pause(milliseconds: 1)
          }
        }
        gst_element_set_state(test.pipeline, GST_STATE_NULL)
        letGo.join()
        kept.removeAll()
        #expect(freed.count == 8 * round)
      }
      #expect(test.takeErrors().isEmpty)
    }
  }
}
