// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Of;
using ::testing::HasSubstr;

using Operations = std::vector<VkSemaphoreSubmitInfo>;

// A command that gives a queue semaphores, and its rules.
struct SubmissionCommand {
  vk::CommandId command;
  const char *nothing_signals, *other_queue_waits, *is_signaled;
  const char *value, *signal_difference, *wait_difference;
  const char *fence_is_signaled, *fence_is_in_use;
};

constexpr SubmissionCommand kSubmissionCommands[] = {
    {vk::QueueSubmit::kId, "vkQueueSubmit-pWaitSemaphores-03238", "vkQueueSubmit-pWaitSemaphores-00068",
     "vkQueueSubmit-pSignalSemaphores-00067", "VkSubmitInfo-pSignalSemaphores-03242",
     "VkSubmitInfo-pSignalSemaphores-03244", "VkSubmitInfo-pWaitSemaphores-03243", "vkQueueSubmit-fence-00063",
     "vkQueueSubmit-fence-00064"},
    {vk::QueueSubmit2::kId, "vkQueueSubmit2-semaphore-03873", "vkQueueSubmit2-semaphore-03871",
     "vkQueueSubmit2-semaphore-03868", "VkSubmitInfo2-semaphore-03882", "VkSubmitInfo2-semaphore-03883",
     "VkSubmitInfo2-semaphore-03884", "vkQueueSubmit2-fence-04894", "vkQueueSubmit2-fence-04895"},
    {vk::QueueBindSparse::kId, "vkQueueBindSparse-pWaitSemaphores-03245", "vkQueueBindSparse-pWaitSemaphores-01116",
     "vkQueueBindSparse-pSignalSemaphores-01115", "VkBindSparseInfo-pSignalSemaphores-03249",
     "VkBindSparseInfo-pSignalSemaphores-03251", "VkBindSparseInfo-pWaitSemaphores-03250",
     "vkQueueBindSparse-fence-01113", "vkQueueBindSparse-fence-01114"}};

class QueueRulesTest : public test::ValidationTest, public ::testing::WithParamInterface<SubmissionCommand> {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }

  void SetUp() override {
    ValidationTest::SetUp();
    semaphore_ = MakeSemaphore();
    timeline_ = MakeTimeline();
    fence_ = MakeFence();
  }
  void SubmitOperations(VkQueue queue, const Operations& waits, const Operations& signals,
                        VkFence fence = VK_NULL_HANDLE) {
    if (GetParam().command == vk::QueueSubmit2::kId) {
      Submit(queue, {}, {waits, signals, fence});
      return;
    }
    std::vector<VkSemaphore> semaphores[2];
    std::vector<uint64_t> values[2];
    for (int i : {0, 1}) {
      for (const VkSemaphoreSubmitInfo& operation : i == 0 ? waits : signals) {
        semaphores[i].push_back(operation.semaphore);
        values[i].push_back(operation.value);
      }
    }
    const uint32_t counts[] = {static_cast<uint32_t>(waits.size()), static_cast<uint32_t>(signals.size())};
    const auto timeline = Of<VkTimelineSemaphoreSubmitInfo>(counts[0], values[0].data(), counts[1], values[1].data());
    const auto fill = [&](auto info) {
      info.pNext = &timeline;
      info.waitSemaphoreCount = counts[0];
      info.pWaitSemaphores = semaphores[0].data();
      info.signalSemaphoreCount = counts[1];
      info.pSignalSemaphores = semaphores[1].data();
      return info;
    };
    if (GetParam().command == vk::QueueSubmit::kId) {
      const std::vector<VkPipelineStageFlags> stages(counts[0], VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
      const auto info = fill(VkSubmitInfo{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pWaitDstStageMask = stages.data()});
      vk.QueueSubmit(queue, 1, &info, fence);
    } else {
      const auto info = fill(VkBindSparseInfo{.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO});
      vk.QueueBindSparse(queue, 1, &info, fence);
    }
  }
  // Submits what breaks that rule, after what breaks none, and returns the message's text.
  std::string Expect(const char* rule, VkQueue queue, const Operations& waits, const Operations& signals,
                     VkFence fence = VK_NULL_HANDLE) {
    ExpectNothing();
    SubmitOperations(queue, waits, signals, fence);
    return ExpectMessage(std::string("VUID-") + rule).text;
  }
  // Two queues that can be given all of these commands.
  VkQueue A() { return Queue(0, 0); }
  VkQueue B() { return Queue(0, 1); }

  VkSemaphore semaphore_, timeline_;
  VkFence fence_;
};
class NegativeQueue : public QueueRulesTest {};
class PositiveQueue : public QueueRulesTest {};
INSTANTIATE_TEST_SUITE_P(SubmissionCommands, NegativeQueue, ::testing::ValuesIn(kSubmissionCommands));
INSTANTIATE_TEST_SUITE_P(SubmissionCommands, PositiveQueue, ::testing::ValuesIn(kSubmissionCommands));

// Binary semaphores.

TEST_P(NegativeQueue, SignaledTwice) {
  Submit(A(), {}, {.signals = {At(semaphore_)}});
  EXPECT_THAT(Expect(GetParam().is_signaled, B(), {}, {At(semaphore_)}),
              HasSubstr("is signaled by vkQueueSubmit2() to VkQueue"));
}
TEST_P(NegativeQueue, NothingSignals) { Expect(GetParam().nothing_signals, A(), {At(semaphore_)}, {}); }
TEST_P(NegativeQueue, WaitedForTwice) {
  SubmitOperations(A(), {}, {At(semaphore_)});
  SubmitOperations(A(), {At(semaphore_)}, {});
  Expect(GetParam().nothing_signals, A(), {At(semaphore_)}, {});
}
TEST_P(NegativeQueue, TwoQueuesWait) {
  SubmitOperations(A(), {}, {At(semaphore_)});
  SubmitOperations(A(), {At(semaphore_)}, {});
  Expect(GetParam().other_queue_waits, B(), {At(semaphore_)}, {});
}
TEST_P(NegativeQueue, SignalWaitsForAnUnsubmittedSignal) {
  SubmitOperations(A(), {At(timeline_, 1)}, {At(semaphore_)});
  Expect(GetParam().nothing_signals, B(), {At(semaphore_)}, {});
  HostSignal(timeline_, 1);
}

TEST_P(PositiveQueue, SignaledAndWaitedForInTurn) {
  for (int i = 0; i < 3; ++i) {
    SubmitOperations(A(), {}, {At(semaphore_)});
    SubmitOperations(B(), {At(semaphore_)}, {});
  }
}
TEST_P(PositiveQueue, WaitedForAndSignaledByOneBatch) {
  SubmitOperations(A(), {}, {At(semaphore_)});
  SubmitOperations(A(), {At(semaphore_)}, {At(semaphore_)});
  SubmitOperations(A(), {At(semaphore_)}, {});
}
// The second signal is held until what waits for the first is submitted.
TEST_P(PositiveQueue, SecondSignalWaitsForTheWait) {
  SubmitOperations(A(), {}, {At(semaphore_)});
  SubmitOperations(B(), {At(timeline_, 1)}, {At(semaphore_)});
  SubmitOperations(A(), {At(semaphore_)}, {At(timeline_, 1)});
}
TEST_P(PositiveQueue, SubmissionFails) {
  driver().FailNext(GetParam().command, VK_ERROR_OUT_OF_HOST_MEMORY);
  SubmitOperations(A(), {}, {At(semaphore_)});
  SubmitOperations(A(), {}, {At(semaphore_)});
}

// Timeline semaphores.

TEST_P(NegativeQueue, ValueIsReached) {
  VkSemaphore timeline = MakeTimeline(5);
  Expect(GetParam().value, A(), {}, {At(timeline, 5)});
  HostSignal(timeline, 8);
  EXPECT_THAT(Expect(GetParam().value, A(), {}, {At(timeline, 7)}),
              HasSubstr("(7) is not greater than the value that VkSemaphore"));
}
TEST_P(NegativeQueue, ValueIsSignaledBefore) {
  if (GetParam().command == vk::QueueBindSparse::kId) GTEST_SKIP() << "Not in the order of submission.";
  VkSemaphore held = MakeTimeline();
  SubmitOperations(A(), {}, {At(timeline_, 7)});
  Expect(GetParam().value, A(), {}, {At(timeline_, 6)});
  SubmitOperations(A(), {At(held, 1)}, {At(timeline_, 9)});
  Expect(GetParam().value, A(), {}, {At(timeline_, 8)});
  HostSignal(held, 1);
}
TEST_P(NegativeQueue, ValueIsTooFar) {
  Expect(GetParam().signal_difference, A(), {}, {At(timeline_, UINT64_MAX)});
  Expect(GetParam().wait_difference, B(), {At(MakeTimeline(), UINT64_MAX)}, {});
}
TEST_P(PositiveQueue, ValuesGrow) {
  VkSemaphore timeline = MakeTimeline(5);
  // Before its signal.
  SubmitOperations(B(), {At(timeline, 9)}, {});
  SubmitOperations(A(), {}, {At(timeline, 6)});
  SubmitOperations(A(), {At(timeline, 6)}, {At(timeline, 9)});
  HostSignal(timeline, 11);
  SubmitOperations(A(), {}, {At(timeline, 12)});
}

// Fences.

TEST_P(NegativeQueue, FenceIsSignaled) {
  Expect(GetParam().fence_is_signaled, A(), {}, {}, MakeFence(VK_FENCE_CREATE_SIGNALED_BIT));
  SubmitOperations(A(), {}, {}, fence_);
  vk.DeviceWaitIdle(device);
  Expect(GetParam().fence_is_signaled, A(), {}, {}, fence_);
}
TEST_P(NegativeQueue, FenceIsInUse) {
  SubmitOperations(A(), {}, {}, fence_);
  Expect(GetParam().fence_is_in_use, B(), {}, {}, fence_);
}
TEST_P(PositiveQueue, FenceIsReset) {
  for (int i = 0; i < 3; ++i) {
    SubmitOperations(A(), {}, {}, fence_);
    vk.WaitForFences(device, 1, &fence_, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &fence_);
  }
}

// The host.

class HostSignalTest : public QueueRulesTest {};

TEST_F(HostSignalTest, ValueWasReachedByTheDevice) {
  Submit(A(), {}, {.signals = {At(timeline_, 5)}});
  HostSignal(timeline_, 5);
  ExpectMessage("VUID-VkSemaphoreSignalInfo-value-03258");
}
TEST_F(HostSignalTest, ValueIsBehindAPendingSignal) {
  driver().config().hold_work = true;
  Submit(A(), {}, {.signals = {At(timeline_, 5)}});
  HostSignal(timeline_, 4);
  ExpectNothing();
  HostSignal(timeline_, 6);
  ExpectMessage("VUID-VkSemaphoreSignalInfo-value-03259");
  driver().config().hold_work = false;
  driver().CompleteWork();
}
TEST_F(HostSignalTest, ValueIsTooFar) {
  HostSignal(MakeTimeline(), UINT64_MAX);
  ExpectMessage("VUID-VkSemaphoreSignalInfo-value-03260");
}

// Command buffers.

class PendingTest : public QueueRulesTest {
 protected:
  void SetUp() override {
    QueueRulesTest::SetUp();
    once_ = Record([](VkCommandBuffer) {});
    secondary_ = Record([](VkCommandBuffer) {}, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    executing_ = MakeCommandBuffer();
    Begin(executing_, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vk.CmdExecuteCommands(executing_, 1, &secondary_);
    End(executing_);
    ExpectNothing();
  }
  void SubmitFirst(VkCommandBuffer commands) {
    const auto info = test::Typed(VkSubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &commands});
    vk.QueueSubmit(A(), 1, &info, VK_NULL_HANDLE);
  }

  VkCommandBuffer once_, secondary_, executing_;
};
class NegativePending : public PendingTest {};
class PositivePending : public PendingTest {};

TEST_F(NegativePending, SubmittedTwice) {
  Submit(A(), {once_});
  ExpectNothing();
  Submit(B(), {once_});
  EXPECT_THAT(ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03875").text, HasSubstr("was submitted to VkQueue"));
  SubmitFirst(once_);
  ExpectMessage("VUID-vkQueueSubmit-pCommandBuffers-00071");
}
// It is pending as before.
TEST_F(NegativePending, SubmittedAgainInVain) {
  Submit(A(), {once_});
  ExpectNothing();
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  for (VkResult result : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_SUCCESS}) {
    SCOPED_TRACE(result);
    EXPECT_EQ(Submit(B(), {once_}), result);
    ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03875");
  }
}
TEST_F(NegativePending, SecondaryOfPrimaryThatIsSubmittedTwice) {
  Submit(A(), {executing_});
  ExpectNothing();
  Submit(A(), {executing_});
  ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03877");
  SubmitFirst(executing_);
  ExpectMessage("VUID-vkQueueSubmit-pCommandBuffers-00073");
}
TEST_F(PositivePending, WaitedFor) {
  for (uint64_t frame = 1; frame < 4; ++frame) {
    Submit(A(), {once_, executing_}, {.signals = {At(timeline_, frame)}});
    const auto info = Of<VkSemaphoreWaitInfo>(0u, 1u, &timeline_, &frame);
    vk.WaitSemaphores(device, &info, UINT64_MAX);
  }
}
TEST_F(PositivePending, SubmissionFails) {
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  Submit(A(), {once_});
  Submit(A(), {once_});
}

}  // namespace
}  // namespace assay::core
