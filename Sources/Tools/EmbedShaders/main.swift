import Foundation

// usage: embed-shaders ROOT OUTPUT FILE...
// Writes OUTPUT, a Swift dictionary from a file's path below ROOT (without its ending) to its text. String
// literals compile in milliseconds where SwiftPM's own `.embedInCode` byte arrays take seconds.
let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  FileHandle.standardError.write(Data("usage: embed-shaders ROOT OUTPUT FILE...\n".utf8))
  exit(2)
}
let root = arguments[1].hasSuffix("/") ? arguments[1] : arguments[1] + "/"
var text = "let shaderSources: [String: String] = [\n"
for path in arguments.dropFirst(3) {
  let name = path.dropFirst(path.hasPrefix(root) ? root.count : 0).dropLast(".glsl".count)
  let source = try String(contentsOfFile: path, encoding: .utf8)
  text += "  \"\(name)\": ####\"\"\"\n\(source)\n\"\"\"####,\n"
}
if arguments.count == 3 { text += "  :\n" }
text += "]\n"
try text.write(toFile: arguments[2], atomically: true, encoding: .utf8)
