// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/traced_run.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/trace/timeline/trace_builder.h"

namespace assay::syncval::trace {
namespace {

// Begins a device that submits as many commands.
void Begin(TracedRun& run, DeviceNumber number, uint32_t commands, uint32_t limit = 100) {
  Timeline timeline(limit);
  timeline.device = std::to_string(number);
  timeline.SetQueue(0, {.name = "VkQueue 0x1"});
  if (commands != 0) {
    RecordingBuilder recording;
    for (uint32_t i = 0; i < commands; ++i) recording.Read(0);
    timeline.Add(TracedBatch{.point = {0, 1}, .command_buffers = {recording.Finish()}});
  }
  run.Begin(number, std::move(timeline));
}

std::vector<std::string> NamesOf(const TracedRun& run) {
  std::vector<std::string> names;
  for (const Timeline* timeline : run.timelines()) names.push_back(timeline->device);
  return names;
}

using Names = std::vector<std::string>;

TEST(TracedRun, DevicesThatEndedComeFirst) {
  TracedRun run;
  for (DeviceNumber number = 1; number <= 4; ++number) Begin(run, number, 3);
  EXPECT_EQ(NamesOf(run), (Names{"1", "2", "3", "4"}));
  run.End(3);
  run.End(1);
  EXPECT_EQ(NamesOf(run), (Names{"3", "1", "2", "4"}));
  EXPECT_EQ(run.Find(3), nullptr);
  EXPECT_EQ(run.Find(2)->device, "2");
}

TEST(TracedRun, LeavesOutDevicesThatSubmittedNothing) {
  TracedRun run;
  Begin(run, 1, 0);
  run.End(1);
  // There is nothing else.
  EXPECT_EQ(NamesOf(run), (Names{"1"}));
  Begin(run, 2, 0);
  run.End(2);
  EXPECT_EQ(NamesOf(run), (Names{"1"}));
  Begin(run, 3, 1);
  run.End(3);
  EXPECT_EQ(NamesOf(run), (Names{"3"}));
  Begin(run, 4, 0);
  run.End(4);
  EXPECT_EQ(NamesOf(run), (Names{"3"}));
}

TEST(TracedRun, IsBounded) {
  TracedRun run;
  for (DeviceNumber number = 1; number <= 5; ++number) {
    Begin(run, number, 40);
    run.End(number);
  }
  EXPECT_EQ(NamesOf(run), (Names{"4", "5"}));
  // The limit of the device that ended last counts.
  Begin(run, 6, 300, 1000);
  EXPECT_EQ(NamesOf(run), (Names{"4", "5", "6"}));
  run.End(6);
  EXPECT_EQ(NamesOf(run), (Names{"4", "5", "6"}));
  Begin(run, 7, 1, 10);
  run.End(7);
  EXPECT_EQ(NamesOf(run), (Names{"7"}));
}

}  // namespace
}  // namespace assay::syncval::trace
