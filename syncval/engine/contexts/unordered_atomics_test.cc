// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

// Atomic accesses of several queues to the same bytes, in no order.
namespace assay::syncval {
namespace {

constexpr VkQueueFlags kFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr Range kRange = {16, 32};

std::unique_ptr<AccessContext> Record(vk::SyncAccessIndex index, const Range& range = kRange,
                                      OrderingRule rule = OrderingRule::kNone) {
  auto context = std::make_unique<AccessContext>();
  context->Update({range, index, rule}, Tag{0});
  return context;
}

class UnorderedAtomics : public testing::Test {
 protected:
  UnorderedAtomics() {
    device_.AddQueue(kFlags);
    device_.AddQueue(kFlags);
    device_.AddQueue(kFlags);
  }
  HazardKind Submit(int queue, AccessContext& recorded) {
    HazardKind kind = HazardKind::kNone;
    device_.Replay(recorded, {.tag_count = 1, .queue = static_cast<QueueIndex>(queue)},
                   [&](const ReplayHazard& found) { kind = found.hazard.kind; });
    return kind;
  }
  // All earlier work of a queue happens before all later work of another.
  void Order(int first, int second) {
    const std::shared_ptr<const Snapshot> signal = device_.Signal(static_cast<QueueIndex>(first), kAll);
    device_.Wait(static_cast<QueueIndex>(second), *signal, kAll);
  }
  // Records an access on queue 0, and then, in no order with it, an increment on queue 1 that hides what queue 1 learns
  // of the access. The increment is complete on the host.
  void SubmitHidden(AccessContext& access) {
    Submit(0, access);
    const std::shared_ptr<const Snapshot> signal = device_.Signal(QueueIndex{0}, kAll);
    EXPECT_EQ(Submit(1, *increment_), HazardKind::kNone);
    const QueuePoint increment = device_.PointOf(QueueIndex{1});
    device_.Wait(QueueIndex{1}, *signal, kAll);
    device_.HostWait(increment);
  }
  // The host waits for what a queue has done up to now, and the queues before it.
  void HostWait(int queue) { device_.HostWait(device_.PointOf(static_cast<QueueIndex>(queue))); }

  DeviceContext device_{1000};
  const std::unique_ptr<AccessContext> increment_ =
      Record(vk::kSyncComputeShaderShaderStorageWrite, kRange, OrderingRule::kAtomic);
  const std::unique_ptr<AccessContext> load_ =
      Record(vk::kSyncComputeShaderShaderStorageRead, kRange, OrderingRule::kAtomic);
  const std::unique_ptr<AccessContext> copy_ = Record(vk::kSyncCopyTransferWrite);
  const std::unique_ptr<AccessContext> read_ = Record(vk::kSyncVertexShaderUniformRead);
};

// What queue 1 learns of the increment of queue 0, its own later one hides.
TEST_F(UnorderedAtomics, AreOrderedByWayOfAQueueWithALaterWrite) {
  SubmitHidden(*increment_);
  Order(1, 0);
  EXPECT_EQ(Submit(0, *copy_), HazardKind::kNone);
}

TEST_F(UnorderedAtomics, AreFoundWithoutTheWayBack) {
  SubmitHidden(*increment_);
  EXPECT_EQ(Submit(0, *copy_), HazardKind::kWriteAfterWrite);
}

// The same with a load, which a later increment hides.
TEST_F(UnorderedAtomics, ReadsAreOrderedByWayOfAQueueWithALaterWrite) {
  SubmitHidden(*load_);
  Order(1, 0);
  EXPECT_EQ(Submit(0, *copy_), HazardKind::kNone);
}

// Queue 0 forgets its own increment, and with it what was before, when queue 2 tells it of a later one.
TEST_F(UnorderedAtomics, WhatWasBeforeIsOrderedToo) {
  Submit(1, *read_);
  Order(1, 0);
  Submit(0, *increment_);
  EXPECT_EQ(Submit(2, *increment_), HazardKind::kWriteRacingRead);
  const QueuePoint increment = device_.PointOf(QueueIndex{2});
  Order(2, 0);
  device_.HostWait(increment);
  Order(0, 1);
  EXPECT_EQ(Submit(1, *copy_), HazardKind::kNone);
}

// A wait for an image that ends in the middle says nothing of the other bytes.
TEST_F(UnorderedAtomics, AreOrderedWhereAWaitIsAboutThem) {
  SubmitHidden(*increment_);
  const std::shared_ptr<const Snapshot> signal = device_.Signal(QueueIndex{1}, kAll);
  const uint64_t middle = kRange.begin + kRange.Size() / 2;
  device_.Wait(QueueIndex{0}, *signal, kAll, {kRange.begin, middle});
  EXPECT_EQ(Submit(0, *Record(vk::kSyncCopyTransferWrite, {kRange.begin, middle})), HazardKind::kNone);
  EXPECT_EQ(Submit(0, *Record(vk::kSyncCopyTransferWrite, {middle, kRange.end})), HazardKind::kWriteAfterWrite);
}

// Once all of it is complete nothing is left that could hide an error.
TEST_F(UnorderedAtomics, AreForgottenWhenComplete) {
  Submit(0, *increment_);
  const std::shared_ptr<const Snapshot> signal = device_.Signal(QueueIndex{0}, kAll);
  Submit(1, *increment_);
  device_.Wait(QueueIndex{1}, *signal, kAll);
  EXPECT_FALSE(device_.Signal(QueueIndex{1}, kAll)->unordered.empty());
  HostWait(0);
  HostWait(1);
  EXPECT_TRUE(device_.Signal(QueueIndex{1}, kAll)->unordered.empty());
}

// A wait that is undone leaves no note.
TEST_F(UnorderedAtomics, AreUndone) {
  Submit(0, *increment_);
  const std::shared_ptr<const Snapshot> signal = device_.Signal(QueueIndex{0}, kAll);
  Submit(1, *increment_);
  device_.BeginUndoable();
  device_.Wait(QueueIndex{1}, *signal, kAll);
  EXPECT_FALSE(device_.Signal(QueueIndex{1}, kAll)->unordered.empty());
  ASSERT_TRUE(device_.Undo());
  EXPECT_TRUE(device_.Signal(QueueIndex{1}, kAll)->unordered.empty());
}

// Increments of one queue, or ordinary writes, are nothing special.
TEST_F(UnorderedAtomics, OthersAreNotNoted) {
  Submit(0, *increment_);
  Submit(0, *increment_);
  Order(0, 1);
  Submit(1, *copy_);
  Order(1, 0);
  EXPECT_TRUE(device_.Signal(QueueIndex{0}, kAll)->unordered.empty());
  EXPECT_TRUE(device_.Signal(QueueIndex{1}, kAll)->unordered.empty());
}

}  // namespace
}  // namespace assay::syncval
