package import CGstCheck

/// Answers the ALLOCATION query at the sink pad of an element with a pool of its own.
package final class Offer {
  private let pad: UnsafeMutablePointer<GstPad>
  private let id: gulong
  fileprivate let pool: UnsafeMutablePointer<GstBufferPool>
  fileprivate let size: gsize
  fileprivate let least: UInt32
  fileprivate let most: UInt32

  /// - Parameters:
  ///   - size: of a buffer, in bytes.
  ///   - hasOwnMemory: whether the memory is of a kind that only its maker knows.
  package init(
    at element: UnsafeMutablePointer<GstElement>, size: gsize, hasOwnMemory: Bool = false,
    least: UInt32, most: UInt32
  ) throws {
    guard let pad = gst_element_get_static_pad(element, "sink"),
      let pool = gst_video_buffer_pool_new()
    else { throw TestPipeline.ParseError(description: "there is no pad for a pool") }
    (self.pad, self.pool, self.size, self.least, self.most) = (pad, pool, size, least, most)
    if hasOwnMemory {
      let config = gst_buffer_pool_get_config(pool)
      let allocator = raster_test_allocator_new()
      gst_buffer_pool_config_set_allocator(config, allocator, nil)
      gst_object_unref(allocator)
      gst_buffer_pool_set_config(pool, config)
    }
    let holder = Holder()
    id = gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      { _, info, data in
        let query = info?.pointee.data?.assumingMemoryBound(to: GstQuery.self)
        guard let query, let data, query.pointee.type == GST_QUERY_ALLOCATION,
          let offer = Unmanaged<Holder>.fromOpaque(data).takeUnretainedValue().offer
        else { return GST_PAD_PROBE_OK }
        gst_query_add_allocation_pool(query, offer.pool, guint(offer.size), offer.least, offer.most)
        gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
        return GST_PAD_PROBE_HANDLED
      }, Unmanaged.passRetained(holder).toOpaque(),
      { data in if let data { Unmanaged<Holder>.fromOpaque(data).release() } })
    holder.offer = self
  }

  private final class Holder {
    weak var offer: Offer?
  }

  deinit {
    gst_pad_remove_probe(pad, id)
    gst_object_unref(pad)
    gst_object_unref(pool)
  }
}
