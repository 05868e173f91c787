internal import CShaderc
package import RasterGraph

/// Compiles GLSL to SPIR-V with shaderc.
///
/// Thread-safety: every call makes a compiler of its own.
package enum ShaderCompiler {
  /// The compiler and how it is used, as far as it can be known: shaderc has no version number, but
  /// tells which SPIR-V it writes.
  package static var identity: String {
    var (version, revision): (UInt32, UInt32) = (0, 0)
    shaderc_get_spv_version(&version, &revision)
    return "shaderc, SPIR-V \(version).\(revision), Vulkan 1.2, not optimized"
  }

  /// The SPIR-V words of a compute shader for Vulkan 1.2. Costs milliseconds.
  ///
  /// - Parameters:
  ///   - source: GLSL with an entry point `main`.
  ///   - name: what the compiler's messages call the text.
  /// - Throws: `internalFailure` with the compiler's messages.
  package static func compile(_ source: String, name: String) throws(RasterError) -> [UInt32] {
    let compiler = shaderc_compiler_initialize()
    defer { shaderc_compiler_release(compiler) }
    let options = shaderc_compile_options_initialize()
    defer { shaderc_compile_options_release(options) }
    shaderc_compile_options_set_target_env(
      options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2.rawValue)
    shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_zero)
    let result = shaderc_compile_into_spv(
      compiler, source, source.utf8.count, shaderc_glsl_compute_shader, name, "main", options)
    defer { shaderc_result_release(result) }
    guard shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success,
      let bytes = shaderc_result_get_bytes(result)
    else {
      let messages = shaderc_result_get_error_message(result).map { String(cString: $0) }
      throw RasterError(
        .internalFailure, "A kernel does not compile: \(messages ?? "out of memory")",
        remedy: "Report it together with the caps and the settings of the element.")
    }
    let count = shaderc_result_get_length(result) / MemoryLayout<UInt32>.size
    return bytes.withMemoryRebound(to: UInt32.self, capacity: count) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }
}
