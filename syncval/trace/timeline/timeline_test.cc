// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The timeline's bound, and where its commands are placed.

#include "syncval/trace/timeline/timeline.h"

#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/trace/timeline/placement.h"
#include "syncval/trace/timeline/trace_builder.h"

namespace assay::syncval::trace {
namespace {

RecordedTraceRef Copies(uint32_t count) {
  RecordingBuilder recording;
  for (uint32_t i = 0; i < count; ++i) recording.Copy(0, 1);
  return recording.Finish();
}

TEST(Timeline, DropsTheOldestBatches) {
  RunBuilder run(1, 10);
  for (int i = 0; i < 5; ++i) run.Submit(0, {Copies(3)});
  // Each takes three commands and itself.
  EXPECT_EQ(run.timeline.batches().size(), 2u);
  EXPECT_EQ(run.timeline.dropped_batches(), 3u);
  EXPECT_EQ(run.timeline.dropped_commands(), 9u);
  EXPECT_EQ(run.timeline.batches().front().point.serial, 4u);
}
TEST(Timeline, KeepsTheLastBatchHoweverLarge) {
  RunBuilder run(1, 10);
  run.Submit(0, {Copies(3)});
  run.Submit(0, {Copies(50)});
  EXPECT_EQ(run.timeline.batches().size(), 1u);
  EXPECT_EQ(run.timeline.commands(), 50u);
}

TEST(Placement, OneQueueRunsInOrder) {
  RunBuilder run;
  run.Submit(0, {Copies(3), Copies(2)});
  run.Submit(0, {Copies(1)});
  const Placement placement(run.timeline);
  EXPECT_EQ(placement.batches()[0].span.end, 5u);
  EXPECT_EQ(placement.batches()[0].command_buffers[1].begin, 3u);
  EXPECT_EQ(placement.batches()[1].span.begin, 6u);
}
TEST(Placement, QueuesRunSideBySideUntilASemaphore) {
  RunBuilder run(2);
  const BatchPoint first = run.Submit(0, {Copies(7)});
  run.Submit(1, {Copies(2)});
  run.Submit(1, {Copies(2)}, {first});
  const Placement placement(run.timeline);
  EXPECT_EQ(placement.batches()[1].span.begin, 0u);
  EXPECT_EQ(placement.batches()[2].span.begin, 8u);
}
TEST(Placement, FramesEndWithPresents) {
  RunBuilder run;
  run.Submit(0, {Copies(3)});
  run.Present(0);
  run.Submit(0, {Copies(3)});
  run.Present(0);
  const Placement placement(run.timeline);
  ASSERT_EQ(placement.frames().size(), 2u);
  EXPECT_EQ(placement.frames()[0].span.end, placement.frames()[1].span.begin);
  EXPECT_EQ(placement.frames()[1].span.end, placement.end());
}
TEST(Placement, SecondariesFollowWhatExecutesThem) {
  RecordingBuilder primary;
  primary.Copy(0, 1).Execute({Copies(2), Copies(1)}).Copy(0, 1);
  const RecordedTraceRef trace = primary.Finish();
  EXPECT_EQ(trace->total_size(), 6u);
  EXPECT_EQ(OffsetsOf(*trace), (std::vector<uint32_t>{0, 1, 5, 6}));
  std::vector<std::tuple<bool, uint64_t, uint64_t>> visited;
  ForEachCommand(*trace, 10, [&](const RecordedTrace& of, uint32_t, const Span& span) {
    visited.emplace_back(&of == trace.get(), span.begin, span.end);
  });
  const std::vector<std::tuple<bool, uint64_t, uint64_t>> expected = {{true, 10, 11},  {true, 11, 15},  {false, 12, 13},
                                                                      {false, 13, 14}, {false, 14, 15}, {true, 15, 16}};
  EXPECT_EQ(visited, expected);
}

}  // namespace
}  // namespace assay::syncval::trace
