internal import RasterGraph

/// The user's GLSL as a function of a kernel.
enum UserShaderText {
  static func wrapped(_ shader: UserShader, suffix: String, words: [String: String]) -> String {
    shader.text
  }
}
