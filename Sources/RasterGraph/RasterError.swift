/// What went wrong, in words for the user, and what the user can do about it.
///
/// Every layer above Vulkan throws this type; the elements translate it, in one place, into an
/// element error.
package struct RasterError: Error, Hashable, Sendable {
  /// The kind of failure, which decides the error domain and the flow return.
  package enum Code: Hashable, Sendable, CaseIterable {
    /// No Vulkan driver, no such device, or a device that lacks what is needed.
    case deviceUnavailable
    /// The device stopped working while in use.
    case deviceLost
    /// Memory could not be had.
    case outOfMemory
    /// A frame that does not fit its caps, or a format that is not handled.
    case invalidFrame
    /// A setting that cannot be used.
    case invalidSetting
    /// A fault of this project: a kernel that does not compile, an unexpected refusal.
    case internalFailure
  }

  package let code: Code
  /// One sentence that names the cause.
  package let message: String
  /// One sentence that says what to do.
  package let remedy: String

  package init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}
