internal import CGstCheck
internal import Glibc

/// The Vulkan layer of Tests/FaultLayer, which lets calls fail.
package enum FaultLayer {
  package struct NotBuilt: Error {}

  /// The folder with the built layer and its manifest; nil where it could not be built.
  private static let folder: String? = {
    var path = Array("/tmp/raster-fault-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { return nil }
    let folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let source = sourceFolder
    let library = "\(folder)/libVkLayer_raster_fault.so"
    atexit { FaultLayer.removeFolder() }
    guard
      run([
        "cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library,
        "\(source)/fault_layer.c",
      ]),
      run(["cp", "\(source)/VkLayer_raster_fault.json", folder])
    else { return nil }
    return folder
  }()

  private static func removeFolder() {
    guard let folder else { return }
    unlink("\(folder)/libVkLayer_raster_fault.so")
    unlink("\(folder)/VkLayer_raster_fault.json")
    rmdir(folder)
  }

  private static var sourceFolder: String {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return parts.joined(separator: "/") + "/FaultLayer"
  }

  /// Runs a program and waits for its end.
  private static func run(_ arguments: [String]) -> Bool {
    var list: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var environment = [strdup("PATH=\(ProcessEnvironment.value("PATH"))"), nil]
    defer { for text in list + environment { free(text) } }
    var process = pid_t()
    guard posix_spawnp(&process, arguments[0], nil, nil, &list, &environment) == 0 else {
      return false
    }
    var status: Int32 = 0
    return waitpid(process, &status, 0) == process && status == 0
  }

  /// Runs `body` with a fault for those devices that this thread opens meanwhile.
  ///
  /// - Parameter fault: as Tests/FaultLayer/README.md says.
  package static func with<Value>(_ fault: String, _ body: () throws -> Value) throws -> Value {
    guard let folder else { throw NotBuilt() }
    // Where that variable is set, the loader ignores the other.
    let path = ProcessEnvironment.value("VK_LAYER_PATH")
    let variable = path.isEmpty ? "VK_ADD_LAYER_PATH" : "VK_LAYER_PATH"
    let layers = ProcessEnvironment.value("VK_INSTANCE_LAYERS")
    let name = "VK_LAYER_RASTER_fault"
    return try ProcessEnvironment.with(variable, path.isEmpty ? folder : "\(path):\(folder)") {
      try ProcessEnvironment.with(
        "VK_INSTANCE_LAYERS", layers.isEmpty ? name : "\(layers):\(name)"
      ) {
        try ProcessEnvironment.with("RASTER_FAULT", "\(fault)@\(raster_test_thread_id())", body)
      }
    }
  }
}
