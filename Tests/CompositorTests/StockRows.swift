/// Compositions of every kind: formats, alpha, operators, orders, sizes, places, backgrounds and shapes of pixels.
enum StockRows {
  static let all = formats + blending + places + sizes + conversions

  private static let size = "width=96,height=64"
  private static let small = "width=48,height=32"

  /// Two opaque pictures, the second one half covered by a third that is blended.
  private static func threePads(_ format: String) -> [PadRow] {
    [
      PadRow("smpte75", "format=\(format),\(size)"),
      PadRow("pinwheel", "format=\(format),\(small)", PadSettings(x: 8, y: 6, alpha: 1)),
      PadRow("ball", "format=\(format),\(small)", PadSettings(x: 32, y: 20, alpha: 0.6)),
    ]
  }

  /// Pictures of red and blue with a gradient of alpha, from clear to opaque and back.
  private static func clearPads(
    _ format: String, _ first: PadSettings, _ second: PadSettings
  ) -> [PadRow] {
    [
      PadRow(
        "gradient background-color=0x00ff2010 foreground-color=0xffe0a020",
        "format=\(format),\(size)", first),
      PadRow(
        "gradient background-color=0xf01020ff foreground-color=0x10208040",
        "format=\(format),\(size)", second),
    ]
  }

  private static let formats = [
    "I420", "NV12", "Y42B", "Y444", "AYUV", "RGBA", "BGRA", "ARGB", "GRAY8", "I420_10LE",
    "RGBx",
  ].map { format in
    StockRow(
      name: "\(format) from its own format", output: "format=\(format),\(size)",
      pads: threePads(format))
  }

  private static let blending =
    [0, 0.1, 0.25, 0.5, 0.75, 0.9].map { alpha in
      StockRow(
        name: "alpha \(alpha) in NV12", output: "format=NV12,\(size)",
        pads: [
          PadRow("pinwheel", "format=NV12,\(size)"),
          PadRow("smpte75", "format=NV12,\(size)", PadSettings(alpha: alpha)),
        ], unseen: alpha == 0 ? [1] : [])
    } + [
      StockRow(
        name: "pixels with alpha over a checker", output: "format=AYUV,\(size)",
        pads: [
          PadRow(
            elements:
              "videotestsrc pattern=smpte75 ! video/x-raw,format=AYUV ! smptealpha position=0.5 border=40000",
            "format=AYUV,\(size)", PadSettings(alpha: 0.8))
        ]),
      StockRow(
        name: "pixels with alpha over each other and nothing", output: "format=RGBA,\(size)",
        background: .transparent,
        pads: clearPads("RGBA", PadSettings(alpha: 0.7), PadSettings(alpha: 0.9))),
      StockRow(
        name: "source replaces, alpha too", output: "format=ARGB,\(size)",
        background: .transparent,
        pads: clearPads(
          "ARGB", PadSettings(), PadSettings(x: 24, y: 16, alpha: 0.5, mode: .source))),
      StockRow(
        name: "source of an opaque pad", output: "format=I420,\(size)",
        pads: threePads("I420").map { pad in
          var pad = pad
          pad.settings.mode = .source
          pad.settings.alpha = 1
          return pad
        }),
      StockRow(
        name: "source with alpha on an output without", output: "format=I420,\(size)",
        background: .white,
        pads: [
          PadRow("smpte75", "format=I420,\(small)", PadSettings(x: 16, alpha: 0.5, mode: .source))
        ], difference: .rule("takes the pad as opaque")),
      StockRow(
        name: "source with no alpha at all", output: "format=RGBA,\(size)",
        pads: [
          PadRow("smpte75", "format=RGBA,\(small)", PadSettings(x: 16, alpha: 0, mode: .source))
        ], difference: .rule("leaves the pad out")),
      StockRow(
        name: "add on black", output: "format=BGRA,\(size)", background: .black,
        pads: [PadRow("smpte75", "format=BGRA,\(small)", PadSettings(alpha: 0.5, mode: .add))]),
      StockRow(
        name: "add as in a crossfade", output: "format=ARGB,\(size)", background: .transparent,
        pads: [
          PadRow("smpte75", "format=ARGB,\(size)", PadSettings(alpha: 0.5, mode: .source)),
          PadRow("pinwheel", "format=ARGB,\(size)", PadSettings(alpha: 0.5, mode: .add)),
        ], difference: .rule("weights the lower picture twice")),
      StockRow(
        name: "add on a picture", output: "format=RGBA,\(size)", background: .black,
        pads: [
          PadRow("pinwheel", "format=RGBA,\(size)"),
          PadRow("smpte75", "format=RGBA,\(size)", PadSettings(alpha: 0.5, mode: .add)),
        ]),
      StockRow(
        name: "add of more than there is room for", output: "format=RGBA,\(size)",
        background: .transparent,
        pads: [
          PadRow("pinwheel", "format=RGBA,\(size)", PadSettings(alpha: 0.8)),
          PadRow("smpte75", "format=RGBA,\(size)", PadSettings(alpha: 0.6, mode: .add)),
        ], difference: .rule("lets the alpha overflow")),
    ]

  private static func row(
    _ name: String, _ format: String, on background: CompositionBackground = .checker,
    stockBound: Double = 2, _ pads: [PadRow], unseen: Set<Int> = [],
    difference: StockDifference? = nil
  ) -> StockRow {
    StockRow(
      name: name, output: "format=\(format),\(size)", background: background, pads: pads,
      unseen: unseen, stockBound: stockBound, difference: difference)
  }

  private static func threePads(_ format: String, zorders: [Int]) -> [PadRow] {
    zip(threePads(format), zorders).map { pad, zorder in
      var pad = pad
      pad.settings.zorder = zorder
      return pad
    }
  }

  private static let places: [StockRow] = [
    row("the highest pad comes first", "I420", threePads("I420", zorders: [3, 7, 5])),
    row(
      "pads that begin beyond the left and the top", "NV12",
      [
        PadRow("smpte75", "format=NV12,\(small)", PadSettings(x: -14, y: -6, alpha: 0.7)),
        PadRow("pinwheel", "format=NV12,\(small)", PadSettings(x: -20, y: 28)),
      ]),
    row(
      "pads that end beyond the right and the bottom", "I420",
      [
        PadRow("smpte75", "format=I420,\(small)", PadSettings(x: 70, y: 40, alpha: 0.7)),
        PadRow("pinwheel", "format=I420,\(size)", PadSettings(x: 4, y: -40)),
      ]),
    row(
      "a pad that is nowhere to be seen", "RGBA",
      [
        PadRow("smpte75", "format=RGBA,\(small)", PadSettings(x: 96, y: 0)),
        PadRow("pinwheel", "format=RGBA,\(small)", PadSettings(x: -48, y: -32)),
      ], unseen: [0, 1]),
    row(
      "a pad below an opaque one", "NV12",
      [
        PadRow("smpte75", "format=NV12,\(small)", PadSettings(x: 20, y: 10)),
        PadRow("pinwheel", "format=NV12,\(size)"),
      ], unseen: [0]),
    row(
      "odd places where chroma is whole", "Y444",
      [PadRow("smpte75", "format=Y444,\(small)", PadSettings(x: 7, y: 5, alpha: 0.5))]),
    row(
      "odd places in RGB", "RGB",
      [PadRow("pinwheel", "format=RGB,\(small)", PadSettings(x: -3, y: 11, alpha: 0.5))]),
    row(
      "odd places in 4:2:0", "I420",
      [
        PadRow("smpte75", "format=I420,\(small)", PadSettings(x: 7, y: 5)),
        PadRow("pinwheel", "format=I420,\(small)", PadSettings(x: -9, y: 35, alpha: 0.5)),
      ], difference: .rule("moves the pad to the next chroma sample")),
    row(
      "odd places in 4:2:2", "Y42B",
      [PadRow("smpte75", "format=Y42B,\(small)", PadSettings(x: 7, y: 5))],
      difference: .rule("moves the pad to the next chroma sample")),
    row(
      "an odd size in 4:2:0", "NV12",
      [PadRow("smpte75", "format=NV12,width=33,height=21", PadSettings(x: 8, y: 6))],
      difference: .rule("gives chroma samples that are half covered to the pad alone")),
    row(
      "black where no pad is", "I420", on: .black, threePads("I420", zorders: [0, 1, 2]).suffix(1)),
    row("white where no pad is", "AYUV", on: .white, Array(threePads("AYUV").suffix(2))),
    row("white in RGB", "BGRx", on: .white, Array(threePads("BGRx").suffix(2))),
    row("nothing where no pad is", "AYUV", on: .transparent, Array(threePads("AYUV").suffix(2))),
    row(
      "nothing where no pad is and there is no alpha", "I420", on: .transparent,
      Array(threePads("I420").suffix(2)), difference: .rule("has green there")),
  ]

  private static let smooth = "gradient background-color=0xff802000 foreground-color=0xff20c0ff"
  private static let waves = "zone-plate kx=1 ky=2"

  private static let sizes: [StockRow] = [
    row(
      "enlarged", "RGBA",
      [PadRow(smooth, "format=RGBA,\(small)", PadSettings(x: 5, y: 3, width: 77, height: 55))]),
    row(
      "enlarged in 4:2:0", "I420",
      [PadRow(waves, "format=I420,\(small)", PadSettings(width: 96, height: 64))]),
    row(
      "made smaller", "NV12",
      [
        PadRow(smooth, "format=NV12,width=160,height=120", PadSettings(width: 80, height: 50)),
        PadRow(
          waves, "format=NV12,width=160,height=120",
          PadSettings(x: 40, y: 20, width: 48, height: 36)),
      ]),
    row(
      "enlarged edges", "RGBA", stockBound: 5,
      [PadRow("ball", "format=RGBA,width=64,height=64", PadSettings(width: 96, height: 96))],
      difference: .rule("has Mitchell's kernel with a few phases")),
    row(
      "enlarged edges of alpha", "RGBA", on: .transparent, stockBound: 5,
      [
        PadRow(
          "ball background-color=0x0000ff00 foreground-color=0xffff0000",
          "format=RGBA,width=64,height=64", PadSettings(width: 96, height: 96))
      ], difference: .rule("takes means of colors that nobody sees")),
    row(
      "wide in a square", "RGBA",
      [
        PadRow(
          smooth, "format=RGBA,width=64,height=32",
          PadSettings(x: 10, y: 4, width: 48, height: 48, keepsAspectRatio: true))
      ]),
    row(
      "high in what is wide", "I420",
      [
        PadRow(
          smooth, "format=I420,width=32,height=64",
          PadSettings(x: 8, y: 8, width: 80, height: 48, keepsAspectRatio: true))
      ]),
    row(
      "pixels that are wide", "NV12",
      [
        PadRow(smooth, "format=NV12,width=32,height=40,pixel-aspect-ratio=2/1"),
        PadRow(
          smooth, "format=NV12,width=32,height=40,pixel-aspect-ratio=1/2",
          PadSettings(x: 64, y: 16)),
      ]),
    StockRow(
      name: "pixels that are wide in the output",
      output: "format=RGBA,\(size),pixel-aspect-ratio=4/3",
      pads: [
        PadRow(smooth, "format=RGBA,width=64,height=48"),
        PadRow(
          smooth, "format=RGBA,width=64,height=48",
          PadSettings(x: 48, y: 8, width: 48, height: 48, keepsAspectRatio: true)),
      ]),
  ]

  private static let conversions: [StockRow] = [
    row(
      "pads of other formats in I420", "I420",
      [
        PadRow(smooth, "format=RGBx,\(size)"),
        PadRow(smooth, "format=NV12,\(small)", PadSettings(x: 2, y: 4)),
        PadRow(smooth, "format=Y444,\(small)", PadSettings(x: 60, y: 30, alpha: 0.7)),
      ]),
    row(
      "gray of the full range in I420", "I420",
      [PadRow(smooth, "format=GRAY8,\(small)", PadSettings(x: 40, y: 24))],
      difference: .rule("takes it for luma of the limited range")),
    row(
      "pads of other formats in BGRA", "BGRA", stockBound: 7,
      [
        PadRow(smooth, "format=I420,\(size)"),
        PadRow(smooth, "format=AYUV,\(small)", PadSettings(x: 2, y: 4)),
        PadRow(
          "gradient background-color=0x00ff2010 foreground-color=0xffe0a020",
          "format=RGBA,\(small)", PadSettings(x: 40, y: 24, alpha: 0.5)),
        PadRow(smooth, "format=P010_10LE,\(small)", PadSettings(x: 60, y: 30, alpha: 0.7)),
      ], difference: .rounding("converts to RGB with factors of 8 bits", 7)),
    row(
      "10 bits in two planes", "P010_10LE",
      [
        PadRow(smooth, "format=P010_10LE,\(size)"),
        PadRow(smooth, "format=P010_10LE,\(small)", PadSettings(x: 20, y: 12, alpha: 0.3)),
      ]),
    row(
      "8 bits in 10", "I420_10LE", stockBound: 4,
      [
        PadRow(smooth, "format=I420,\(size)"),
        PadRow(smooth, "format=P010_10LE,\(small)", PadSettings(x: 20, y: 12, alpha: 0.3)),
      ], difference: .rounding("repeats the first bits to make 10 of 8", 4)),
    row(
      "10 bits in 8", "NV12",
      [
        PadRow(smooth, "format=P010_10LE,\(size)"),
        PadRow(smooth, "format=I420_10LE,\(small)", PadSettings(x: 20, y: 12, alpha: 0.3)),
      ]),
    row(
      "BT.709 in BT.601", "I420,colorimetry=bt601",
      [
        PadRow(smooth, "format=I420,colorimetry=bt601,\(size)"),
        PadRow(smooth, "format=NV12,colorimetry=bt709,\(small)", PadSettings(x: 2, y: 4)),
      ]),
    row(
      "the full range in the limited one", "NV12,colorimetry=bt601",
      [
        PadRow(
          smooth, "format=NV12,colorimetry=(string)1:4:0:0,\(small)", PadSettings(x: 2, y: 4))
      ], difference: .rule("copies the codes")),
    row(
      "the limited range in the full one", "I420,colorimetry=(string)1:4:0:0", on: .white,
      [PadRow(smooth, "format=I420,colorimetry=bt601,\(small)", PadSettings(x: 2, y: 4))],
      difference: .rule("copies the codes")),
    StockRow(
      name: "three frames that move", output: "format=I420,\(size)",
      pads: [
        PadRow("ball", "format=I420,\(small)", PadSettings(x: 4, y: 4)),
        PadRow(
          "pinwheel horizontal-speed=4", "format=I420,\(small)",
          PadSettings(x: 30, y: 20, alpha: 0.5)),
      ], frames: 3),
    row(
      "nine pads", "RGBA",
      (0..<9).map { index in
        PadRow(
          ["smpte75", "pinwheel", "ball"][index % 3], "format=RGBA,\(small)",
          PadSettings(x: index % 3 * 26, y: index / 3 * 18, alpha: 0.4 + 0.07 * Double(index)))
      }),
  ]
}
