internal import CGstCheck

/// What this process has taken from the system.
package struct ProcessResources: CustomStringConvertible, Sendable {
  /// Open files.
  package let descriptors: Int
  /// Bytes of memory that are used.
  package let residentBytes: Int

  /// Whether a validation layer takes memory, too.
  package static var includesValidation: Bool {
    ProcessEnvironment.value("VK_INSTANCE_LAYERS").contains("validation")
  }

  /// What is taken now.
  package static var current: ProcessResources {
    raster_test_trim_heap()
    return ProcessResources(
      descriptors: TemporaryFolder.names(in: "/proc/self/fd").count,
      residentBytes: (pages("/proc/self/statm", at: 1) ?? 0) * 4096)
  }

  private static func pages(_ path: String, at index: Int) -> Int? {
    var text: UnsafeMutablePointer<CChar>?
    guard g_file_get_contents(path, &text, nil, nil) != 0, let text else { return nil }
    defer { g_free(text) }
    let numbers = String(cString: text).split(separator: " ")
    return numbers.indices.contains(index) ? Int(numbers[index]) : nil
  }

  package var description: String {
    "\(descriptors) files, \(residentBytes / 1024) KiB"
  }
}

/// How long calls take that have to return at once.
package struct CallTimes: Sendable {
  /// What is meant by that, in seconds; validation layers make everything slow.
  package static var limit: Double {
    ProcessResources.includesValidation ? 0.3 : 0.1
  }

  private var seconds: [Double] = []

  package init() {}

  package mutating func measure(_ body: () throws -> Void) rethrows {
    seconds.append(try secondsTaken(body))
  }

  /// The time that half of the calls stay below: one may be late where others keep the machine busy.
  package var median: Double { seconds.sorted()[seconds.count / 2] }
  package var longest: Double { seconds.max() ?? 0 }
}
