// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events of sync1: stages at the set, accesses at the wait, several events in one wait. Random streams cover events of
// synchronization2.

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 kStorageWrite = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
constexpr VkAccessFlags2 kRead = VK_ACCESS_2_TRANSFER_READ_BIT;
constexpr Range kFirst = {16, 32}, kSecond = {64, 80};

// A command buffer.
class Recorded {
 public:
  void Access(const Range& range, vk::SyncAccessIndex index) { context.Update({range, index}, Tag{next++}); }
  HazardKind KindOf(const Range& range, vk::SyncAccessIndex index) {
    Hazard hazard;
    context.DetectAndUpdate({range, index}, Tag{next++}, hazard);
    return hazard.kind;
  }
  void Set(uint64_t event, VkPipelineStageFlags2 stages) {
    const Barrier* const barriers[] = {&cache.Get({stages, 0, 0, 0}, kFlags),
                                       &cache.Get({stages, kWrite, 0, 0}, kFlags),
                                       &cache.Get({stages, kStorageWrite, 0, 0}, kFlags)};
    context.SetEvent(event, {barriers, {}}, Tag{next++});
  }
  void Wait(std::vector<uint64_t> events, VkAccessFlags2 src_access, VkAccessFlags2 dst_access) {
    const Barrier* const barrier = &cache.Get({kCopy | kCompute, src_access, kCopy, dst_access}, kFlags);
    context.WaitEvents(events, {{&barrier, 1}, {}, true}, Tag{next++});
  }

  AccessContext context;
  BarrierCache cache;
  uint32_t next = 0;
};

TEST(Sync1Event, AccessesAreNamedAtTheWait) {
  const struct {
    VkAccessFlags2 src_access;
    HazardKind kind;
  } cases[] = {{kWrite, HazardKind::kNone},
               {kWrite | kStorageWrite, HazardKind::kNone},
               {kStorageWrite, HazardKind::kReadAfterWrite},
               {0, HazardKind::kReadAfterWrite}};
  for (const auto& [src_access, kind] : cases) {
    Recorded recorded;
    recorded.Access(kFirst, vk::kSyncCopyTransferWrite);
    recorded.Set(1, kCopy);
    recorded.Wait({1}, src_access, kRead);
    EXPECT_EQ(recorded.KindOf(kFirst, vk::kSyncCopyTransferRead), kind) << src_access;
  }
}

TEST(Sync1Event, WithoutAccessesOrdersExecution) {
  Recorded recorded;
  recorded.Access(kFirst, vk::kSyncComputeShaderShaderStorageRead);
  recorded.Set(1, kCompute);
  recorded.Access(kSecond, vk::kSyncComputeShaderShaderStorageRead);
  recorded.Wait({1}, 0, 0);
  EXPECT_EQ(recorded.KindOf(kFirst, vk::kSyncCopyTransferWrite), HazardKind::kNone);
  EXPECT_EQ(recorded.KindOf(kSecond, vk::kSyncCopyTransferWrite), HazardKind::kWriteAfterRead);
}

TEST(Sync1Event, OneWaitForSeveral) {
  Recorded recorded;
  recorded.Access(kFirst, vk::kSyncCopyTransferWrite);
  recorded.Set(1, kCopy);
  recorded.Access(kSecond, vk::kSyncComputeShaderShaderStorageWrite);
  recorded.Set(2, kCompute);
  recorded.Wait({1, 2}, kWrite | kStorageWrite, kRead);
  EXPECT_EQ(recorded.KindOf(kFirst, vk::kSyncCopyTransferRead), HazardKind::kNone);
  EXPECT_EQ(recorded.KindOf(kSecond, vk::kSyncCopyTransferRead), HazardKind::kNone);
}

// The set in one command buffer, the wait in the next.
TEST(Sync1Event, Replay) {
  for (const VkAccessFlags2 src_access : {kWrite, kStorageWrite}) {
    Recorded first, second;
    first.Access(kFirst, vk::kSyncCopyTransferWrite);
    first.Set(1, kCopy);
    second.Wait({1}, src_access, kRead);
    second.Access(kFirst, vk::kSyncCopyTransferRead);
    DeviceContext device;
    const QueueIndex queue = device.AddQueue(kFlags);
    size_t hazards = 0;
    for (Recorded* recorded : {&first, &second}) {
      device.Replay(recorded->context, {.tag_count = recorded->next, .queue = queue},
                    [&](const ReplayHazard&) { ++hazards; });
    }
    EXPECT_EQ(hazards, src_access == kWrite ? 0u : 1u);
  }
}

// Far more events than there are stages for, each with four. Event i is set between the writes of ranges i and i + 1.
constexpr uint64_t kMany = 40;
Range RangeOf(uint64_t i) { return {64 * i, 64 * i + 16}; }
void SetMany(Recorded& recorded) {
  for (uint64_t i = 0; i < kMany; ++i) {
    recorded.Access(RangeOf(i), vk::kSyncCopyTransferWrite);
    recorded.Set(i + 1, kCopy);
  }
}

TEST(Sync1Event, WaitsForOneOfMany) {
  for (uint64_t event = 0; event < kMany; ++event) {
    Recorded recorded;
    SetMany(recorded);
    recorded.Wait({event + 1}, kWrite, kRead);
    for (uint64_t i = 0; i < kMany; ++i) {
      EXPECT_EQ(recorded.KindOf(RangeOf(i), vk::kSyncCopyTransferRead),
                i <= event ? HazardKind::kNone : HazardKind::kReadAfterWrite)
          << event << " " << i;
    }
  }
}
TEST(Sync1Event, WaitsForEachOfMany) {
  Recorded recorded;
  SetMany(recorded);
  for (uint64_t i = 0; i < kMany; ++i) {
    recorded.Wait({i + 1}, kWrite, kRead);
    EXPECT_EQ(recorded.KindOf(RangeOf(i), vk::kSyncCopyTransferRead), HazardKind::kNone);
    if (i + 1 == kMany) break;
    Hazard hazard;
    EXPECT_TRUE(recorded.context.DetectHazard({RangeOf(i + 1), vk::kSyncCopyTransferRead}, Tag{recorded.next}, hazard));
  }
}
TEST(Sync1Event, OneWaitForMany) {
  Recorded recorded;
  SetMany(recorded);
  std::vector<uint64_t> events;
  for (uint64_t i = 0; i < kMany - 1; ++i) events.push_back(i + 1);
  recorded.Wait(events, kWrite, kRead);
  for (uint64_t i = 0; i < kMany; ++i) {
    EXPECT_EQ(recorded.KindOf(RangeOf(i), vk::kSyncCopyTransferRead),
              i < kMany - 1 ? HazardKind::kNone : HazardKind::kReadAfterWrite);
  }
}
// The accesses are named at the wait, also for events that have lost their stages.
TEST(Sync1Event, AccessesAreNamedAtTheWaitForOneOfMany) {
  Recorded recorded;
  SetMany(recorded);
  recorded.Wait({1}, kStorageWrite, kRead);
  EXPECT_EQ(recorded.KindOf(RangeOf(0), vk::kSyncCopyTransferRead), HazardKind::kReadAfterWrite);
}
// Set in one command buffer, waited for in the next.
TEST(Sync1Event, ReplayOfMany) {
  for (uint64_t event = 0; event < kMany; event += 3) {
    Recorded first, second;
    SetMany(first);
    second.Wait({event + 1}, kWrite, kRead);
    for (uint64_t i = 0; i < kMany; ++i) second.Access(RangeOf(i), vk::kSyncCopyTransferRead);
    DeviceContext device;
    const QueueIndex queue = device.AddQueue(kFlags);
    size_t hazards = 0;
    for (Recorded* recorded : {&first, &second}) {
      device.Replay(recorded->context, {.tag_count = recorded->next, .queue = queue},
                    [&](const ReplayHazard&) { ++hazards; });
    }
    EXPECT_EQ(hazards, kMany - 1 - event);
  }
}

// Everything before the set is complete, so the event has no effect any more.
TEST(Sync1Event, ForgottenOnceAccessesBeforeTheSetAreComplete) {
  DeviceContext device;
  const QueueIndex queue = device.AddQueue(kFlags);
  size_t hazards = 0;
  const auto submit = [&](Recorded& recorded) {
    device.Replay(recorded.context, {.tag_count = recorded.next, .queue = queue},
                  [&](const ReplayHazard&) { ++hazards; });
  };
  QueuePoint before = device.PointOf(queue);
  for (uint64_t event = 1; event < 100; ++event) {
    Recorded set;
    set.Access(kFirst, vk::kSyncCopyTransferRead);
    set.Set(event, kCopy);
    submit(set);
    device.HostWait(before);
    before = device.PointOf(queue);
  }
  EXPECT_EQ(hazards, 0u);
  EXPECT_EQ(device.ContextOf(queue).SetEventCount(), 1u);
}

}  // namespace
}  // namespace assay::syncval
