import Glibc
import RasterTestSupport
import Testing

/// What every compositor of GStreamer does, and what `rastercompositor` does beyond.
@Suite(.serialized, .oneAfterTheOther) struct CompositorElementTests {}

/// The element that the tests of a compositor's contract run. `RASTER_TEST_COMPOSITOR=compositor` runs them with
/// GStreamer's own, which shows that a test asks for what users are used to.
let compositor = getenv("RASTER_TEST_COMPOSITOR").map { String(cString: $0) } ?? "rastercompositor"
