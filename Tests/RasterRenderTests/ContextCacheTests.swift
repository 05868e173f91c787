import Glibc
import RasterColor
import RasterGraph
import RasterReference
import RasterRender
import RasterTestSupport
import RasterVulkan
import Synchronization
import Testing

/// What contexts keep for later processes.
@Suite(.serialized) struct ContextCacheTests {
  private static func open(_ path: String?) throws -> RenderContext {
    RenderContext(try Device(DeviceSelection("")), cachingIn: path.map { CacheDirectory($0) })
  }

  /// Renders a frame with a chain of its own for each format; returns the pipelines that were made.
  private static func render(
    _ context: RenderContext, _ formats: [String] = ["NV12", "RGBA"]
  ) throws -> Int {
    var renderer = try Renderer(context)
    var made = 0
    for name in formats {
      let layout = try layout(name)
      var random = Random(5)
      let encoding = RendererTests.encoding(layout, range: .limited)
      let frame = ReferenceFrame(
        random: layout, encoding: encoding, width: 34, height: 6, using: &random)
      let source = try frame.makeFrame(.aligned, on: context.device, filler: 0, withSamples: true)
      let target = try frame.makeFrame(.aligned, on: context.device, filler: 0, withSamples: false)
      var chain = ColorChain()
      chain.balance.saturation = 0.25
      let report = try renderer.render(
        try frame.plan(chain.filters), from: [source], to: target)
      made += report.compiledKernels
      #expect(frame.read(from: target).maxDifference(to: frame.applying(chain.twins)) <= 1)
    }
    return made
  }

  private func files(_ folder: TemporaryFolder, _ suffix: String) -> [String] {
    TemporaryFolder.names(in: folder.path).filter { $0.hasSuffix(suffix) }
      .map { folder.path + "/" + $0 }
  }

  @Test func `a later context finds kernels and pipelines`() throws {
    let folder = try TemporaryFolder()
    do {
      let context = try Self.open(folder.path)
      #expect(try Self.render(context) == 2)
      // Nothing is new for another renderer, and nothing is written while frames pass.
      #expect(try Self.render(context) == 0)
      #expect(files(folder, ".spv").count == 2)
      #expect(files(folder, ".pipelines").isEmpty)
    }
    let all = files(folder, "")
    #expect(all.count == 3 && files(folder, ".pipelines").count == 1)
    let before = files(folder, ".spv").map { identity($0) }
    do { #expect(try Self.render(try Self.open(folder.path)) == 2) }
    #expect(files(folder, "") == all)
    #expect(files(folder, ".spv").map { identity($0) } == before)
  }

  @Test func `what a driver keeps is saved on demand, once`() throws {
    let folder = try TemporaryFolder()
    let context = try Self.open(folder.path)
    context.saveCaches()
    #expect(TemporaryFolder.names(in: folder.path).isEmpty)
    _ = try Self.render(context)
    context.saveCaches()
    let file = try #require(files(folder, ".pipelines").first)
    let written = identity(file)
    context.saveCaches()
    #expect(identity(file) == written)
    unlink(file)
    context.saveCaches()
    #expect(files(folder, ".pipelines").isEmpty)
  }

  @Test func `foreign and damaged data never reaches the driver`() throws {
    let folder = try TemporaryFolder()
    let device = try Device(DeviceSelection(""))
    let key = CacheKey(.pipelines, [device.driver.description])
    let path = folder.path + "/" + key.fileName
    do { _ = try Self.render(try Self.open(folder.path)) }
    let good = try load(path)
    let data = Array(good.dropFirst(64))
    #expect(device.driver.accepts(data))
    for length in 0..<32 { #expect(!device.driver.accepts(Array(data.prefix(length)))) }
    for index in 0..<32 {
      var foreign = data
      foreign[index] ^= 0x10
      #expect(!device.driver.accepts(foreign), "byte \(index)")
    }
    var foreign = data
    foreign[20] ^= 1
    // One file that is whole but another driver's, the others damaged.
    #expect(foreign.withUnsafeBytes { CacheDirectory(folder.path).write($0, for: key) })
    let files = [
      try load(path), [], Array(good.dropLast()), good + [0], good.map { _ in 0 },
      Array(good.prefix(70)),
    ]
    for file in files {
      try store(file, path)
      do { #expect(try Self.render(try Self.open(folder.path), ["GRAY8"]) == 1) }
      #expect(device.driver.accepts(Array(try load(path).dropFirst(64))))
    }
  }

  @Test func `a folder that cannot be written does not disturb`() throws {
    let folder = try TemporaryFolder()
    try store([], folder.path + "/file")
    for path in [folder.path + "/file", "/proc/raster", nil] {
      #expect(try Self.render(try Self.open(path), ["GRAY8"]) == 1)
    }
    #expect(TemporaryFolder.names(in: folder.path) == ["file"])
  }

  @Test func `threads that ask for a kernel at the same time compile it once`() throws {
    let context = try Self.open(nil)
    let made = Mutex<[Int]>([])
    let threads = (0..<4).map { _ in
      TestThread {
        guard let own = try? Self.render(context) else { return }
        made.withLock { $0.append(own) }
      }
    }
    for thread in threads { thread.join() }
    #expect(made.withLock { $0.count } == 4)
    #expect(made.withLock { $0.reduce(0, +) } == 2)
  }

  @Test func `two contexts write at the same time`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let formats = ["GRAY8", "RGBA", "NV12", "RGB", "I420"]
    let rendered = Counter()
    let threads = (0..<2).map { number in
      TestThread {
        let own = number == 0 ? formats : formats.reversed()
        guard let context = try? Self.open(path) else { return }
        guard (try? Self.render(context, own)) == own.count else { return }
        rendered.increment()
      }
    }
    for thread in threads { thread.join() }
    #expect(rendered.count == 2)
    let names = TemporaryFolder.names(in: path)
    #expect(names.count == formats.count + 1 && names.allSatisfy { $0.hasPrefix("raster-") })
    let before = files(folder, ".spv").map { identity($0) }
    do { #expect(try Self.render(try Self.open(path), formats) == formats.count) }
    #expect(files(folder, ".spv").map { identity($0) } == before)
  }
}
