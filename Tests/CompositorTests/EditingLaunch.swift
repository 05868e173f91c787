import CGstCheck
import Glibc
import RasterTestSupport
import Testing

/// A timeline that ges-launch-1.0 renders in a process of its own, as users do it.
struct EditingLaunch {
  /// All frames, one after the other, as they lie in memory.
  let bytes: [UInt8]
  /// The factories that elements were made with.
  let factories: Set<String>

  /// - Parameters:
  ///   - clips: as ges-launch reads them, word by word.
  ///   - caps: of the video track.
  ///   - mixer: gets a rank above all other compositors.
  init(_ clips: [String], _ caps: String, mixer: String) throws {
    let folder = try TemporaryFolder()
    let (output, log) = (folder.add("frames"), folder.add("log"))
    let arguments =
      [
        "timeout", "60", "ges-launch-1.0", "--no-interactive", "--track-types=video",
        "--video-caps", caps, "--videosink", "filesink location=\(output)",
      ] + clips
    var text: UnsafeMutablePointer<CChar>?
    var status: gint = -1
    let started = EditingLaunch.spawn(
      arguments,
      [
        "GST_PLUGIN_PATH": EditingLaunch.pluginFolder, "GST_PLUGIN_FEATURE_RANK": "\(mixer):258",
        "GST_REGISTRY": ProcessEnvironment.value("GST_REGISTRY") + ".editing",
        "GST_DEBUG": "GST_ELEMENT_FACTORY:4", "GST_DEBUG_FILE": log, "GST_DEBUG_NO_COLOR": "1",
      ], &text, &status)
    defer { g_free(text) }
    let errors = text.map { String(cString: $0) } ?? ""
    try #require(started && status == 0, "\(arguments): \(errors)")
    bytes = try folder.read(output)
    factories = EditingLaunch.factories(in: try folder.read(log))
  }

  /// Where `scripts/build` puts the plugin.
  private static var pluginFolder: String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return root.joined(separator: "/") + "/build"
  }

  private static func spawn(
    _ arguments: [String], _ variables: KeyValuePairs<String, String>,
    _ errors: inout UnsafeMutablePointer<CChar>?, _ status: inout gint
  ) -> Bool {
    var environment = g_get_environ()
    for (name, value) in variables {
      environment = g_environ_setenv(environment, name, value, 1)
    }
    defer { g_strfreev(environment) }
    var list = arguments.map { strdup($0) } + [nil]
    defer { for word in list { free(word) } }
    let flags = GSpawnFlags(
      G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_STDOUT_TO_DEV_NULL.rawValue)
    return g_spawn_sync(nil, &list, environment, flags, nil, nil, nil, &errors, &status, nil) != 0
  }

  /// The names in lines like: … creating element "compositor" named "x"
  private static func factories(in log: [UInt8]) -> Set<String> {
    let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
    let names = lines.compactMap { line -> String? in
      guard let start = line.firstRange(of: "creating element \"")?.upperBound else { return nil }
      return String(line[start...].prefix { $0 != "\"" })
    }
    return Set(names)
  }
}
