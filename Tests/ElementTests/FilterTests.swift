import RasterTestSupport
import Testing

/// All tests of `rasterfilter`, one after the other: some change the environment of the process, or
/// measure time.
@Suite(.serialized, .oneAfterTheOther, .guarded, .timeLimit(.minutes(2)))
enum FilterElementTests {}
