import Glibc
import RasterGraph
import RasterTestSupport
import RasterVideo
import Testing

/// Pictures from files.
@Suite(.serialized, .guarded, .timeLimit(.minutes(2)))
struct ImageFileTests {
  typealias PNG = PortableNetworkGraphics

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// All values of the first channel, and others in the rest.
  private func samples(_ count: Int, channels: Int, limit: Int) -> [UInt16] {
    (0..<count).flatMap { pixel in
      (0..<channels).map { UInt16((pixel * (2 * $0 + 1) + 37 * $0) % limit) }
    }
  }

  /// Red, green, blue and alpha of pixels that have any channels.
  private func expanded(_ samples: [UInt16], _ type: PNG.ColorType, factor: UInt16) -> [UInt16] {
    let count = type.channels
    return stride(from: 0, to: samples.count, by: count).flatMap { first -> [UInt16] in
      let pixel = samples[first..<(first + count)].map { $0 * factor }
      switch type {
      case .gray: return [pixel[0], pixel[0], pixel[0], 65535]
      case .grayAlpha: return [pixel[0], pixel[0], pixel[0], pixel[1]]
      case .rgb: return pixel + [65535]
      case .rgba: return pixel
      }
    }
  }

  /// Tells the first difference: long arrays are not shown in a moment.
  private func expectEqual(_ actual: [UInt16], _ expected: [UInt16]) {
    #expect(actual.count == expected.count)
    let index = zip(actual, expected).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(index == nil)
  }

  @Test(arguments: PNG.ColorType.allCases)
  func `samples of 8 bits are those of the file times 257`(type: PNG.ColorType) throws {
    let samples = samples(37 * 41, channels: type.channels, limit: 256)
    let path = try folder.write(
      PNG.file(samples, width: 37, height: 41, type: type, depth: 8), as: "a.png")
    let image = try ImageFile.load(path)
    #expect(image.width == 37 && image.height == 41)
    expectEqual(image.pixels, expanded(samples, type, factor: 257))
  }

  @Test(arguments: PNG.ColorType.allCases)
  func `samples of 16 bits are those of the file`(type: PNG.ColorType) throws {
    let samples = samples(256 * 257, channels: type.channels, limit: 65536)
    let path = try folder.write(
      PNG.file(samples, width: 256, height: 257, type: type, depth: 16), as: "a.png")
    let image = try ImageFile.load(path)
    expectEqual(image.pixels, expanded(samples, type, factor: 1))
  }

  @Test func `a HALD CLUT becomes its cube`() throws {
    // Level 2 has 8 × 8 pixels: a cube of 4.
    let cube = (0..<64).flatMap { index in
      [index % 4, index / 4 % 4, index / 16].map { UInt16($0 * 21845) }
    }
    let path = try folder.write(
      PNG.file(cube, width: 8, height: 8, type: .rgb, depth: 16), as: "hald.png")
    let image = try ImageFile.load(path)
    let table = try ColorTable(
      hald: image.pixels, width: image.width, height: image.height, name: path)
    #expect(table.size == 4 && table.values == cube.map { Float($0) / 65535 })
  }

  @Test(arguments: ["jpegenc", "pngenc"])
  func `pictures of GStreamer's encoders are read`(encoder: String) throws {
    let path = folder.add("picture")
    let test = try TestPipeline(
      "videotestsrc num-buffers=1 pattern=white ! video/x-raw,format=RGB,width=64,height=48 "
        + "! \(encoder) ! filesink location=\(path)")
    #expect(test.run() == .endOfStream)
    let image = try ImageFile.load(path)
    #expect(image.width == 64 && image.height == 48)
    #expect(image.pixels.allSatisfy { $0 > 65000 })
  }

  @Test(
    arguments: [
      "a picture.png", "quo\"te'.png", "back\\slash ! fakesink.png", "ümläut ☃.png",
      "\"quoted\".png", "new\nline.png", "-", "%s%n.png",
    ])
  func `any name of a file will do`(name: String) throws {
    let path = try folder.write(
      PNG.file([1, 2, 3], width: 1, height: 1, type: .rgb, depth: 8), as: name)
    #expect(try ImageFile.load(path).pixels == [257, 514, 771, 65535])
  }

  private func error(_ path: String) -> RasterError? {
    #expect(throws: RasterError.self) { try ImageFile.load(path) }
  }

  private func expect(_ path: String, _ words: String) {
    let error = error(path)
    #expect(error?.code == .invalidSetting)
    let message = error?.message ?? ""
    #expect(message.contains(path) && message.contains(words), "\(message)")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func `what is no file is refused`() throws {
    expect(folder.path + "/missing.png", "cannot be found")
    expect(folder.path, "is a folder")
    expect("", "cannot be found")
    expect("/dev/zero", "not a regular file")
    let queue = folder.add("queue")
    #expect(mkfifo(queue, 0o600) == 0)
    expect(queue, "not a regular file")
    expect(try folder.write([], as: "empty.png"), "is empty")
  }

  @Test func `what is no picture is refused`() throws {
    expect(try folder.write(Array("just some words\n".utf8), as: "a.png"), "holds no picture")
    let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    expect(try folder.write(noise, as: "noise.png"), "holds no picture")
    let sound = folder.add("sound.wav")
    let test = try TestPipeline(
      "audiotestsrc num-buffers=3 ! wavenc ! filesink location=\(sound)")
    #expect(test.run() == .endOfStream)
    expect(sound, "holds no picture")
  }

  /// pngenc compresses, with codes and filters of all kinds.
  @Test(arguments: [
    ("smpte", 321, 123), ("zone-plate", 321, 123), ("snow", 65, 9), ("black", 999, 2),
    ("smpte", 3, 2),
  ])
  func `a compressed picture of 16 bits is read to the last bit`(
    pattern: String, width: Int, height: Int
  ) throws {
    let path = folder.add("deep.png")
    let buffers = BufferList()
    let test = try TestPipeline(
      "videotestsrc num-buffers=1 pattern=\(pattern) ! video/x-raw,format=GRAY16_BE,"
        + "width=\(width),height=\(height) ! pngenc name=e ! filesink location=\(path)")
    let probe = try BufferProbe(try test.element("e"), "sink") { buffer in
      buffers.append(buffer)
      return .pass
    }
    defer { withExtendedLifetime(probe) {} }
    #expect(test.run() == .endOfStream)
    let layout = VideoLayout("GRAY16_BE", width, height)
    let frame = try #require(buffers.all.first.flatMap { Picture(reading: $0, as: layout) })
    let bytes = frame.planes[0]
    let expected = stride(from: 0, to: bytes.count, by: 2).flatMap { index -> [UInt16] in
      let gray = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      return [gray, gray, gray, 65535]
    }
    expectEqual(try ImageFile.load(path).pixels, expected)
  }

  @Test func `a damaged picture of 16 bits is refused or read`() throws {
    let path = folder.add("deep.png")
    let test = try TestPipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,format=GRAY16_BE,width=64,height=64 ! pngenc "
        + "! filesink location=\(path)")
    #expect(test.run() == .endOfStream)
    let file = try folder.read(path)
    var state: UInt32 = 1
    func number(_ limit: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % limit
    }
    var refused = 0
    for _ in 0..<500 {
      // The first 26 bytes lead to this reader.
      var damaged = file
      for _ in 0...number(3) { damaged[26 + number(file.count - 26)] = UInt8(number(256)) }
      if number(4) == 0 { damaged.removeLast(number(file.count - 26)) }
      let copy = try folder.write(damaged, as: "damaged.png")
      do throws(RasterError) {
        #expect(try ImageFile.load(copy).pixels.count == 4 * 64 * 64)
      } catch {
        #expect(error.code == .invalidSetting)
        refused += 1
      }
    }
    #expect(refused > 200)
  }

  @Test(
    arguments: [
      (16385, 1, "16385×1 pixels"), (1 << 31, 4, "pixels"), (0, 4, "damaged"),
      (16384, 16384, "damaged"),
    ])
  func `a header of 16 bits that promises too much costs nothing`(
    width: Int, height: Int, words: String
  ) throws {
    let file = PNG.file([1, 2, 3], width: 1, height: 1, type: .rgb, depth: 16)
    let header = PNG.header(width: width, height: height, type: .rgb, depth: 16)
    let path = try folder.write(header + file.dropFirst(header.count), as: "a.png")
    let seconds = secondsTaken { expect(path, words) }
    #expect(seconds < 1)
  }

  @Test func `a broken picture is refused`() throws {
    let samples = samples(64 * 64, channels: 4, limit: 256)
    let file = PNG.file(samples, width: 64, height: 64, type: .rgba, depth: 8)
    for count in [20, 40, 200, file.count / 2] {
      let path = try folder.write(Array(file.prefix(count)), as: "broken\(count).png")
      _ = error(path)
    }
  }

  @Test func `a picture that is too large is refused before it is decoded`() throws {
    let wide = PNG.file(
      [UInt16](repeating: 7, count: 16385), width: 16385, height: 1, type: .gray, depth: 8)
    expect(try folder.write(wide, as: "wide.png"), "16385×1 pixels")
    let widest = PNG.file(
      [UInt16](repeating: 7, count: 16384), width: 16384, height: 1, type: .gray, depth: 8)
    #expect(try ImageFile.load(try folder.write(widest, as: "widest.png")).width == 16384)
  }

  @Test func `threads load at the same time`() throws {
    let path = try folder.write(
      PNG.file([1, 2, 3], width: 1, height: 1, type: .rgb, depth: 8), as: "a.png")
    let loaded = Counter()
    let threads = (0..<4).map { _ in
      TestThread {
        for _ in 0..<5 where (try? ImageFile.load(path))?.pixels.first == 257 { loaded.increment() }
      }
    }
    for thread in threads { thread.join() }
    #expect(loaded.count == 20)
  }
}
