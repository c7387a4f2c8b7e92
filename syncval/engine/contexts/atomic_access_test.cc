// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr Range kRange = {16, 32};
constexpr vk::SyncAccessIndex kRead = vk::kSyncComputeShaderShaderStorageRead;
constexpr vk::SyncAccessIndex kWrite = vk::kSyncComputeShaderShaderStorageWrite;
constexpr OrderingRule kAtomic = OrderingRule::kAtomic;

class AtomicAccesses : public testing::Test {
 protected:
  // One command of one access.
  HazardKind Do(vk::SyncAccessIndex index, OrderingRule rule = OrderingRule::kNone) {
    Hazard hazard;
    context_.DetectAndUpdate({kRange, index, rule}, Tag{tag_++}, hazard);
    return hazard.kind;
  }
  // One command that writes atomically and by other means.
  void WriteBoth(OrderingRule first, OrderingRule second) {
    const Tag tag{tag_++};
    context_.Update({kRange, kWrite, first}, tag);
    context_.Update({kRange, kWrite, second}, tag);
  }
  // One command that increments.
  HazardKind Increment() {
    const Tag tag{tag_++};
    Hazard hazard;
    for (const vk::SyncAccessIndex index : {kWrite, kRead})
      context_.DetectHazard({kRange, index, kAtomic}, tag, hazard);
    for (const vk::SyncAccessIndex index : {kWrite, kRead}) context_.Update({kRange, index, kAtomic}, tag);
    return hazard.kind;
  }
  void Barrier(const BarrierFlags& flags) {
    context_.ApplyGlobal(cache_.Get(flags, kQueue));
    ++tag_;
  }

  AccessContext context_;
  BarrierCache cache_;
  uint32_t tag_ = 0;
};

TEST_F(AtomicAccesses, DoNotRaceWithEachOther) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Increment(), HazardKind::kNone);
  EXPECT_EQ(Do(vk::kSyncFragmentShaderShaderStorageWrite, kAtomic), HazardKind::kNone);
  EXPECT_EQ(Do(kRead, kAtomic), HazardKind::kNone);
}

TEST_F(AtomicAccesses, RaceWithOthers) {
  Increment();
  EXPECT_EQ(Do(kRead), HazardKind::kReadAfterWrite);
  EXPECT_EQ(Increment(), HazardKind::kWriteAfterRead);
  EXPECT_EQ(Do(kWrite), HazardKind::kWriteAfterRead);
  EXPECT_EQ(Do(kWrite, kAtomic), HazardKind::kWriteAfterWrite);
}

// The later of two increments stands for both.
TEST_F(AtomicAccesses, BarrierAfterTwoOrdersBoth) {
  Increment();
  Increment();
  EXPECT_EQ(Do(vk::kSyncCopyTransferRead), HazardKind::kReadAfterWrite);
  Increment();
  Barrier({VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
           VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
  EXPECT_EQ(Do(vk::kSyncCopyTransferRead), HazardKind::kNone);
}

// An atomic read neither replaces a plain one nor is replaced by it.
TEST_F(AtomicAccesses, ReadsAreOfTwoKinds) {
  Do(kRead);
  Do(kRead, kAtomic);
  EXPECT_EQ(Do(kWrite, kAtomic), HazardKind::kWriteAfterRead);
  context_.Reset();
  Do(kRead);
  Barrier({VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0});
  Do(kRead, kAtomic);
  EXPECT_EQ(Do(kWrite, kAtomic), HazardKind::kNone);
}

TEST_F(AtomicAccesses, CommandWithAnotherWriteIsNotAtomic) {
  for (const bool atomic_first : {false, true}) {
    context_.Reset();
    WriteBoth(atomic_first ? kAtomic : OrderingRule::kNone, atomic_first ? OrderingRule::kNone : kAtomic);
    EXPECT_EQ(Do(kWrite, kAtomic), HazardKind::kWriteAfterWrite) << atomic_first;
  }
}

// In the command buffer that executes another, and on another queue.
TEST_F(AtomicAccesses, OfAnotherCommandBuffer) {
  AccessContext recorded;
  recorded.Update({kRange, kWrite, kAtomic}, Tag{0});
  recorded.Update({kRange, kRead, kAtomic}, Tag{0});
  int hazards = 0;
  const auto count = [&](const ReplayHazard&) { ++hazards; };
  Increment();
  context_.Replay(recorded, Tag{tag_++}, count);
  EXPECT_EQ(hazards, 0);
  EXPECT_EQ(Increment(), HazardKind::kNone);
  Do(kWrite);
  context_.Replay(recorded, Tag{tag_++}, count);
  EXPECT_GT(hazards, 0);

  DeviceContext device;
  const QueueIndex first = device.AddQueue(kQueue);
  const QueueIndex second = device.AddQueue(kQueue);
  hazards = 0;
  for (const QueueIndex queue : {first, second, first})
    device.Replay(recorded, {.tag_count = 1, .queue = queue}, count);
  EXPECT_EQ(hazards, 0);
  AccessContext plain;
  plain.Update({kRange, kRead}, Tag{0});
  device.Replay(plain, {.tag_count = 1, .queue = second}, count);
  EXPECT_GT(hazards, 0);
}

}  // namespace
}  // namespace assay::syncval
