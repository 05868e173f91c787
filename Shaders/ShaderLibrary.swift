/// The GLSL functions of the project, by their path below `Shaders/` without the ending.
package enum ShaderLibrary {
  /// The text of one file; nil where there is none.
  package static func source(_ name: String) -> String? {
    shaderSources[name]
  }

  /// All names, for the tests that compare them with the registry.
  package static var names: [String] { shaderSources.keys.sorted() }
}
