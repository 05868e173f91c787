package import CGstCheck
internal import Glibc

/// GStreamer in the test process, with the elements of this project registered.
package enum GStreamer {
  /// Starts GStreamer at the first call; later calls and other threads find it started.
  package static func start() { _ = isStarted }

  // A static property is initialized once, whichever threads ask for it.
  private static let isStarted: Bool = {
    prepareEnvironment()
    gst_init(nil, nil)
    Diagnostics.install()
    raster_test_register()
    // The leaks tracer reports when GStreamer ends.
    if !ProcessEnvironment.value("GST_TRACERS").isEmpty { atexit { gst_deinit() } }
    return true
  }()

  /// Sets the variables that must be right before GStreamer and Vulkan read them.
  private static func prepareEnvironment() {
    // The plugin is linked into this process; another copy of it must not be found.
    unsetenv("GST_PLUGIN_PATH")
    unsetenv("GST_PLUGIN_PATH_1_0")
    setenv("GST_REGISTRY", "/tmp/raster-tests-\(getuid()).registry", 0)
    for name in ProcessEnvironment.changedByTests { setenv(name, "", 0) }
    // These count even if they are empty.
    for name in ["VK_ICD_FILENAMES", "MESA_SHADER_CACHE_DIR"]
    where ProcessEnvironment.value(name).isEmpty { unsetenv(name) }
  }

  /// Whether GStreamer is of a later minor version than that.
  package static func isNewerThan(_ major: UInt32, _ minor: UInt32) -> Bool {
    var (own, part, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
    gst_version(&own, &part, &micro, &nano)
    return (own, part) > (major, minor)
  }

  /// A new element that the caller owns; nil where no plugin has it.
  package static func makeElement(_ factory: String) -> UnsafeMutablePointer<GstElement>? {
    start()
    guard let element = gst_element_factory_make(factory, nil) else { return nil }
    gst_object_ref_sink(element)
    return element
  }
}

/// Environment variables that tests change while the process runs.
package enum ProcessEnvironment {
  /// All of them exist from the start: changing an existing variable leaves the array of variables
  /// where it is, so that a thread that reads another one meanwhile is safe.
  package static let changedByTests = [
    "MESA_SHADER_CACHE_DIR", "RASTER_CACHE_DIR", "RASTER_DEVICE", "RASTER_FAULT",
    "VK_ICD_FILENAMES", "VK_ADD_LAYER_PATH",
    "VK_INSTANCE_LAYERS",
  ]

  /// The value of a variable; empty where it is not set.
  package static func value(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// Runs `body` while a variable has another value.
  package static func with<Value>(
    _ name: String, _ value: String, _ body: () throws -> Value
  ) rethrows -> Value {
    let old = getenv(name).map { String(cString: $0) }
    setenv(name, value, 1)
    defer {
      if let old { setenv(name, old, 1) } else { unsetenv(name) }
    }
    return try body()
  }
}

/// Sees a pointer to a GObject instance as one to another class of the same instance.
package func cast<From, To>(
  _ pointer: UnsafeMutablePointer<From>, to type: To.Type = To.self
) -> UnsafeMutablePointer<To> {
  UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: To.self)
}

extension UnsafeMutablePointer<GstElement> {
  /// Sets a property from its text form, as gst-launch does.
  package func set(_ property: String, to text: String) {
    gst_util_set_object_arg(cast(self), property, text)
  }

  /// Sets properties from their text forms.
  package func set(_ properties: KeyValuePairs<String, String>) {
    for (name, text) in properties { set(name, to: text) }
  }

  /// References that exist to the element.
  package var referenceCount: Int { Int(raster_test_object_references(cast(self))) }
}
