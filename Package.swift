// swift-tools-version: 6.2
import PackageDescription

/// Settings that every Swift target shares.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of the targets that call no foreign API: every unsafe use must be marked.
let strictAndSafe = strict + [.strictMemorySafety()]

/// How shaderc is linked. Debian 12's shared library does not name the libraries that it needs itself, so
/// its archives are the default; `RASTER_SHADERC=shared` uses the shared library of other systems.
let shaderc: [LinkerSetting] =
  Context.environment["RASTER_SHADERC"] == "shared"
  ? [.linkedLibrary("shaderc")]
  : [
    "shaderc_combined", "glslang", "glslang-default-resource-limits", "MachineIndependent",
    "GenericCodeGen", "OSDependent", "OGLCompiler", "SPIRV", "SPIRV-Tools-opt", "SPIRV-Tools",
    "stdc++",
  ].map { .linkedLibrary($0) }

let warningsAsErrors: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

let package = Package(
  name: "raster",
  products: [
    .library(name: "gstraster", type: .dynamic, targets: ["RasterElements", "CShim"])
  ],
  targets: [
    // Foreign APIs, as module maps.
    .systemLibrary(name: "CVulkan", pkgConfig: "vulkan"),
    .systemLibrary(name: "CShaderc"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CGStreamer", pkgConfig: "gstreamer-video-1.0"),

    // The layers: each line names all that a layer may import.
    .target(name: "RasterColor", swiftSettings: strictAndSafe),
    .target(name: "RasterGraph", dependencies: ["RasterColor"], swiftSettings: strictAndSafe),
    .target(
      name: "ShaderLibrary", path: "Shaders", exclude: ["README.md"],
      swiftSettings: strictAndSafe, plugins: ["EmbedShaders"]),
    .target(
      name: "RasterShader", dependencies: ["RasterGraph", "ShaderLibrary", "CShaderc"],
      swiftSettings: strict, linkerSettings: shaderc),
    .target(name: "RasterVulkan", dependencies: ["CVulkan"], swiftSettings: strict),
    .target(
      name: "RasterRender", dependencies: ["RasterGraph", "RasterShader", "RasterVulkan"],
      swiftSettings: strict),
    .target(
      name: "RasterVideo",
      dependencies: [
        "RasterColor", "RasterGraph", "RasterRender", "RasterVulkan", "CShim", "CZlib",
      ],
      swiftSettings: strict),
    .target(
      name: "RasterElements",
      dependencies: [
        "RasterColor", "RasterGraph", "RasterShader", "RasterRender", "RasterVideo", "CShim",
      ],
      swiftSettings: strict),
    .target(
      name: "CShim", dependencies: ["CGStreamer"], path: "CShim", exclude: ["raster.map"],
      cSettings: warningsAsErrors),

    // Tools.
    .executableTarget(
      name: "raster-bench",
      dependencies: ["CShim", "RasterElements", "RasterGraph", "RasterRender", "RasterVulkan"],
      path: "Sources/Tools/RasterBench", swiftSettings: strict),
    .executableTarget(
      name: "raster-docs", dependencies: ["RasterGraph"], path: "Sources/Tools/RasterDocs",
      swiftSettings: strictAndSafe),
    .executableTarget(name: "embed-shaders", path: "Sources/Tools/EmbedShaders"),
    .plugin(
      name: "EmbedShaders", capability: .buildTool(), dependencies: ["embed-shaders"],
      path: "Sources/Tools/EmbedShadersPlugin"),

    // Tests. The element tests run the elements that are linked into the test bundle.
    .systemLibrary(
      name: "CGstCheck", path: "Tests/CGstCheck", pkgConfig: "gstreamer-check-1.0"),
    .target(
      name: "CAllocationCount", path: "Tests/CAllocationCount", cSettings: warningsAsErrors),
    // Under ThreadSanitizer, it stands before functions of libraries, and these two of the sanitizer's.
    .target(
      name: "CThreadOrder", dependencies: ["CGStreamer"], path: "Tests/CThreadOrder",
      cSettings: warningsAsErrors,
      linkerSettings: [
        .unsafeFlags([
          "-Xlinker", "--wrap=__tsan_ignore_thread_begin",
          "-Xlinker", "--wrap=__tsan_ignore_thread_end",
        ])
      ]),
    .target(
      name: "RasterReference", dependencies: ["RasterColor", "RasterGraph"],
      path: "Tests/RasterReference", swiftSettings: strict),
    .target(
      name: "RasterTestSupport",
      dependencies: [
        "RasterColor", "RasterGraph", "RasterRender", "RasterVideo", "RasterVulkan",
        "RasterElements", "RasterReference", "CShim", "CGstCheck", "CThreadOrder",
      ],
      path: "Tests/RasterTestSupport", swiftSettings: strict),
    .testTarget(name: "RasterColorTests", dependencies: ["RasterColor"], swiftSettings: strict),
    .testTarget(
      name: "RasterGraphTests",
      dependencies: ["RasterGraph", "RasterColor", "RasterReference", "ShaderLibrary"],
      swiftSettings: strict),
    .testTarget(
      name: "RasterShaderTests",
      dependencies: [
        "RasterShader", "RasterGraph", "RasterColor", "RasterVideo", "RasterReference",
        "RasterTestSupport", "CShim", "ShaderLibrary",
      ], swiftSettings: strict),
    .testTarget(
      name: "RasterRenderTests",
      dependencies: [
        "RasterRender", "RasterGraph", "RasterColor", "RasterShader", "RasterVulkan", "RasterVideo",
        "RasterReference", "RasterTestSupport", "ShaderLibrary", "CShim",
      ], swiftSettings: strict),
    .testTarget(
      name: "RasterVideoTests",
      dependencies: [
        "RasterVideo", "RasterGraph", "RasterRender", "RasterVulkan", "RasterTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ElementTests",
      dependencies: [
        "RasterColor", "RasterGraph", "RasterVideo", "RasterReference", "RasterTestSupport",
        "CShim", "CGstCheck", "CAllocationCount",
      ], swiftSettings: strict),
    .testTarget(
      name: "CompositorTests",
      dependencies: [
        "RasterColor", "RasterGraph", "RasterVideo", "RasterReference", "RasterTestSupport",
        "CShim", "CGstCheck",
      ], swiftSettings: strict),
  ]
)
