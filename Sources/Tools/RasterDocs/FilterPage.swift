import RasterGraph

/// The text of docs/filters.md.
enum FilterPage {
  static var text: String {
    let sections = FilterKind.allCases.map { kind in
      (["## \(kind.title)", kind.sentence] + kind.filters.map { $0.section })
        .joined(separator: "\n\n")
    }
    return ([introduction, contents] + sections).joined(separator: "\n\n")
  }

  private static let introduction = """
    # Filters

    <!-- raster-docs prints this file: run scripts/docs after a change of a filter. -->

    The property `filters` of `rasterfilter` holds a list. Each entry is the name of a filter and
    its values, apart by commas; entries are apart by semicolons and apply from left to right:

    ```sh
    \(launch("exposure, ev=0.5; gaussian-blur, sigma=3; scale, width=640"))
    ```

    What is not given has its default. A text with spaces, commas or semicolons stands in quotation
    marks, which gst-launch-1.0 wants with a backslash, and the list in quotation marks of its own:

    ```sh
    \(launch("tone-curve, points=\"0,0 0.5,0.6 1,1\"; sobel"))
    ```

    `(string)` before a text keeps it as it is where it looks like a number:
    `color=(string)0x336699`.

    Each entry becomes a child of the element with the name of its filter; a second `exposure` is
    `exposure-1`. Values can be given to children too, before or while frames pass:

    ```sh
    \(launch("gaussian-blur", " gaussian-blur::sigma=6"))
    ```

    Numbers can be animated by a GstController:

    ```c
    GObject *blur = gst_child_proxy_get_child_by_name (GST_CHILD_PROXY (element), "gaussian-blur");
    GstControlSource *curve = gst_interpolation_control_source_new ();
    g_object_set (curve, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
    gst_object_add_control_binding (GST_OBJECT (blur),
        gst_direct_control_binding_new_absolute (GST_OBJECT (blur), "sigma", curve));
    GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (curve);
    gst_timed_value_control_source_set (values, 0, 1.0);
    gst_timed_value_control_source_set (values, 5 * GST_SECOND, 20.0);
    ```

    A list becomes as few passes over memory as can be: filters of colors share the pass of what
    stands before or after them, and scaling, turning and cropping in a row become one.
    `GST_DEBUG=raster:4` writes the passes to the log, `GST_DEBUG_DUMP_DOT_DIR=folder` draws them as
    Graphviz files in a folder.

    Lines are to be run in the folder of the repository. The pictures are made of this one, of 224
    × 126 pixels, as RGBA; what becomes transparent shows the page:

    ![original](filters/original.png)
    """

  private static var contents: String {
    FilterKind.allCases.map { kind in
      "- \(kind.title): " + kind.filters.map { "[\($0.name)](#\($0.name))" }.joined(separator: ", ")
    }.joined(separator: "\n")
  }

  /// A line for the shell that shows a list at work.
  ///
  /// - Parameter rest: what follows the list, with a space before it.
  static func launch(_ list: String, _ rest: String = "") -> String {
    var quoted = "\"\(list)\""
    if list.contains("\"") {
      let escaped = list.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      quoted = "'\"\(escaped)\"'"
    }
    return "gst-launch-1.0 filesrc location=docs/media/bigbuckbunny.mp4 ! decodebin ! "
      + "rasterfilter filters=\(quoted)\(rest) ! videoconvert ! autovideosink"
  }
}

extension FilterKind {
  /// The filters of the kind, in the order of their names.
  fileprivate var filters: [any Filter.Type] { FilterRegistry.all.filter { $0.kind == self } }

  fileprivate var title: String {
    switch self {
    case .pointwise: "Colors"
    case .warp: "Places and sizes"
    case .neighborhood: "Blurs and edges"
    case .reduction: "Statistics"
    case .generator: "Generators"
    case .composite: "Two pictures"
    case .shader: "Own GLSL"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .pointwise: "They change the color of each pixel."
    case .warp: "They change where pixels are, or how many there are."
    case .neighborhood: "They make each pixel of those around it."
    case .reduction: "They change each pixel by what the whole picture is like."
    case .generator: "They put a picture of their own in place of the frame."
    case .composite: "They put another picture over the frame."
    case .shader: "It does what your own text says."
    }
  }
}
