// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Batches that the host cannot know to be complete, and what uses them.

#include "state/queues/pending_batches.h"

#include "state/queues/queue_test.h"

namespace assay::state {
namespace {

class PendingUses : public ::testing::Test {
 protected:
  PendingUses() { pending_.AddQueue(queue_); }
  // Submits the next batch in a call that begins with the serial.
  void Use(uint64_t serial, uint64_t first_serial) {
    pending_.Add(queue_, {.serial = serial});
    pending_.AddUse({&queue_, serial}, first_serial, &uses_);
  }
  std::vector<uint64_t> Serials() const {
    std::vector<uint64_t> serials;
    for (const QueuePoint& use : uses_) serials.push_back(use.serial);
    return serials;
  }

  Queue queue_{nullptr, 0, VK_QUEUE_GRAPHICS_BIT};
  PendingBatches pending_;
  QueuePoints uses_;
};

TEST_F(PendingUses, KeepTheLastOfACallAndTheLastBefore) {
  for (uint64_t serial = 1; serial <= 5; ++serial) Use(serial, serial);
  EXPECT_EQ(Serials(), (std::vector<uint64_t>{4, 5}));
  Use(6, 6);
  Use(7, 6);
  EXPECT_EQ(Serials(), (std::vector<uint64_t>{5, 7}));
}

TEST_F(PendingUses, OfACallThatIsUndone) {
  Use(1, 1);
  Use(2, 2);
  Use(3, 2);
  pending_.Undo(queue_, 2);
  EXPECT_EQ(pending_.Find({&queue_, 3}), nullptr);
  ASSERT_NE(pending_.Find(uses_[0]), nullptr);
  EXPECT_EQ(pending_.Find(uses_[0])->order, 1u);
  // Serials are not used again.
  Use(4, 4);
  EXPECT_EQ(Serials(), (std::vector<uint64_t>{1, 4}));
  EXPECT_EQ(pending_.Find({&queue_, 4})->order, 2u);
}

TEST_F(PendingUses, OfCompleteBatches) {
  for (uint64_t serial = 1; serial <= 3; ++serial) Use(serial, serial);
  std::vector<PendingBatch> taken;
  pending_.TakeUpTo(queue_, 2, &taken);
  EXPECT_EQ(taken.size(), 2u);
  EXPECT_EQ(pending_.Find({&queue_, 2}), nullptr);
  EXPECT_NE(pending_.Find({&queue_, 3}), nullptr);
  EXPECT_FALSE(pending_.empty());
  pending_.TakeUpTo(queue_, 3, &taken);
  EXPECT_TRUE(pending_.empty());
  Use(4, 4);
  EXPECT_EQ(Serials(), std::vector<uint64_t>{4});
}

class Pending : public QueueTest {
 protected:
  test::DeviceOptions Options() override {
    return {
        .device_extensions = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME}};
  }
  void SetUp() override {
    QueueTest::SetUp();
    previews = false;
    observer.is_logging = false;
  }
  bool Has(uint32_t queue, uint64_t serial) {
    bool has = false;
    state->InspectPendingBatches([&](const PendingBatches& pending, const HostVisibleState&) {
      has = pending.Find({DeviceState::Get(q(queue)), serial}) != nullptr;
    });
    return has;
  }
  size_t Count() {
    size_t count = 0;
    state->InspectPendingBatches([&](const PendingBatches& pending, const HostVisibleState&) {
      pending.ForEach([&](const auto&, const auto&) { return ++count > 0; });
    });
    return count;
  }
};

// The application waits for fences and never asks for the value of the timeline semaphore.
TEST_F(Pending, DoesNotGrowWithFrames) {
  VkSemaphore timeline = MakeTimeline(), binary = MakeSemaphore();
  VkFence fence = MakeFence();
  for (uint64_t frame = 1; frame <= 100; ++frame) {
    SubmitBatch(0, {}, {At(timeline, frame), At(binary)});
    SubmitBatch(1, {At(binary)}, {}, fence);
    EXPECT_EQ(Count(), 2u);
    HostWait(fence);
    EXPECT_EQ(Count(), 0u);
    vk.ResetFences(device, 1, &fence);
  }
  EXPECT_LE(DeviceState::Get<Semaphore>(timeline)->progress.uses.size(), 2u);
  EXPECT_LE(DeviceState::Get<Semaphore>(timeline)->progress.signals.size(), 2u);
  EXPECT_LE(DeviceState::Get<Semaphore>(binary)->progress.uses.size(), 3u);
}

TEST_F(Pending, NotAfterAFailedSubmission) {
  VkSemaphore timeline = MakeTimeline();
  SubmitBatch(0, {}, {At(timeline, 1)});
  VkSemaphoreSubmitInfo signal = At(timeline, 2);
  VkSubmitInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .signalSemaphoreInfoCount = 1, .pSignalSemaphoreInfos = &signal};
  for (int i = 0; i < 10; ++i) {
    driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
    vk.QueueSubmit2(q(0), 1, &info, VK_NULL_HANDLE);
  }
  EXPECT_EQ(Count(), 1u);
  EXPECT_TRUE(Has(0, 1));
  EXPECT_EQ(DeviceState::Get(q(0))->progress.submissions, 1u);
  EXPECT_LE(DeviceState::Get<Semaphore>(timeline)->progress.uses.size(), 2u);
}

// More signals than the tracker keeps. The host knows more than the tracker.
TEST_F(Pending, NotAfterAnOldTimelineValue) {
  VkSemaphore timeline = MakeTimeline();
  for (uint64_t i = 1; i <= 300; ++i) SubmitBatch(0, {}, {At(timeline, i)});
  EXPECT_TRUE(Has(0, 1));
  HostWait(timeline, 10);
  EXPECT_FALSE(Has(0, 10));
  EXPECT_TRUE(Has(0, 100));
}

// More waits than the tracker keeps.
TEST_F(Pending, NotAfterAnOldBatchThatWaitedForIt) {
  VkSemaphore timeline = MakeTimeline();
  VkFence fence = MakeFence();
  for (uint64_t i = 1; i <= 1100; ++i) {
    SubmitBatch(0, {}, {At(timeline, i)});
    SubmitBatch(1, {At(timeline, i)}, {}, i == 5 ? fence : VK_NULL_HANDLE);
  }
  EXPECT_TRUE(Has(0, 5));
  HostWait(fence);
  EXPECT_FALSE(Has(0, 5));
  EXPECT_FALSE(Has(1, 5));
  EXPECT_TRUE(Has(1, 6));
  EXPECT_TRUE(Has(0, 200));
}

// Others with a handle of a temporary payload may tell the host.
TEST_F(Pending, NotWithTemporaryPayloads) {
  VkSemaphore semaphore = MakeSemaphore();
  VkFence fence = MakeFence();
  const VkImportSemaphoreFdInfoKHR import_semaphore = {
      VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,  nullptr, semaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
      VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
  const VkImportFenceFdInfoKHR import_fence = {
      VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,  nullptr, fence, VK_FENCE_IMPORT_TEMPORARY_BIT,
      VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
  SubmitBatch(0, {}, {});
  SubmitBatch(1, {}, {});
  vk.ImportSemaphoreFdKHR(device, &import_semaphore);
  vk.ImportFenceFdKHR(device, &import_fence);
  EXPECT_TRUE(Has(0, 1));
  SubmitBatch(0, {}, {At(semaphore)});
  EXPECT_FALSE(Has(0, 2));
  EXPECT_TRUE(Has(1, 1));
  SubmitBatch(1, {}, {}, fence);
  EXPECT_FALSE(Has(1, 2));
}

}  // namespace
}  // namespace assay::state
