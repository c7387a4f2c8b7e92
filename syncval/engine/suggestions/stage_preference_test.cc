// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which of several stages that would do a suggestion has.

#include <optional>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kVertex = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
constexpr VkPipelineStageFlags2 kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkPipelineStageFlags2 kColorOutput = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags2 kGraphics = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr Range kRange{0, 16};

void Transition(AccessContext& context, const BarrierFlags& flags) {
  const Barrier barrier = MakeBarrier(flags, kQueue);
  const RangeBarrier range{kRange, &barrier, true};
  context.ApplyAll({}, {&range, 1}, Tag{0});
}

// A read after a layout transition that all commands wait for and that nothing sees: what is added to any of their
// stages would do.
TEST(StagePreference, StageThatTheDeviceHas) {
  const auto suggested = [](VkPipelineStageFlags2 device_stages) {
    AccessContext context;
    context.SetDeviceStages(device_stages);
    Transition(context, {0, 0, kAll, 0});
    const Access read{.range = kRange, .index = vk::kSyncCopyTransferRead};
    const Suggestion suggestion = context.SuggestBarrier({&read, 1}, Tag{1});
    EXPECT_EQ(suggestion.kind, Suggestion::Kind::kAddBarrier);
    return suggestion.flags;
  };
  const auto barrier_from = [](VkPipelineStageFlags2 stage) {
    return BarrierFlags{stage, 0, kCopy, VK_ACCESS_2_TRANSFER_READ_BIT};
  };
  EXPECT_EQ(suggested(kCompute), barrier_from(kCompute));
  EXPECT_EQ(suggested(kFragment | kColorOutput), barrier_from(kFragment));
  EXPECT_EQ(suggested(kFragment | kCopy), barrier_from(kCopy));
}

// What is suggested for a layout transition in a barrier with the second scope dst_stages, after another queue's read
// and a wait for a semaphore of that.
BarrierFlags SuggestAfterWait(VkPipelineStageFlags2 wait_stages, VkPipelineStageFlags2 dst_stages) {
  DeviceContext device;
  const QueueIndex reader = device.AddQueue(kQueue), queue = device.AddQueue(kQueue);
  AccessContext read;
  read.Update({.range = kRange, .index = vk::kSyncCopyTransferRead}, Tag{0});
  device.Replay(read, {.tag_count = 1, .queue = reader}, [](const ReplayHazard&) {});
  device.Wait(queue, *device.Signal(reader, kAll), wait_stages);
  AccessContext transition;
  const BarrierFlags flags{0, 0, dst_stages, 0};
  Transition(transition, flags);
  const Tag base = device.executions().next();
  std::optional<Suggestion> suggestion;
  device.Replay(transition, {.tag_count = 1, .queue = queue}, [&](const ReplayHazard& found) {
    suggestion = device.ContextOf(queue).SuggestForReplay(found, base, kQueue);
  });
  if (!suggestion.has_value()) return {};
  EXPECT_EQ(suggestion->kind, Suggestion::Kind::kAddToTransition);
  EXPECT_EQ(suggestion->existing, flags);
  return suggestion->flags;
}

TEST(StagePreference, StageOfTheWait) {
  const auto source = [](VkPipelineStageFlags2 stage) { return BarrierFlags{stage, 0, 0, 0}; };
  EXPECT_EQ(SuggestAfterWait(kColorOutput, kColorOutput), source(kColorOutput));
  // The wait's stage is before the barrier's.
  EXPECT_EQ(SuggestAfterWait(kVertex, kColorOutput), source(kVertex));
  // One that both name, although another is earlier; else the earliest of the wait.
  EXPECT_EQ(SuggestAfterWait(kFragment | kColorOutput, kColorOutput), source(kColorOutput));
  EXPECT_EQ(SuggestAfterWait(kVertex | kFragment, kCopy), source(kVertex));
  // The wait names no single stage.
  EXPECT_EQ(SuggestAfterWait(kGraphics, kColorOutput), source(kColorOutput));
}

}  // namespace
}  // namespace assay::syncval
