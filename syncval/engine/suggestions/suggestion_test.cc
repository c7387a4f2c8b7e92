// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestions/suggestion.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"
#include "syncval/engine/streams/check_suggestion.h"
#include "syncval/engine/streams/device_stream.h"

namespace assay::syncval {
namespace {

constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kBlit = VK_PIPELINE_STAGE_2_BLIT_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr Range kRange{0, 16};

// Streams. More of them are in suggestion_streams_from_*_test.

void CheckStreams(uint64_t count, const SuggestionCallback& check) {
  for (uint64_t seed = 0; seed < count; ++seed) {
    DeviceComparison<Mutation::kNone> comparison(RandomDeviceStream(seed, SizeOfStream(seed)));
    comparison.CheckSuggestions(check);
    ASSERT_EQ(comparison.Run(), "");
  }
}

// The streams test little unless each suggestion is frequent.
TEST(SuggestionsForStreams, AreOfEveryKind) {
  SuggestionCheck check;
  CheckStreams(400, std::ref(check));
  EXPECT_EQ(check.failure(), "");
  EXPECT_GT(check.Count(Suggestion::Kind::kAddBarrier), 3000);
  EXPECT_GT(check.Count(Suggestion::Kind::kAddToTransition), 500);
  EXPECT_GT(check.Count(Suggestion::Kind::kAddToPriorTransition), 300);
  EXPECT_GT(check.Count(Suggestion::Kind::kAddSemaphores), 300);
  EXPECT_GT(check.Count(Suggestion::Kind::kSetEventLater), 50);
  EXPECT_GT(check.with_semaphores(), check.Count(Suggestion::Kind::kAddSemaphores));
  EXPECT_GT(check.of_transitions(), 500);
  EXPECT_GT(check.of_races(), 200);
  EXPECT_GT(check.in_subpasses(), 1000);
}

// The check finds a superfluous bit, and a missing one.
TEST(SuggestionsForStreams, CheckSeesEachBit) {
  int checked = 0;
  CheckStreams(20, [&](const HazardSuggestion& suggested, const ReferenceModel& model, ReferenceModel::Where where) {
    const BarrierFlags& flags = suggested.suggestion.flags;
    if (suggested.suggestion.kind != Suggestion::Kind::kAddBarrier) return;
    HazardSuggestion wider = suggested;
    wider.suggestion.flags.src_stages |= flags.src_stages == kBlit ? kCopy : kBlit;
    SuggestionCheck more;
    more(wider, model, where);
    EXPECT_EQ(more.failure().empty(), wider.suggestion.flags == flags);
    HazardSuggestion smaller = suggested;
    smaller.suggestion.flags.src_stages &= flags.src_stages - 1;
    SuggestionCheck less;
    less(smaller, model, where);
    EXPECT_NE(less.failure(), "");
    ++checked;
  });
  EXPECT_GT(checked, 50);
}

// The check finds a stage that the device does not have.
TEST(SuggestionsForStreams, CheckSeesOtherStages) {
  int checked = 0;
  CheckStreams(5, [&](const HazardSuggestion& suggested, const ReferenceModel& model, ReferenceModel::Where where) {
    HazardSuggestion other = suggested;
    other.suggestion.flags.dst_stages |= VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR;
    SuggestionCheck check;
    check(other, model, where);
    EXPECT_NE(check.failure().find("does not have"), std::string::npos);
    ++checked;
  });
  EXPECT_GT(checked, 10);
}

// Chains that one state does not record.

// A device with one command in each command buffer.
class Device {
 public:
  explicit Device(int queues) {
    for (int i = 0; i < queues; ++i) device_.AddQueue(kStreamQueue);
  }

  Tag Access(int queue, vk::SyncAccessIndex index) {
    SuggestFor(queue, index);
    return last();
  }
  // The suggestion for the last hazard of the access.
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
  void Submit(int queue, AccessContext& recorded) {
    device_.Replay(recorded, {.tag_count = 1, .queue = static_cast<QueueIndex>(queue)}, [](const ReplayHazard&) {});
  }
  void HostWait(int queue) { device_.HostWait(device_.PointOf(static_cast<QueueIndex>(queue))); }
  AccessContext& context(int queue) { return device_.ContextOf(static_cast<QueueIndex>(queue)); }
  void Semaphore(int from, VkPipelineStageFlags2 signal_stages, int to, VkPipelineStageFlags2 wait_stages) {
    device_.Wait(static_cast<QueueIndex>(to), *device_.Signal(static_cast<QueueIndex>(from), signal_stages),
                 wait_stages);
  }
  Tag last() const { return Tag{device_.executions().next().value - 1}; }

 private:
  DeviceContext device_;
};

// Each read happened before, but is ordered before no stage.
TEST(Suggestion, SemaphoresForReadsOfTwoQueues) {
  Device device(3);
  const Tag first = device.Access(1, vk::kSyncCopyTransferRead);
  const Tag second = device.Access(2, vk::kSyncComputeShaderShaderStorageRead);
  for (int queue : {1, 2}) device.Semaphore(queue, kBlit, 0, kBlit);
  const std::optional<Suggestion> suggestion = device.SuggestFor(0, vk::kSyncBlitTransferWrite);
  ASSERT_TRUE(suggestion.has_value());
  EXPECT_EQ(suggestion->kind, Suggestion::Kind::kAddSemaphores);
  const std::vector<Suggestion::Semaphore> semaphores = {{QueueIndex{1}, first, kCopy, kBlit},
                                                         {QueueIndex{2}, second, kCompute, kBlit}};
  EXPECT_EQ(suggestion->semaphores, semaphores);
}

// The queue of the second read has waited for the first read, with the stage of the second.
TEST(Suggestion, OneSemaphoreForReadsOfTwoQueues) {
  Device device(3);
  device.Access(1, vk::kSyncCopyTransferRead);
  device.Semaphore(1, kAll, 2, kCompute);
  device.Access(2, vk::kSyncComputeShaderShaderStorageRead);
  for (int queue : {1, 2}) device.Semaphore(queue, kBlit, 0, kBlit);
  const Tag last = device.last();
  const std::optional<Suggestion> suggestion = device.SuggestFor(0, vk::kSyncBlitTransferWrite);
  ASSERT_TRUE(suggestion.has_value());
  EXPECT_EQ(suggestion->kind, Suggestion::Kind::kAddSemaphores);
  const std::vector<Suggestion::Semaphore> semaphores = {{QueueIndex{2}, last, kCompute, kBlit}};
  EXPECT_EQ(suggestion->semaphores, semaphores);
}

// The suggestion covers all racing accesses of the other queue, and not only its last read.
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
    const EventBarriers event_barriers = context.WaitBarriers({&event, 1}, {{}, {&transition_, 1}});
    return context.SuggestForWait({kRange}, *event_barriers.ranges.front().barrier, {&event, 1}, false, kStreamQueue);
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
  EXPECT_EQ(suggestion.kind, Suggestion::Kind::kAddToTransition);
  EXPECT_EQ(suggestion.flags, (BarrierFlags{kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT, 0, 0}));
}

TEST(Suggestion, SetOfEventTooEarly) {
  AccessContext context;
  EventWait wait({kCopy, 0, 0, 0});
  wait.Set(context, Tag{0});
  context.Update({.range = kRange, .index = vk::kSyncCopyTransferWrite}, Tag{1});
  const Suggestion suggestion = wait.Suggest(context);
  EXPECT_EQ(suggestion.kind, Suggestion::Kind::kSetEventLater);
  EXPECT_EQ(suggestion.flags, (BarrierFlags{0, VK_ACCESS_2_TRANSFER_WRITE_BIT, 0, 0}));
}

// If the barrier was before the set, its second stage is enough for both reads. The state does not record that.
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
    EXPECT_EQ(suggestion.kind, Suggestion::Kind::kSetEventLater);
    EXPECT_EQ(suggestion.flags, (BarrierFlags{kCompute, 0, 0, 0}));
  }
}

// Layout transitions without second scope.

constexpr VkAccessFlags2 kStorageRead = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
constexpr Access kRead{.range = kRange, .index = vk::kSyncComputeShaderShaderStorageRead};
// Leads from a transition to the read, once the transition has the stage in its second scope.
const Barrier kToRead = MakeBarrier({kCompute, 0, kCompute, kStorageRead}, kStreamQueue);

void Transition(AccessContext& context, Tag tag) {
  const Barrier none;
  const RangeBarrier range{kRange, &none, true};
  context.ApplyAll({}, {&range, 1}, tag);
}

void ExpectAddition(const std::optional<Suggestion>& suggestion, const BarrierFlags& flags) {
  ASSERT_TRUE(suggestion.has_value());
  EXPECT_EQ(suggestion->kind, Suggestion::Kind::kAddToPriorTransition);
  EXPECT_EQ(suggestion->flags, flags);
}

// A barrier after the transition makes the transition visible to the read, once the stage alone is added to the
// transition.
TEST(Suggestion, BarrierBesideAnEarlierLayoutTransition) {
  for (const bool is_after : {true, false}) {
    AccessContext context;
    if (!is_after) context.ApplyGlobal(kToRead);
    Transition(context, Tag{1});
    if (is_after) context.ApplyGlobal(kToRead);
    ExpectAddition(context.SuggestBarrier({&kRead, 1}, Tag{3}), {0, 0, kCompute, is_after ? 0 : kStorageRead});
  }
}

// The memory dependency of a buffer or image barrier covers only its range.
TEST(Suggestion, RangeBarrierAfterAnEarlierLayoutTransition) {
  AccessContext context;
  Transition(context, Tag{0});
  context.ApplyRange({4, 8}, kToRead);
  for (const Range& range : {Range{0, 4}, Range{4, 8}, Range{8, 16}, Range{0, 16}}) {
    const Access read{.range = range, .index = kRead.index};
    const VkAccessFlags2 access = range == Range{4, 8} ? 0 : kStorageRead;
    ExpectAddition(context.SuggestBarrier({&read, 1}, Tag{2}), {0, 0, kCompute, access});
  }
}

// A device where an empty-scope transition is submitted to the first queue.
class TransitionOnQueue {
 public:
  explicit TransitionOnQueue(int queues) : device_(queues) {
    AccessContext recorded;
    Transition(recorded, Tag{0});
    device_.Submit(0, recorded);
  }
  Device& device() { return device_; }
  void SubmitBarrier(const Barrier& barrier) {
    AccessContext recorded;
    recorded.ApplyGlobal(barrier);
    device_.Submit(0, recorded);
  }
  void Expect(VkAccessFlags2 access) { ExpectAddition(device_.SuggestFor(0, kRead.index), {0, 0, kCompute, access}); }

 private:
  Device device_;
};

TEST(Suggestion, BarrierInALaterSubmissionThanALayoutTransition) {
  TransitionOnQueue without(1);
  without.Expect(kStorageRead);
  TransitionOnQueue with(1);
  with.SubmitBarrier(kToRead);
  with.Expect(0);
}

TEST(Suggestion, BarrierWithALayoutTransitionInOneSubmission) {
  Device device(1);
  AccessContext recorded;
  Transition(recorded, Tag{0});
  recorded.ApplyGlobal(kToRead);
  device.Submit(0, recorded);
  ExpectAddition(device.SuggestFor(0, kRead.index), {0, 0, kCompute, 0});
}

// The log of the queue restarts after a host wait, and when it is long.
TEST(Suggestion, BarrierBeforeTheLogBeginsAnew) {
  TransitionOnQueue waited(2);
  waited.SubmitBarrier(kToRead);
  waited.device().Access(1, vk::kSyncCopyTransferRead);
  waited.device().HostWait(1);
  waited.Expect(0);
  TransitionOnQueue busy(1);
  busy.SubmitBarrier(kToRead);
  for (int i = 0; i < 3000; ++i) {
    const VkPipelineStageFlags2 stage = i % 2 == 0 ? kCopy : kBlit;
    busy.SubmitBarrier(MakeBarrier({stage, 0, stage, 0}, kStreamQueue));
  }
  busy.Expect(0);
}

// A chain that leads through another queue.
TEST(Suggestion, SemaphoresThereAndBackSinceALayoutTransition) {
  for (const bool is_in_first_scope : {true, false}) {
    TransitionOnQueue transition(2);
    transition.device().Semaphore(0, is_in_first_scope ? kCompute : kCopy, 1, kBlit);
    transition.device().Semaphore(1, kBlit, 0, kCompute);
    transition.Expect(is_in_first_scope ? 0 : kStorageRead);
  }
}

// The other queue learns of a part of the range before it learns of all.
TEST(Suggestion, SemaphoresThereAndBackSinceOverlappingTransitions) {
  const Barrier barrier = MakeBarrier({}, kStreamQueue);
  const RangeBarrier transitions[] = {{{8, 16}, &barrier, true}, {kRange, &barrier, true}};
  AccessContext recorded;
  recorded.ApplyAll({}, transitions, Tag{0});
  Device device(2);
  device.Submit(0, recorded);
  device.Semaphore(0, kCompute, 1, kBlit);
  device.Semaphore(1, kBlit, 0, kCompute);
  ExpectAddition(device.SuggestFor(0, kRead.index), {0, 0, kCompute, 0});
}

// A transition is dropped once it is no longer the last write of any byte.
TEST(Suggestion, LayoutTransitionsDoNotPileUp) {
  Device device(1);
  AccessContext recorded;
  Transition(recorded, Tag{0});
  for (int i = 0; i < 1000; ++i) device.Submit(0, recorded);
  EXPECT_LT(device.context(0).EmptyScopeTransitionCount(), 100);
  device.HostWait(0);
  EXPECT_EQ(device.context(0).EmptyScopeTransitionCount(), 0);
}

}  // namespace
}  // namespace assay::syncval
