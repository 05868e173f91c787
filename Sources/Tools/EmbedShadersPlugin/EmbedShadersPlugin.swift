import Foundation
import PackagePlugin

/// Turns the `.glsl` files of a target into string literals before it is compiled.
@main
struct EmbedShadersPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = target.directoryURL
    let shaders =
      (FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "glsl" }
      .sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "ShaderSources.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(shaders.count) shaders",
        executable: try context.tool(named: "embed-shaders").url,
        arguments: [root.path, output.path] + shaders.map(\.path),
        inputFiles: shaders, outputFiles: [output])
    ]
  }
}
