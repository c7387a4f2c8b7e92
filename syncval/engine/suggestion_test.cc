// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestion.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/check_suggestion.h"
#include "syncval/engine/device_stream.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kBlit = VK_PIPELINE_STAGE_2_BLIT_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr Range kRange{0, 16};

// ---- Streams. More of them are in suggestion_streams_from_*_test.

void CheckStreams(uint64_t count, const CheckSuggestion& check) {
  for (uint64_t seed = 0; seed < count; ++seed) {
    DeviceComparison<Fault::kNone> comparison(RandomDeviceStream(seed, SizeOfStream(seed)));
    comparison.CheckSuggestions(check);
    ASSERT_EQ(comparison.Run(), "");
  }
}

// The streams are worth something only if they have all suggestions in good number.
TEST(SuggestionsForStreams, AreOfEveryKind) {
  SuggestionCheck check;
  CheckStreams(400, std::ref(check));
  EXPECT_EQ(check.failure(), "");
  EXPECT_GT(check.Count(Suggestion::Where::kBefore), 3000);
  EXPECT_GT(check.Count(Suggestion::Where::kAddToTransition), 500);
  EXPECT_GT(check.Count(Suggestion::Where::kAddToPriorTransition), 300);
  EXPECT_GT(check.Count(Suggestion::Where::kSemaphores), 300);
  EXPECT_GT(check.Count(Suggestion::Where::kSetEventLater), 50);
  EXPECT_GT(check.with_semaphores(), check.Count(Suggestion::Where::kSemaphores));
  EXPECT_GT(check.of_transitions(), 500);
  EXPECT_GT(check.of_races(), 200);
  EXPECT_GT(check.in_subpasses(), 1000);
  EXPECT_LT(check.followed_upon(), check.Count(Suggestion::Where::kAddToPriorTransition));
}

// The check finds a bit that is too many, and one that is missing.
TEST(SuggestionsForStreams, CheckSeesEachBit) {
  int checked = 0;
  CheckStreams(20, [&](const Suggested& suggested, const ReferenceModel& model, ReferenceModel::Where where) {
    const BarrierFlags& flags = suggested.suggestion.flags;
    if (suggested.suggestion.where != Suggestion::Where::kBefore) return;
    Suggested wider = suggested;
    wider.suggestion.flags.src_stages |= flags.src_stages == kBlit ? kCopy : kBlit;
    SuggestionCheck more;
    more(wider, model, where);
    EXPECT_EQ(more.failure().empty(), wider.suggestion.flags == flags);
    Suggested smaller = suggested;
    smaller.suggestion.flags.src_stages &= flags.src_stages - 1;
    SuggestionCheck less;
    less(smaller, model, where);
    EXPECT_NE(less.failure(), "");
    ++checked;
  });
  EXPECT_GT(checked, 50);
}

// ---- Chains that one state does not tell of

// A device whose commands are one to a command buffer.
class Device {
 public:
  explicit Device(int queues) {
    for (int i = 0; i < queues; ++i) device_.AddQueue(kStreamQueue);
  }

  Tag Access(int queue, vk::SyncAccessIndex index) {
    SuggestFor(queue, index);
    return last();
  }
  // What is suggested against the last hazard of the access.
  std::optional<Suggestion> SuggestFor(int queue, vk::SyncAccessIndex index) {
    AccessContext recorded;
    recorded.Update({.range = kRange, .index = index}, Tag{0});
    const Tag base = device_.executions().next();
    std::optional<Suggestion> suggestion;
    const auto number = static_cast<QueueIndex>(queue);
    device_.Replay(recorded, {.tag_count = 1, .queue = number}, [&](const ReplayHazard& found) {
      suggestion = device_.ContextOf(number).SuggestForReplay(found, base, kStreamQueue);
    });
    return suggestion;
  }
  void Semaphore(int from, VkPipelineStageFlags2 signal_stages, int to, VkPipelineStageFlags2 wait_stages) {
    device_.Wait(static_cast<QueueIndex>(to), *device_.Signal(static_cast<QueueIndex>(from), signal_stages),
                 wait_stages);
  }
  Tag last() const { return Tag{device_.executions().next().value - 1}; }

 private:
  DeviceContext device_;
};

// Each read is known and in order with nothing.
TEST(Suggestion, SemaphoresForReadsOfTwoQueues) {
  Device device(3);
  const Tag first = device.Access(1, vk::kSyncCopyTransferRead);
  const Tag second = device.Access(2, vk::kSyncComputeShaderShaderStorageRead);
  for (int queue : {1, 2}) device.Semaphore(queue, kBlit, 0, kBlit);
  const std::optional<Suggestion> suggestion = device.SuggestFor(0, vk::kSyncBlitTransferWrite);
  ASSERT_TRUE(suggestion.has_value());
  EXPECT_EQ(suggestion->where, Suggestion::Where::kSemaphores);
  const std::vector<Suggestion::Semaphore> semaphores = {{QueueIndex{1}, first, kCopy, kBlit},
                                                         {QueueIndex{2}, second, kCompute, kBlit}};
  EXPECT_EQ(suggestion->semaphores, semaphores);
}

// The second read's queue has waited for the first read with the second one's stage.
TEST(Suggestion, OneSemaphoreForReadsOfTwoQueues) {
  Device device(3);
  device.Access(1, vk::kSyncCopyTransferRead);
  device.Semaphore(1, kAll, 2, kCompute);
  device.Access(2, vk::kSyncComputeShaderShaderStorageRead);
  for (int queue : {1, 2}) device.Semaphore(queue, kBlit, 0, kBlit);
  const Tag last = device.last();
  const std::optional<Suggestion> suggestion = device.SuggestFor(0, vk::kSyncBlitTransferWrite);
  ASSERT_TRUE(suggestion.has_value());
  EXPECT_EQ(suggestion->where, Suggestion::Where::kSemaphores);
  const std::vector<Suggestion::Semaphore> semaphores = {{QueueIndex{2}, last, kCompute, kBlit}};
  EXPECT_EQ(suggestion->semaphores, semaphores);
}

// All that races on the other queue, and not its last read alone.
TEST(Suggestion, RaceWithSeveralReads) {
  Device device(2);
  device.Access(1, vk::kSyncCopyTransferRead);
  const Tag last = device.Access(1, vk::kSyncComputeShaderShaderStorageRead);
  const std::optional<Suggestion> suggestion = device.SuggestFor(0, vk::kSyncBlitTransferWrite);
  ASSERT_TRUE(suggestion.has_value());
  const std::vector<Suggestion::Semaphore> semaphores = {{QueueIndex{1}, last, kCopy | kCompute, kBlit}};
  EXPECT_EQ(suggestion->semaphores, semaphores);
}

// A wait for an event with a layout transition.
class EventWait {
 public:
  explicit EventWait(const BarrierFlags& flags) : barrier_(MakeBarrier(flags, kStreamQueue)) {}

  void Set(AccessContext& context, Tag tag) { context.SetEvent(1, {{}, {&transition_, 1}}, tag); }
  Suggestion Suggest(AccessContext& context) {
    const uint64_t event = 1;
    const HalfBarriers half = context.WaitHalf({&event, 1}, {{}, {&transition_, 1}});
    return context.SuggestForWait({kRange}, *half.ranges.front().barrier, {&event, 1}, false, kStreamQueue);
  }

 private:
  Barrier barrier_;
  RangeBarrier transition_{kRange, &barrier_, true};
};

TEST(Suggestion, BitsForWaitAndSet) {
  AccessContext context;
  EventWait wait({});
  context.Update({.range = kRange, .index = vk::kSyncCopyTransferWrite}, Tag{0});
  wait.Set(context, Tag{1});
  const Suggestion suggestion = wait.Suggest(context);
  EXPECT_EQ(suggestion.where, Suggestion::Where::kAddToTransition);
  EXPECT_EQ(suggestion.flags, (BarrierFlags{kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT, 0, 0}));
}

TEST(Suggestion, SetOfEventTooEarly) {
  AccessContext context;
  EventWait wait({kCopy, 0, 0, 0});
  wait.Set(context, Tag{0});
  context.Update({.range = kRange, .index = vk::kSyncCopyTransferWrite}, Tag{1});
  const Suggestion suggestion = wait.Suggest(context);
  EXPECT_EQ(suggestion.where, Suggestion::Where::kSetEventLater);
  EXPECT_EQ(suggestion.flags, (BarrierFlags{0, VK_ACCESS_2_TRANSFER_WRITE_BIT, 0, 0}));
}

// Whether the barrier was before the set, so that its second stage would do for both reads, the state does not tell.
TEST(Suggestion, BarrierBesideTheSetOfAnEvent) {
  for (const bool is_before : {true, false}) {
    AccessContext context;
    EventWait wait({});
    context.Update({.range = kRange, .index = vk::kSyncCopyTransferRead}, Tag{0});
    context.Update({.range = kRange, .index = vk::kSyncComputeShaderShaderStorageRead}, Tag{1});
    const Barrier barrier = MakeBarrier({kCopy, 0, kCompute, 0}, kStreamQueue);
    if (is_before) context.ApplyGlobal(barrier);
    wait.Set(context, Tag{3});
    if (!is_before) context.ApplyGlobal(barrier);
    const Suggestion suggestion = wait.Suggest(context);
    EXPECT_EQ(suggestion.where, Suggestion::Where::kSetEventLater);
    EXPECT_EQ(suggestion.flags, (BarrierFlags{kCompute, 0, 0, 0}));
  }
}

// The case in which a bit may be too many: nothing follows upon a layout transition without a second scope, so that the
// state afterwards is the same whether the barrier comes before it or after. With the stage alone added to the
// transition, that barrier makes it visible to the read if it comes after.
TEST(Suggestion, BarrierBesideAnEarlierLayoutTransition) {
  const BarrierFlags flags = {kCompute, 0, kCompute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
  const Access read{.range = kRange, .index = vk::kSyncComputeShaderShaderStorageRead};
  const std::vector<ReferenceModel::ModelBarrier> transition = {
      {.flags = {}, .global = false, .range = kRange, .layout_transition = true}};
  const ReferenceModel::Conflict conflict{.tag = Tag{1}, .index = vk::kSyncImageLayoutTransition};
  for (const bool is_after : {true, false}) {
    AccessContext context;
    ReferenceModel model(kStreamQueue);
    const Barrier barrier = MakeBarrier(flags, kStreamQueue);
    const Barrier none;
    const RangeBarrier range{kRange, &none, true};
    if (!is_after) {
      context.ApplyGlobal(barrier);
      model.RecordBarriers({{.flags = flags}}, Tag{0});
    }
    context.ApplyAll({}, {&range, 1}, Tag{1});
    model.RecordBarriers(transition, Tag{1});
    if (is_after) {
      context.ApplyGlobal(barrier);
      model.RecordBarriers({{.flags = flags}}, Tag{2});
    }
    const Suggestion suggestion = context.SuggestBarrier({&read, 1}, Tag{3});
    EXPECT_EQ(suggestion.where, Suggestion::Where::kAddToPriorTransition);
    EXPECT_EQ(suggestion.flags, (BarrierFlags{0, 0, kCompute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT}));
    model.AddToTransition(conflict, kRange.begin, {0, 0, kCompute, 0});
    EXPECT_EQ(model.ConflictsOf(read, {}).empty(), is_after);
  }
}

}  // namespace
}  // namespace assay::syncval
