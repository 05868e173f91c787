import RasterTestSupport
import Testing

extension CompositorElementTests {
  /// What GStreamer's own suite for `compositor` asks for (tests/check/elements/compositor.c of 1.22), in tests of
  /// our own. Where that one looks at every format there is, ours looks at those of the element's template.
  ///
  /// | theirs | ours |
  /// |---|---|
  /// | `test_caps` | `ContractOfCaps.capsBeforeFrames` |
  /// | `test_event` | `ContractOfStreams.segmentSeek` |
  /// | `test_navigation_events` | `ContractOfPads.navigation` |
  /// | `test_caps_query` | `ContractOfCaps.query`, `.interlacedOutput` |
  /// | `test_caps_query_interlaced` | `ContractOfCaps.interlacedQuery` |
  /// | `test_late_caps_query` | `ContractOfCaps.lateQuery` |
  /// | `test_late_caps_different_interlaced` | `ContractOfCaps.lateInterlacedCaps` |
  /// | `test_play_twice` | `ContractOfStreams.playTwice` |
  /// | `test_play_twice_then_add_and_play_again` | `ContractOfStreams.playTwiceAndAgain` |
  /// | `test_add_pad` | `ContractOfStreams.addedPad` |
  /// | `test_remove_pad` | `ContractOfStreams.removedPad` |
  /// | `test_clip` | `ContractOfStreams.clip` |
  /// | `test_duration_is_max` | `ContractOfStreams.longestDuration` |
  /// | `test_duration_unknown_overrides` | `ContractOfStreams.unknownDuration` |
  /// | `test_loop` | `ContractOfStreams.loop` |
  /// | `test_segment_base_handling` | `ContractOfStreams.padOffset` |
  /// | `test_obscured_skipped` | `ContractOfPads.obscured` |
  /// | `test_repeat_after_eos_1pad` | `ContractOfEnds.repeatOne` |
  /// | `test_repeat_after_eos_2pads_repeating_first` | `ContractOfEnds.repeatFirstOfTwo` |
  /// | `test_repeat_after_eos_2pads_repeating_last` | `ContractOfEnds.repeatLastOfTwo` |
  /// | `test_repeat_after_eos_3pads` | `ContractOfEnds.repeatShortestOfThree` |
  /// | `test_repeat_after_eos_3pads_repeat_eos_last` | `ContractOfEnds.repeatLongestOfThree` |
  /// | `test_repeat_after_eos_3pads_all_repeating` | `ContractOfEnds.repeatAllOfThree` |
  /// | `test_repeat_after_eos_3pads_no_repeating` | `ContractOfEnds.repeatNoneOfThree` |
  /// | `test_pad_z_order` | `ContractOfPads.order` |
  /// | `test_pad_numbering` | `ContractOfPads.numbering` |
  /// | `test_start_time_zero_live_drop_0` | `ContractOfStarts.zero` |
  /// | `test_start_time_zero_live_drop_3` | `ContractOfStarts.zeroLate` |
  /// | `test_start_time_zero_live_drop_3_unlinked_1` | `ContractOfStarts.zeroLateUnlinked` |
  /// | `test_start_time_first_live_drop_0` | `ContractOfStarts.first` |
  /// | `test_start_time_first_live_drop_3` | `ContractOfStarts.firstLate` |
  /// | `test_start_time_first_live_drop_3_unlinked_1` | `ContractOfStarts.firstLateUnlinked` |
  /// | `test_gap_events` | `ContractOfEnds.gap` |
  /// | `test_signals` | `ContractOfEnds.signals` |
  /// | `test_reverse` | `ContractOfStreams.reverse` |
  @Suite(.keptDevice) struct Contract {}
}
