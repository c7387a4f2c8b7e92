// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/contexts/device_context.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr BarrierFlags kCopyToCompute = {kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT, kCompute,
                                         VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
constexpr Range kRange = {16, 32};

// A command buffer of one access, with barriers before it and after it.
std::unique_ptr<AccessContext> Record(vk::SyncAccessIndex index, const std::vector<BarrierFlags>& before = {},
                                      const std::vector<BarrierFlags>& after = {}) {
  auto context = std::make_unique<AccessContext>();
  BarrierCache cache;
  for (const BarrierFlags& flags : before) context->ApplyGlobal(cache.Get(flags, kFlags));
  Hazard hazard;
  context->DetectAndUpdate({kRange, index}, Tag{0}, hazard);
  for (const BarrierFlags& flags : after) context->ApplyGlobal(cache.Get(flags, kFlags));
  return context;
}

// A command buffer of one layout transition.
std::unique_ptr<AccessContext> Transition(const BarrierFlags& flags) {
  auto context = std::make_unique<AccessContext>();
  const Barrier barrier = MakeBarrier(flags, kFlags);
  const RangeBarrier range{kRange, &barrier, true};
  context->ApplyAll({}, {&range, 1}, Tag{0});
  return context;
}

class DeviceContextTest : public testing::Test {
 protected:
  // The hazards of an execution.
  std::vector<Hazard> Submit(QueueIndex queue, AccessContext& recorded, uint64_t submission = 0) {
    std::vector<Hazard> hazards;
    device_.Replay(recorded, {.tag_count = 1, .queue = queue, .submission = submission},
                   [&](const ReplayHazard& found) { hazards.push_back(found.hazard); });
    return hazards;
  }
  HazardKind KindOf(QueueIndex queue, AccessContext& recorded) {
    const std::vector<Hazard> hazards = Submit(queue, recorded);
    return hazards.empty() ? HazardKind::kNone : hazards.front().kind;
  }

  DeviceContext device_{1000};
  const QueueIndex graphics_ = device_.AddQueue(kFlags);
  const QueueIndex transfer_ = device_.AddQueue(kFlags);
  std::unique_ptr<AccessContext> write_ = Record(vk::kSyncCopyTransferWrite);
  std::unique_ptr<AccessContext> read_ = Record(vk::kSyncComputeShaderShaderStorageRead);
};

TEST_F(DeviceContextTest, SubmissionOrderAloneOrdersNothing) {
  Submit(graphics_, *write_, 7);
  const std::vector<Hazard> hazards = Submit(graphics_, *read_);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards.front().kind, HazardKind::kReadAfterWrite);
  EXPECT_EQ(device_.executions().Find(hazards.front().prior_tag)->submission, 7u);
}

// Barriers at the end of the first, and at the begin of the second command buffer.
TEST_F(DeviceContextTest, BarriersReachAcrossCommandBuffers) {
  Submit(graphics_, *write_);
  EXPECT_EQ(KindOf(graphics_, *Record(vk::kSyncComputeShaderShaderStorageRead, {kCopyToCompute})), HazardKind::kNone);
  Submit(transfer_, *Record(vk::kSyncCopyTransferWrite, {}, {kCopyToCompute}));
  device_.HostWait(device_.PointOf(graphics_));
  EXPECT_EQ(KindOf(transfer_, *read_), HazardKind::kNone);
}

TEST_F(DeviceContextTest, QueuesRace) {
  Submit(transfer_, *write_);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kReadRacingWrite);
  EXPECT_EQ(KindOf(graphics_, *write_), HazardKind::kWriteRacingWrite);
}

TEST_F(DeviceContextTest, WriteRacesWithRead) {
  Submit(transfer_, *read_);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kNone);
  EXPECT_EQ(KindOf(graphics_, *write_), HazardKind::kWriteRacingRead);
}

TEST_F(DeviceContextTest, SemaphoreOrders) {
  Submit(transfer_, *write_);
  const auto signal = device_.Signal(transfer_, kAll);
  device_.Wait(graphics_, *signal, kCompute);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kNone);
}

// The access happened before, but not for this stage: a barrier that is ordered after the wait would do.
TEST_F(DeviceContextTest, SemaphoreForAnotherStage) {
  Submit(transfer_, *write_);
  const auto signal = device_.Signal(transfer_, kAll);
  device_.Wait(graphics_, *signal, kCopy);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kReadAfterWrite);
}

TEST_F(DeviceContextTest, BarrierFollowsUponWait) {
  Submit(transfer_, *write_);
  device_.Wait(graphics_, *device_.Signal(transfer_, kAll), kCopy);
  EXPECT_EQ(KindOf(graphics_, *Record(vk::kSyncComputeShaderShaderStorageRead,
                                      {{kCopy, 0, kCompute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT}})),
            HazardKind::kNone);
}

// A layout transition by a barrier without a first scope is after everything that a wait of all commands orders. After
// other waits it is ordered with nothing.
TEST_F(DeviceContextTest, WaitOfAllCommandsOrdersTransitions) {
  for (const auto* first : {&write_, &read_}) {
    Submit(transfer_, **first);
    for (const auto& [stages, kind] :
         {std::pair(kCompute, first == &write_ ? HazardKind::kWriteAfterWrite : HazardKind::kWriteAfterRead),
          std::pair(kAll, HazardKind::kNone),
          std::pair<VkPipelineStageFlags2, HazardKind>(VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, HazardKind::kNone)}) {
      const QueueIndex queue = device_.AddQueue(kFlags);
      device_.Wait(queue, *device_.Signal(transfer_, kAll), stages);
      EXPECT_EQ(KindOf(queue, *Transition({VK_PIPELINE_STAGE_2_NONE, 0, kCompute, 0})), kind) << stages;
      // Its context would race with that of the next wait.
      device_.HostWait(device_.PointOf(queue));
      Submit(transfer_, **first);
    }
    device_.HostWait(device_.PointOf(transfer_));
  }
}

// The wait does not cover work that is submitted after the signal.
TEST_F(DeviceContextTest, WorkAfterSignalRaces) {
  const auto signal = device_.Signal(transfer_, kAll);
  Submit(transfer_, *write_);
  device_.Wait(graphics_, *signal, kAll);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kReadRacingWrite);
}

TEST_F(DeviceContextTest, HostWaitForgets) {
  Submit(transfer_, *write_);
  device_.HostWait(device_.PointOf(transfer_));
  EXPECT_EQ(device_.ContextOf(transfer_).RangeCount(), 0u);
  EXPECT_EQ(device_.executions().size(), 0u);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kNone);
}

// Accesses to a destroyed resource do not keep the executions since.
TEST_F(DeviceContextTest, ForgetsARange) {
  Submit(transfer_, *read_);
  for (int i = 0; i < 10; ++i) Submit(graphics_, *read_);
  device_.HostWait(device_.PointOf(graphics_));
  EXPECT_GT(device_.executions().size(), 10u);
  device_.Forget(transfer_, {0, 8});
  EXPECT_EQ(device_.ContextOf(transfer_).RangeCount(), 1u);
  device_.Forget(transfer_, {8, 64});
  EXPECT_EQ(device_.ContextOf(transfer_).RangeCount(), 0u);
  device_.HostWait(device_.PointOf(graphics_));
  EXPECT_EQ(device_.executions().size(), 0u);
}

// A signal and a wait for part of what a queue has accessed.
TEST_F(DeviceContextTest, SignalAndWaitWithinARange) {
  constexpr Range kFirst = {16, 20};
  constexpr Range kSecond = {24, 28};
  const auto record = [](const Range& range, vk::SyncAccessIndex index) {
    auto context = std::make_unique<AccessContext>();
    context->Update({range, index}, Tag{0});
    return context;
  };
  const auto kind_of = [&](QueueIndex queue, const Range& range) {
    return KindOf(queue, *record(range, vk::kSyncComputeShaderShaderStorageRead));
  };
  Submit(transfer_, *record(kFirst, vk::kSyncCopyTransferWrite));
  Submit(transfer_, *record(kSecond, vk::kSyncCopyTransferWrite));
  const QueueIndex other = device_.AddQueue(kFlags);
  device_.Wait(graphics_, *device_.SignalWithin(transfer_, kFirst), kAll);
  device_.Wait(other, *device_.Signal(transfer_, kAll), kCopy, kFirst);
  EXPECT_EQ(kind_of(graphics_, kFirst), HazardKind::kNone);
  EXPECT_EQ(kind_of(other, kFirst), HazardKind::kReadAfterWrite);
  EXPECT_EQ(device_.ContextOf(graphics_).RangeCount(), 1u);
  EXPECT_EQ(device_.ContextOf(other).RangeCount(), 1u);
}

// A snapshot is as large as what the queue has accessed, so signals between which nothing happens have one.
TEST_F(DeviceContextTest, EqualSignalsShareASnapshot) {
  Submit(transfer_, *write_);
  const auto signal = device_.Signal(transfer_, kAll);
  Submit(graphics_, *Record(vk::kSyncIndexInputIndexRead));
  EXPECT_EQ(device_.Signal(transfer_, kAll), signal);
  EXPECT_NE(device_.Signal(transfer_, kCompute), signal);
  const auto again = device_.Signal(transfer_, kAll);
  device_.Wait(transfer_, *device_.Signal(graphics_, kAll), kAll);
  EXPECT_NE(device_.Signal(transfer_, kAll), again);
  const auto waited = device_.Signal(transfer_, kAll);
  Submit(transfer_, *read_);
  EXPECT_NE(device_.Signal(transfer_, kAll), waited);
  const auto executed = device_.Signal(transfer_, kAll);
  device_.OrderEverything(transfer_);
  EXPECT_NE(device_.Signal(transfer_, kAll), executed);
  const auto ordered = device_.Signal(transfer_, kAll);
  device_.HostWait(device_.PointOf(graphics_));
  EXPECT_NE(device_.Signal(transfer_, kAll), ordered);
}

// Only the stages of the second wait are new.
TEST_F(DeviceContextTest, WaitsForOneSignal) {
  Submit(transfer_, *write_);
  const auto signal = device_.Signal(transfer_, kAll);
  device_.Wait(graphics_, *signal, kCopy);
  device_.Wait(graphics_, *signal, kCopy);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kReadAfterWrite);
  device_.Wait(graphics_, *signal, kCompute);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kNone);
}

TEST_F(DeviceContextTest, WaitForACompleteSignal) {
  Submit(transfer_, *write_);
  const auto signal = device_.Signal(transfer_, kAll);
  EXPECT_FALSE(device_.IsComplete(signal->point));
  device_.HostWait(device_.PointOf(transfer_));
  EXPECT_TRUE(device_.IsComplete(signal->point));
  device_.Wait(graphics_, *signal, kCopy);
  EXPECT_EQ(device_.ContextOf(graphics_).RangeCount(), 0u);
}

// Races with other queues stay.
TEST_F(DeviceContextTest, OrdersEverythingOnOneQueue) {
  Submit(transfer_, *write_);
  Submit(graphics_, *Record(vk::kSyncCopyTransferWrite));
  device_.OrderEverything(transfer_);
  EXPECT_EQ(KindOf(transfer_, *read_), HazardKind::kReadRacingWrite);
  device_.HostWait(device_.PointOf(graphics_));
  EXPECT_EQ(KindOf(transfer_, *read_), HazardKind::kNone);
}

// The transfer queue's work is complete with the graphics queue's that waited for it.
TEST_F(DeviceContextTest, HostWaitReachesThroughSemaphores) {
  Submit(transfer_, *write_);
  device_.Wait(graphics_, *device_.Signal(transfer_, kAll), kAll);
  device_.HostWait(device_.PointOf(graphics_));
  EXPECT_EQ(device_.ContextOf(transfer_).RangeCount(), 0u);
}

// More tags than there are, with a signal, a point and a write from before they were moved down.
TEST_F(DeviceContextTest, TagsDoNotRunOut) {
  Submit(transfer_, *write_);
  const auto signal = device_.Signal(transfer_, kAll);
  const QueuePoint point = device_.PointOf(transfer_);
  for (int i = 0; i < 5000; ++i) device_.TakeTag();
  Submit(transfer_, *Record(vk::kSyncComputeShaderShaderStorageRead, {kCopyToCompute}));
  EXPECT_LT(device_.executions().next().value, 4000u);
  device_.Wait(graphics_, *signal, kCompute);
  EXPECT_EQ(KindOf(graphics_, *read_), HazardKind::kNone);
  device_.HostWait(point);
  EXPECT_EQ(KindOf(graphics_, *write_), HazardKind::kWriteRacingRead);
}

// A device that is never waited for keeps what its last accesses need, and no more.
TEST_F(DeviceContextTest, MemoryDoesNotGrow) {
  const auto both = Record(vk::kSyncCopyTransferWrite, {kCopyToCompute}, {{kAll, 0, kAll, 0}});
  for (int i = 0; i < 5000; ++i) Submit(graphics_, *both);
  EXPECT_EQ(device_.ContextOf(graphics_).RangeCount(), 1u);
}

}  // namespace
}  // namespace assay::syncval
