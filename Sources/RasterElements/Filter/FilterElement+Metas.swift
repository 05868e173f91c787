// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The name of the function for C is that of the header.
internal import CShim
internal import RasterGraph
internal import RasterVideo
internal import Synchronization

extension FilterElement {
  /// Whether a meta of `input` is right for `output` as it is.
  ///
  /// Positions and sizes are scaled with the frame by the meta itself where it can; where the picture
  /// moves within its frame nothing says where they go, and such metas are left out.
  func keeps(
    _ meta: UnsafeMutablePointer<GstMeta>, of input: UnsafeMutablePointer<GstBuffer>,
    for output: UnsafeMutablePointer<GstBuffer>
  ) -> Bool {
    let tags: [String] = ["size", "orientation"]
    guard let info = meta.pointee.info,
      tags.contains(where: {
        gst_meta_api_type_has_tag(info.pointee.api, g_quark_from_string($0)) != 0
      })
    else { return true }
    guard let streams = session.withLock({ $0?.streams }) else { return true }
    if work.filters.contains(where: { $0.movesPicture }) { return false }
    guard streams.input.frame.extent != streams.output.frame.extent else { return true }
    var (from, to) = (streams.input.info, streams.output.info)
    withUnsafeMutablePointer(to: &from) { from in
      withUnsafeMutablePointer(to: &to) { to in
        var scale = GstVideoMetaTransform(in_info: from, out_info: to)
        _ = info.pointee.transform_func?(
          output, meta, input, gst_video_meta_transform_scale_get_quark(), &scale)
      }
    }
    return false
  }
}

@c @implementation
func raster_filter_transform_meta(
  _ pointer: gpointer?, _ output: UnsafeMutablePointer<GstBuffer>?,
  _ meta: UnsafeMutablePointer<GstMeta>?, _ input: UnsafeMutablePointer<GstBuffer>?
) -> gboolean {
  guard let element = filterElement(pointer), let output, let meta, let input else { return 0 }
  return element.keeps(meta, of: input, for: output) ? 1 : 0
}
