// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What is undone leaves nothing: a device on which submissions were undone finds the same hazards ever after as one on
// which they never came, and so does a command buffer in which commands were undone.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr std::array kStages = {kCopy, kCompute, kAll, VkPipelineStageFlags2{0}};
constexpr std::array kKinds = {vk::kSyncCopyTransferRead, vk::kSyncCopyTransferWrite,
                               vk::kSyncComputeShaderShaderStorageRead, vk::kSyncComputeShaderShaderStorageWrite};
constexpr size_t kQueues = 3;
// Of memory that resources share, and of two that share none.
constexpr std::array<Range, 3> kRegions = {{{16, 32}, {64, 80}, {128, 144}}};

using RandomBits = std::mt19937;
size_t Below(RandomBits& random, size_t end) { return random() % end; }

Barrier RandomBarrier(RandomBits& random) {
  const auto stages = [&] { return kStages[Below(random, kStages.size())]; };
  const auto accesses = [&]() -> VkAccessFlags2 {
    return Below(random, 3) == 0 ? 0 : VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  };
  return MakeBarrier({stages(), accesses(), stages(), accesses()}, kFlags);
}

// What a command buffer may have: a replay takes shortcuts where it has neither shared memory nor events.
enum class Commands : uint8_t { kAll, kOfRegions };

// A part of a region. *region is as Access::region.
Range RandomRange(RandomBits& random, Commands commands, uint64_t* region) {
  const size_t number =
      commands == Commands::kAll ? Below(random, kRegions.size()) : 1 + Below(random, kRegions.size() - 1);
  const Range& whole = kRegions[number];
  *region = number == 0 ? 0 : whole.begin;
  const uint64_t begin = whole.begin + Below(random, 3) * 4;
  return {begin, begin + 4 + Below(random, 2) * 4};
}

// Returns whether it is in a hazard.
bool RecordCommand(RandomBits& random, AccessContext& context, Tag tag, Commands commands = Commands::kAll) {
  uint64_t region = 0;
  const Range range = RandomRange(random, commands, &region);
  const Barrier barrier = RandomBarrier(random);
  const Barrier* const global = &barrier;
  const uint64_t event = 1 + Below(random, 2);
  size_t what = Below(random, 8);
  if (commands == Commands::kOfRegions && (what == 3 || what == 4)) what = 0;
  switch (what) {
    case 0:
      context.ApplyGlobal(barrier);
      return false;
    case 1:
      context.ApplyRange(range, barrier, region);
      return false;
    case 2: {
      const RangeBarrier transition{range, &barrier, true, region};
      context.ApplyAll({}, {&transition, 1}, tag);
      return false;
    }
    case 3:
      context.SetEvent(event, {{&global, 1}, {}}, tag);
      return false;
    case 4:
      context.WaitEvents({&event, 1}, {{&global, 1}, {}}, tag);
      return false;
    default: {
      Hazard hazard;
      return context.DetectAndUpdate({.range = range, .index = kKinds[Below(random, kKinds.size())], .region = region},
                                     tag, hazard);
    }
  }
}

// The begin of a render pass instance that changes a layout.
void BeginRenderPass(RandomBits& random, AccessContext& context, Tag tag) {
  uint64_t region = 0;
  const Range range = RandomRange(random, Commands::kAll, &region);
  const Barrier barrier = RandomBarrier(random);
  const Barrier* const before = &barrier;
  const RangeBarrier transition{range, &barrier, true, region};
  context.RecordAutomaticTransitions({&transition, 1}, tag);
  context.EnterSubpass({&before, 1}, tag);
  context.Update({.range = range, .index = vk::kSyncColorAttachmentOutputColorAttachmentWrite, .region = region}, tag);
}

constexpr uint32_t kCommands = 5;
std::unique_ptr<AccessContext> RandomRecording(RandomBits& random) {
  auto context = std::make_unique<AccessContext>();
  const Commands commands = Below(random, 2) == 0 ? Commands::kAll : Commands::kOfRegions;
  for (uint32_t tag = 0; tag < kCommands; ++tag) RecordCommand(random, *context, Tag{tag}, commands);
  return context;
}

// A submission: waits, a command buffer and a signal; or a wait of the host for all of a queue.
struct Step {
  QueueIndex queue;
  bool is_host_wait;
  // Of the last signals, from the last one on; and the stages that wait.
  std::vector<std::pair<size_t, VkPipelineStageFlags2>> waits;
  size_t recording;
  VkPipelineStageFlags2 signal_stages;
};

Step RandomStep(RandomBits& random, size_t recordings) {
  Step step{.queue = QueueIndex(Below(random, kQueues)),
            .is_host_wait = Below(random, 12) == 0,
            .recording = Below(random, recordings),
            .signal_stages = kStages[Below(random, 3)]};
  for (size_t i = Below(random, 3); i > 0; --i)
    step.waits.emplace_back(Below(random, 4), kStages[Below(random, kStages.size())]);
  return step;
}

// A byte that is in a hazard. The same hazard may come in parts of different sizes.
using HazardousByte = std::tuple<uint64_t, Tag, vk::SyncAccessIndex, HazardKind>;

class TestedDevice {
 public:
  explicit TestedDevice(std::vector<std::unique_ptr<AccessContext>>& recordings) : recordings_(recordings) {
    for (size_t i = 0; i < kQueues; ++i) device_.AddQueue(kFlags);
  }

  std::vector<HazardousByte> Do(const Step& step) {
    std::vector<HazardousByte> found;
    if (step.is_host_wait) {
      device_.HostWait(device_.PointOf(step.queue));
      return found;
    }
    for (const auto& [age, stages] : step.waits) {
      if (age < signals_.size()) device_.Wait(step.queue, *signals_[signals_.size() - 1 - age], stages);
    }
    device_.Replay(*recordings_[step.recording], {.tag_count = kCommands, .queue = step.queue},
                   [&](const ReplayHazard& hazard) {
                     const Range& range = hazard.access.range;
                     for (uint64_t byte = range.begin; byte < range.end; ++byte)
                       found.emplace_back(byte, hazard.tag, hazard.access.index, hazard.hazard.kind);
                   });
    signals_.push_back(device_.Signal(step.queue, step.signal_stages));
    std::ranges::sort(found);
    return found;
  }
  // Submits this and takes it back.
  void DoAndUndo(const std::vector<Step>& steps) {
    const size_t signals = signals_.size();
    device_.BeginUndoable();
    for (const Step& step : steps) Do(step);
    EXPECT_TRUE(device_.Undo());
    signals_.resize(signals);
  }
  DeviceContext& device() { return device_; }

 private:
  DeviceContext device_;
  std::vector<std::unique_ptr<AccessContext>>& recordings_;
  std::vector<std::shared_ptr<const Snapshot>> signals_;
};

TEST(Undo, LeavesNothing) {
  size_t hazards = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomBits random(seed);
    std::vector<std::unique_ptr<AccessContext>> recordings;
    recordings.reserve(8);
    for (int i = 0; i < 8; ++i) recordings.push_back(RandomRecording(random));
    TestedDevice with(recordings);
    TestedDevice without(recordings);
    for (int i = 0; i < 25; ++i) {
      std::vector<Step> undone;
      const size_t steps = Below(random, 3);
      undone.reserve(steps);
      for (size_t step = 0; step < steps; ++step) {
        undone.push_back(RandomStep(random, recordings.size()));
        undone.back().is_host_wait = false;
      }
      if (!undone.empty()) with.DoAndUndo(undone);
      const Step step = RandomStep(random, recordings.size());
      const std::vector<HazardousByte> expected = without.Do(step);
      ASSERT_EQ(with.Do(step), expected) << "seed " << seed << ", step " << i;
      ASSERT_EQ(with.device().executions().next(), without.device().executions().next());
      hazards += expected.size();
    }
  }
  EXPECT_GT(hazards, 1000u);
}

TEST(Undo, LeavesNothingInACommandBuffer) {
  size_t hazards = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    RandomBits random(seed);
    AccessContext with;
    AccessContext without;
    constexpr uint32_t kMore = 20;
    for (Tag tag{0}; tag.value < kMore; ++tag.value) {
      if (Below(random, 2) == 0) {
        with.BeginUndoable(tag);
        for (size_t more = Below(random, 3); more > 0; --more) RecordCommand(random, with, tag);
        if (Below(random, 3) == 0) BeginRenderPass(random, with, tag);
        with.Undo();
        ASSERT_FALSE(with.is_in_subpass());
      }
      RandomBits same = random;
      const bool is_hazard = RecordCommand(random, without, tag);
      ASSERT_EQ(RecordCommand(same, with, tag), is_hazard) << "seed " << seed << ", command " << tag.value;
      hazards += is_hazard;
    }
    // Replayed after the same work, both find the same too.
    std::vector<std::unique_ptr<AccessContext>> earlier;
    earlier.push_back(RandomRecording(random));
    const auto replay = [&](AccessContext& recorded) {
      DeviceContext device;
      const QueueIndex queue = device.AddQueue(kFlags);
      device.Replay(*earlier.front(), {.tag_count = kCommands, .queue = queue}, [](const ReplayHazard&) {});
      std::vector<HazardousByte> found;
      for (int i = 0; i < 2; ++i) {
        device.Replay(recorded, {.tag_count = kMore, .queue = queue}, [&](const ReplayHazard& hazard) {
          const Range& range = hazard.access.range;
          // Of reads of one kind the first may stand for all.
          for (uint64_t byte = range.begin; byte < range.end; ++byte)
            found.emplace_back(byte, Tag{0}, hazard.access.index, hazard.hazard.kind);
        });
      }
      std::ranges::sort(found);
      found.erase(std::unique(found.begin(), found.end()), found.end());
      return found;
    };
    ASSERT_EQ(replay(with), replay(without)) << "seed " << seed;
  }
  EXPECT_GT(hazards, 500u);
}

// A wait of the host is final, whether or not changes could be undone before it.
TEST(Undo, EndsWithAWaitOfTheHost) {
  DeviceContext device;
  const QueueIndex queue = device.AddQueue(kFlags);
  EXPECT_FALSE(device.Undo());
  device.BeginUndoable();
  device.HostWait(device.PointOf(queue));
  EXPECT_FALSE(device.Undo());
}

}  // namespace
}  // namespace assay::syncval
