/// A call of a GLSL function: what it is, not its numbers.
package struct ShaderCall: Hashable, Sendable {
  /// What the function takes and changes.
  package enum Channels: Hashable, Sendable {
    case first
    case all
  }

  package let source: ShaderSource
  package let channels: Channels
  package let argumentCount: Int
  /// The index of its table among those of the kernel; nil where it has none.
  package let table: Int?

  package init(source: ShaderSource, channels: Channels, argumentCount: Int, table: Int?) {
    self.source = source
    self.channels = channels
    self.argumentCount = argumentCount
    self.table = table
  }
}
