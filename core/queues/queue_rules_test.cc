// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

struct Operation {
  VkSemaphore semaphore;
  uint64_t value = 0;
};
using Operations = std::vector<Operation>;

// A command that gives a queue semaphores, and its rules.
struct SubmissionCommand {
  enum Command { kSubmit, kSubmit2, kBindSparse } command;
  const char *nothing_signals, *other_queue_waits, *is_signaled;
  const char *value, *signal_difference, *wait_difference;
  const char *fence_is_signaled, *fence_is_in_use;
};

constexpr SubmissionCommand kSubmissionCommands[] = {
    {SubmissionCommand::kSubmit, "VUID-vkQueueSubmit-pWaitSemaphores-03238", "VUID-vkQueueSubmit-pWaitSemaphores-00068",
     "VUID-vkQueueSubmit-pSignalSemaphores-00067", "VUID-VkSubmitInfo-pSignalSemaphores-03242",
     "VUID-VkSubmitInfo-pSignalSemaphores-03244", "VUID-VkSubmitInfo-pWaitSemaphores-03243",
     "VUID-vkQueueSubmit-fence-00063", "VUID-vkQueueSubmit-fence-00064"},
    {SubmissionCommand::kSubmit2, "VUID-vkQueueSubmit2-semaphore-03873", "VUID-vkQueueSubmit2-semaphore-03871",
     "VUID-vkQueueSubmit2-semaphore-03868", "VUID-VkSubmitInfo2-semaphore-03882", "VUID-VkSubmitInfo2-semaphore-03883",
     "VUID-VkSubmitInfo2-semaphore-03884", "VUID-vkQueueSubmit2-fence-04894", "VUID-vkQueueSubmit2-fence-04895"},
    {SubmissionCommand::kBindSparse, "VUID-vkQueueBindSparse-pWaitSemaphores-03245",
     "VUID-vkQueueBindSparse-pWaitSemaphores-01116", "VUID-vkQueueBindSparse-pSignalSemaphores-01115",
     "VUID-VkBindSparseInfo-pSignalSemaphores-03249", "VUID-VkBindSparseInfo-pSignalSemaphores-03251",
     "VUID-VkBindSparseInfo-pWaitSemaphores-03250", "VUID-vkQueueBindSparse-fence-01113",
     "VUID-vkQueueBindSparse-fence-01114"}};

class QueueRulesTest : public test::ValidationTest, public ::testing::WithParamInterface<SubmissionCommand> {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }

  void SubmitOperations(VkQueue queue, const Operations& waits, const Operations& signals,
                        VkFence fence = VK_NULL_HANDLE) {
    SubmitOperationsAs(GetParam().command, queue, waits, signals, fence);
  }
  void SubmitOperationsAs(SubmissionCommand::Command command, VkQueue queue, const Operations& waits,
                          const Operations& signals, VkFence fence = VK_NULL_HANDLE) {
    std::vector<VkSemaphore> semaphores[2];
    std::vector<uint64_t> values[2];
    std::vector<VkSemaphoreSubmitInfo> infos[2];
    for (int i : {0, 1}) {
      for (const Operation& operation : i == 0 ? waits : signals) {
        semaphores[i].push_back(operation.semaphore);
        values[i].push_back(operation.value);
        infos[i].push_back({VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, operation.semaphore, operation.value,
                            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0});
      }
    }
    if (command == SubmissionCommand::kSubmit2) {
      Submit(queue, {}, {infos[0], infos[1], fence});
      return;
    }
    const uint32_t counts[] = {static_cast<uint32_t>(waits.size()), static_cast<uint32_t>(signals.size())};
    const VkTimelineSemaphoreSubmitInfo timeline = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                    nullptr,
                                                    counts[0],
                                                    values[0].data(),
                                                    counts[1],
                                                    values[1].data()};
    if (command == SubmissionCommand::kSubmit) {
      const std::vector<VkPipelineStageFlags> stages(counts[0], VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
      const VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 &timeline,
                                 counts[0],
                                 semaphores[0].data(),
                                 stages.data(),
                                 0,
                                 nullptr,
                                 counts[1],
                                 semaphores[1].data()};
      vk.QueueSubmit(queue, 1, &info, fence);
    } else {
      const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                     .pNext = &timeline,
                                     .waitSemaphoreCount = counts[0],
                                     .pWaitSemaphores = semaphores[0].data(),
                                     .signalSemaphoreCount = counts[1],
                                     .pSignalSemaphores = semaphores[1].data()};
      vk.QueueBindSparse(queue, 1, &info, fence);
    }
  }
  void HostSignal(VkSemaphore semaphore, uint64_t value) {
    const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, value};
    vk.SignalSemaphore(device, &info);
  }
  // Two queues that can be given all of these commands.
  VkQueue A() { return Queue(0, 0); }
  VkQueue B() { return Queue(0, 1); }
};
class NegativeQueue : public QueueRulesTest {};
class PositiveQueue : public QueueRulesTest {};
INSTANTIATE_TEST_SUITE_P(SubmissionCommands, NegativeQueue, ::testing::ValuesIn(kSubmissionCommands));
INSTANTIATE_TEST_SUITE_P(SubmissionCommands, PositiveQueue, ::testing::ValuesIn(kSubmissionCommands));

// Binary semaphores.

TEST_P(NegativeQueue, SignaledTwice) {
  VkSemaphore semaphore = MakeSemaphore();
  SubmitOperationsAs(SubmissionCommand::kSubmit2, A(), {}, {{semaphore}});
  ExpectNothing();
  SubmitOperations(B(), {}, {{semaphore}});
  const std::string text = ExpectMessage(GetParam().is_signaled).text;
  EXPECT_NE(text.find("is signaled by vkQueueSubmit2() to VkQueue"), std::string::npos) << text;
}
TEST_P(NegativeQueue, NothingSignals) {
  VkSemaphore semaphore = MakeSemaphore();
  SubmitOperations(A(), {{semaphore}}, {});
  ExpectMessage(GetParam().nothing_signals);
}
TEST_P(NegativeQueue, WaitedForTwice) {
  VkSemaphore semaphore = MakeSemaphore();
  SubmitOperations(A(), {}, {{semaphore}});
  SubmitOperations(A(), {{semaphore}}, {});
  ExpectNothing();
  SubmitOperations(A(), {{semaphore}}, {});
  ExpectMessage(GetParam().nothing_signals);
}
TEST_P(NegativeQueue, TwoQueuesWait) {
  VkSemaphore semaphore = MakeSemaphore();
  SubmitOperations(A(), {}, {{semaphore}});
  SubmitOperations(A(), {{semaphore}}, {});
  ExpectNothing();
  SubmitOperations(B(), {{semaphore}}, {});
  ExpectMessage(GetParam().other_queue_waits);
}
TEST_P(NegativeQueue, SignalWaitsForAnUnsubmittedSignal) {
  VkSemaphore semaphore = MakeSemaphore(), timeline = MakeTimeline();
  SubmitOperations(A(), {{timeline, 1}}, {{semaphore}});
  ExpectNothing();
  SubmitOperations(B(), {{semaphore}}, {});
  ExpectMessage(GetParam().nothing_signals);
  HostSignal(timeline, 1);
}

TEST_P(PositiveQueue, SignaledAndWaitedForInTurn) {
  VkSemaphore semaphore = MakeSemaphore();
  for (int i = 0; i < 3; ++i) {
    SubmitOperations(A(), {}, {{semaphore}});
    SubmitOperations(B(), {{semaphore}}, {});
  }
}
TEST_P(PositiveQueue, WaitedForAndSignaledByOneBatch) {
  VkSemaphore semaphore = MakeSemaphore();
  SubmitOperations(A(), {}, {{semaphore}});
  SubmitOperations(A(), {{semaphore}}, {{semaphore}});
  SubmitOperations(A(), {{semaphore}}, {});
}
// The second signal is held until what waits for the first is submitted.
TEST_P(PositiveQueue, SecondSignalWaitsForTheWait) {
  VkSemaphore semaphore = MakeSemaphore(), timeline = MakeTimeline();
  SubmitOperations(A(), {}, {{semaphore}});
  SubmitOperations(B(), {{timeline, 1}}, {{semaphore}});
  SubmitOperations(A(), {{semaphore}}, {{timeline, 1}});
}
TEST_P(PositiveQueue, SubmissionFails) {
  VkSemaphore semaphore = MakeSemaphore();
  driver().FailNext(GetParam().command == SubmissionCommand::kSubmit    ? vk::QueueSubmit::kId
                    : GetParam().command == SubmissionCommand::kSubmit2 ? vk::QueueSubmit2::kId
                                                                        : vk::QueueBindSparse::kId,
                    VK_ERROR_OUT_OF_HOST_MEMORY);
  SubmitOperations(A(), {}, {{semaphore}});
  SubmitOperations(A(), {}, {{semaphore}});
}

// Timeline semaphores.

TEST_P(NegativeQueue, ValueIsReached) {
  VkSemaphore timeline = MakeTimeline(5);
  SubmitOperations(A(), {}, {{timeline, 5}});
  ExpectMessage(GetParam().value);
  HostSignal(timeline, 8);
  SubmitOperations(A(), {}, {{timeline, 7}});
  const std::string text = ExpectMessage(GetParam().value).text;
  EXPECT_NE(text.find("(7) is not greater than the value that VkSemaphore"), std::string::npos) << text;
}
TEST_P(NegativeQueue, ValueIsSignaledBefore) {
  if (GetParam().command == SubmissionCommand::kBindSparse) GTEST_SKIP() << "Not in the order of submission.";
  VkSemaphore timeline = MakeTimeline(), held = MakeTimeline();
  SubmitOperations(A(), {}, {{timeline, 7}});
  SubmitOperations(A(), {}, {{timeline, 6}});
  ExpectMessage(GetParam().value);
  SubmitOperations(A(), {{held, 1}}, {{timeline, 9}});
  ExpectNothing();
  SubmitOperations(A(), {}, {{timeline, 8}});
  ExpectMessage(GetParam().value);
  HostSignal(held, 1);
}
TEST_P(NegativeQueue, ValueIsTooFar) {
  VkSemaphore timeline = MakeTimeline();
  SubmitOperations(A(), {}, {{timeline, UINT64_MAX}});
  ExpectMessage(GetParam().signal_difference);
  VkSemaphore other = MakeTimeline();
  SubmitOperations(B(), {{other, UINT64_MAX}}, {});
  ExpectMessage(GetParam().wait_difference);
}
TEST_P(PositiveQueue, ValuesGrow) {
  VkSemaphore timeline = MakeTimeline(5);
  // Before its signal.
  SubmitOperations(B(), {{timeline, 9}}, {});
  SubmitOperations(A(), {}, {{timeline, 6}});
  SubmitOperations(A(), {{timeline, 6}}, {{timeline, 9}});
  HostSignal(timeline, 11);
  SubmitOperations(A(), {}, {{timeline, 12}});
}

// Fences.

TEST_P(NegativeQueue, FenceIsSignaled) {
  SubmitOperations(A(), {}, {}, MakeFence(VK_FENCE_CREATE_SIGNALED_BIT));
  ExpectMessage(GetParam().fence_is_signaled);
  VkFence fence = MakeFence();
  SubmitOperations(A(), {}, {}, fence);
  vk.DeviceWaitIdle(device);
  ExpectNothing();
  SubmitOperations(A(), {}, {}, fence);
  ExpectMessage(GetParam().fence_is_signaled);
}
TEST_P(NegativeQueue, FenceIsInUse) {
  VkFence fence = MakeFence();
  SubmitOperations(A(), {}, {}, fence);
  ExpectNothing();
  SubmitOperations(B(), {}, {}, fence);
  ExpectMessage(GetParam().fence_is_in_use);
}
TEST_P(PositiveQueue, FenceIsReset) {
  VkFence fence = MakeFence();
  for (int i = 0; i < 3; ++i) {
    SubmitOperations(A(), {}, {}, fence);
    vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &fence);
  }
}

// The host.

class HostSignalTest : public QueueRulesTest {};

TEST_F(HostSignalTest, ValueWasReachedByTheDevice) {
  VkSemaphore timeline = MakeTimeline();
  SubmitOperationsAs(SubmissionCommand::kSubmit2, A(), {}, {{timeline, 5}});
  HostSignal(timeline, 5);
  ExpectMessage("VUID-VkSemaphoreSignalInfo-value-03258");
}
TEST_F(HostSignalTest, ValueIsBehindAPendingSignal) {
  driver().config().hold_work = true;
  VkSemaphore timeline = MakeTimeline();
  SubmitOperationsAs(SubmissionCommand::kSubmit2, A(), {}, {{timeline, 5}});
  HostSignal(timeline, 4);
  ExpectNothing();
  HostSignal(timeline, 6);
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
    once_ = MakeCommandBuffer();
    Begin(once_);
    End(once_);
    secondary_ = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0, &inheritance};
    vk.BeginCommandBuffer(secondary_, &info);
    End(secondary_);
    executing_ = MakeCommandBuffer();
    Begin(executing_, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vk.CmdExecuteCommands(executing_, 1, &secondary_);
    End(executing_);
    ExpectNothing();
  }
  void SubmitFirst(VkCommandBuffer commands) {
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
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
  const std::string text = ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03875").text;
  EXPECT_NE(text.find("was submitted to VkQueue"), std::string::npos) << text;
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
  VkSemaphore timeline = MakeTimeline();
  for (uint64_t frame = 1; frame < 4; ++frame) {
    Submit(A(), {once_, executing_},
           {.signals = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, frame,
                         VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
    const VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &timeline, &frame};
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
