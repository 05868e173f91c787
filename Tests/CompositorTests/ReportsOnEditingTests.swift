import CGstCheck
import RasterTestSupport
import Synchronization
import Testing

extension CompositorElementTests.Reports {
  /// What GStreamer Editing Services need, which choose their compositor by its rank.
  @Suite(.guarded, .timeLimit(.minutes(1))) struct Editing {
    /// A clip of one color: red is 4, green 5, blue 6.
    private typealias Clip = (start: Int, duration: Int, pattern: Int)

    /// A timeline in the services' own file format; times are in seconds.
    private func timeline(_ clips: [Clip]) -> String {
      let elements = clips.enumerated().map { index, clip in
        """
        <clip id='\(index)' asset-id='GESTestClip' type-name='GESTestClip' layer-priority='0' track-types='4'
         start='\(clip.start * second)' duration='\(clip.duration * second)' inpoint='0' rate='0'
         properties='properties, name=(string)clip\(index), vpattern=(int)\(clip.pattern);'/>
        """
      }
      return """
        <ges version='0.7'><project properties='properties;' metadatas='metadatas;'>
        <encoding-profiles/><ressources/>
        <timeline properties='properties, auto-transition=(boolean)true;' metadatas='metadatas;'>
        <track caps='video/x-raw(ANY)' track-type='4' track-id='0' properties='properties,
         restriction-caps=(string)&quot;video/x-raw, width=(int)64, height=(int)48, framerate=(fraction)25/1&quot;,
         mixing=(boolean)true;' metadatas='metadatas;'/>
        <layer priority='0' properties='properties, auto-transition=(boolean)true;' metadatas='metadatas;'>
        \(elements.joined())
        </layer><groups/></timeline></project></ges>
        """
    }

    /// A pipeline that plays a timeline, and the colors in the middle of its frames by their times.
    private final class Player {
      let test: TestPipeline
      private let folder: TemporaryFolder
      private let seen = Colors()
      private var probe: BufferProbe?

      init(_ timeline: String) throws {
        let factory = try #require(gst_element_factory_find(compositor))
        gst_plugin_feature_set_rank(factory, 300)
        gst_object_unref(UnsafeMutableRawPointer(factory))
        folder = try TemporaryFolder()
        let file = try folder.write(Array(timeline.utf8), as: "timeline.xges")
        test = try TestPipeline(
          "filesrc location=\(file) ! application/xges ! gesdemux name=g ! videoconvert ! video/x-raw, format=RGBA "
            + "! fakesink name=s sync=false")
        let (layout, seen) = (VideoLayout("RGBA", 64, 48), seen)
        probe = try BufferProbe(try test.element("s"), "sink") { buffer in
          let frame = (Int(buffer.fields.pts), buffer.picture(layout)?[32, 24] ?? [])
          seen.list.withLock { $0.append(frame) }
          return .pass
        }
      }

      var colors: [(time: Int, color: [UInt8])] { seen.list.withLock { $0 } }

      func forget() { seen.list.withLock { $0 = [] } }

      /// Compositors of the kind under test that the timeline has made.
      var compositors: Int {
        let all = gst_bin_iterate_all_by_element_factory_name(cast(test.pipeline), compositor)
        defer { gst_iterator_free(all) }
        let count = Counter()
        gst_iterator_foreach(
          all,
          { _, data in
            if let data { Unmanaged<Counter>.fromOpaque(data).takeUnretainedValue().increment() }
          }, Unmanaged.passUnretained(count).toOpaque())
        return count.count
      }

      private final class Colors: Sendable {
        let list = Mutex<[(Int, [UInt8])]>([])
      }
    }

    // Stock fails: its "add" takes the colors of "over", and is no crossfade.
    @Test("report 61: by the operators of a crossfade the middle is the mean of both layers")
    func crossfadeOperators() throws {
      let layout = VideoLayout("RGBA", 4, 4)
      let mixer = try Mixer(
        inputs: 2, ["background": "transparent"], outputCaps: layout.caps())
      let colors: [[UInt8]] = [[255, 0, 40, 255], [0, 255, 200, 255]]
      for (feed, name) in zip(mixer.feeds, ["source", "add"]) {
        feed.set(["operator": name])
        feed.start(layout.caps())
      }
      for step in 0...8 {
        let part = Double(step) / 8
        for (feed, (color, alpha)) in zip(mixer.feeds, zip(colors, [1 - part, part])) {
          raster_test_set_double(feed.sink, "alpha", alpha)
          feed.push(Picture(layout, color: color).packed().at(step))
        }
        let mean = zip(colors[0], colors[1]).map { Double($0) * (1 - part) + Double($1) * part }
        expectClose(try mixer.takePicture(layout)[1, 1], mean.map { UInt8($0.rounded()) })
      }
    }

    @Test("report 61: a timeline fades from one clip to the next without a jump")
    func crossfade() throws {
      let player = try Player(timeline([(0, 2, 4), (1, 2, 6)]))
      #expect(player.test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
      #expect(player.compositors >= 1)
      #expect(player.test.run(seconds: 20) == .endOfStream)
      #expect(player.colors.count == 75)
      for (time, color) in player.colors {
        let part = min(max(Double(time) / 1e9 - 1, 0), 1)
        // The services overwrite the operators with "over" (1.22), so the first clip fades twice, to black.
        let wanted = [255 * (1 - part) * (1 - part), 0, 255 * part, 255]
        expectClose(color, wanted.map { UInt8($0.rounded()) }, within: 8)
      }
    }

    @Test("report 62: clips one after the other play without a stop, and are found by seeks")
    func scrub() throws {
      let player = try Player(timeline([(0, 1, 4), (1, 1, 5), (2, 1, 6)]))
      #expect(player.test.run(seconds: 20) == .endOfStream)
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]
      #expect(player.colors.map(\.time) == (0..<75).map { $0 * second / 25 })
      for (time, color) in player.colors { expectClose(color, colors[time / second], within: 3) }
      #expect(player.test.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_SUCCESS)
      var random = RandomBytes(seed: 62)
      for _ in 0..<20 {
        let time = random.next(in: 0...2.9)
        player.forget()
        #expect(player.test.seek(to: time))
        #expect(waits { player.colors.count == 1 }, "\(time) s")
        guard let shown = player.colors.first else { continue }
        expectClose(shown.color, colors[Int(time)], within: 3)
      }
    }

    @Test("report 63: frames are good where downstream answers no allocation query")
    func noProposal() throws {
      let layout = VideoLayout("I420", 34, 22)
      let test = try TestPipeline(
        "videotestsrc num-buffers=24 pattern=smpte ! \(layout.caps()) ! \(compositor) "
          + "! identity drop-allocation=true ! fakesink name=s sync=false")
      // All are kept to the end: none may be written again.
      let keeper = try FrameKeeper(try test.element("s"))
      #expect(test.run(seconds: 20) == .endOfStream)
      let pictures = keeper.kept.all.map { $0.picture(layout) }
      #expect(pictures.count == 24)
      let first = try #require(pictures.first ?? nil)
      #expect(Set(first.planes[0]).count > 5)
      // The noise in one corner of the pattern moves.
      #expect(pictures.allSatisfy { $0?.planes[0].prefix(34) == first.planes[0].prefix(34) })
    }

    @Test("report 64: the element has all that the services look for")
    func selection() throws {
      let element = try #require(GStreamer.makeElement(compositor))
      defer { gst_object_unref(element) }
      let factory = gst_element_get_factory(element)
      let words = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS)
      let klass = try #require(words.map { String(cString: $0) })
      #expect(klass.hasPrefix("Filter/Editor/Video/Compositor"), "\(klass)")
      let elementType = gst_element_factory_get_element_type(factory)
      #expect(g_type_is_a(elementType, gst_aggregator_get_type()) != 0)
      let template = try #require(gst_element_get_pad_template(element, "sink_%u"))
      #expect(template.pointee.presence == GST_PAD_REQUEST)
      let padClass = g_type_class_ref(raster_test_template_type(template))
      defer { g_type_class_unref(padClass) }
      let properties = padClass?.assumingMemoryBound(to: GObjectClass.self)
      func type(_ name: String) -> String? {
        guard let property = g_object_class_find_property(properties, name) else { return nil }
        return String(cString: g_type_name(g_type_fundamental(property.pointee.value_type)))
      }
      let types = ["xpos", "ypos", "width", "height", "alpha", "zorder", "operator"].map {
        type($0)
      }
      #expect(types == ["gint", "gint", "gint", "gint", "gdouble", "guint", "GEnum"])
      for name in ["samples-selected", "deep-notify"] {
        #expect(g_signal_lookup(name, elementType) != 0, "\(name)")
      }
    }

    @Test("report 64: and takes what they set, as they set it")
    func settings() throws {
      let element = try #require(GStreamer.makeElement(compositor))
      defer { gst_object_unref(element) }
      // They say that the background is number 1.
      raster_test_set_int(element, "background", 1)
      #expect(text(element, "background") == "black")
      element.set("emit-signals", to: "true")
      #expect(text(element, "emit-signals") == "true")
      let template = gst_element_get_pad_template(element, "sink_%u")
      let pad = try #require(gst_element_request_pad(element, template, nil, nil))
      defer { gst_object_unref(pad) }
      raster_test_place(pad, 3, 4, 5, 6, 0.25, 7)
      #expect(
        ["xpos", "ypos", "width", "height", "zorder"].map { text(pad, $0) } == [
          "3", "4", "5", "6", "7",
        ])
      for name in ["source", "over", "add"] {
        pad.set(["operator": name])
        #expect(text(pad, "operator") == name)
      }
    }
  }
}
