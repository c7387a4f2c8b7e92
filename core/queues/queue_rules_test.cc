// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

struct Operation {
  VkSemaphore semaphore;
  uint64_t value = 0;
};
using Operations = std::vector<Operation>;

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
    SubmitOperationsAs(GetParam().command, queue, waits, signals, fence);
  }
  void SubmitOperationsAs(vk::CommandId command, VkQueue queue, const Operations& waits, const Operations& signals,
                          VkFence fence = VK_NULL_HANDLE) {
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
    if (command == vk::QueueSubmit2::kId) {
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
    const auto fill = [&](auto info) {
      info.pNext = &timeline;
      info.waitSemaphoreCount = counts[0];
      info.pWaitSemaphores = semaphores[0].data();
      info.signalSemaphoreCount = counts[1];
      info.pSignalSemaphores = semaphores[1].data();
      return info;
    };
    if (command == vk::QueueSubmit::kId) {
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
  void HostSignal(VkSemaphore semaphore, uint64_t value) {
    const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, value};
    vk.SignalSemaphore(device, &info);
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
  SubmitOperationsAs(vk::QueueSubmit2::kId, A(), {}, {{semaphore_}});
  EXPECT_THAT(Expect(GetParam().is_signaled, B(), {}, {{semaphore_}}),
              HasSubstr("is signaled by vkQueueSubmit2() to VkQueue"));
}
TEST_P(NegativeQueue, NothingSignals) { Expect(GetParam().nothing_signals, A(), {{semaphore_}}, {}); }
TEST_P(NegativeQueue, WaitedForTwice) {
  SubmitOperations(A(), {}, {{semaphore_}});
  SubmitOperations(A(), {{semaphore_}}, {});
  Expect(GetParam().nothing_signals, A(), {{semaphore_}}, {});
}
TEST_P(NegativeQueue, TwoQueuesWait) {
  SubmitOperations(A(), {}, {{semaphore_}});
  SubmitOperations(A(), {{semaphore_}}, {});
  Expect(GetParam().other_queue_waits, B(), {{semaphore_}}, {});
}
TEST_P(NegativeQueue, SignalWaitsForAnUnsubmittedSignal) {
  SubmitOperations(A(), {{timeline_, 1}}, {{semaphore_}});
  Expect(GetParam().nothing_signals, B(), {{semaphore_}}, {});
  HostSignal(timeline_, 1);
}

TEST_P(PositiveQueue, SignaledAndWaitedForInTurn) {
  for (int i = 0; i < 3; ++i) {
    SubmitOperations(A(), {}, {{semaphore_}});
    SubmitOperations(B(), {{semaphore_}}, {});
  }
}
TEST_P(PositiveQueue, WaitedForAndSignaledByOneBatch) {
  SubmitOperations(A(), {}, {{semaphore_}});
  SubmitOperations(A(), {{semaphore_}}, {{semaphore_}});
  SubmitOperations(A(), {{semaphore_}}, {});
}
// The second signal is held until what waits for the first is submitted.
TEST_P(PositiveQueue, SecondSignalWaitsForTheWait) {
  SubmitOperations(A(), {}, {{semaphore_}});
  SubmitOperations(B(), {{timeline_, 1}}, {{semaphore_}});
  SubmitOperations(A(), {{semaphore_}}, {{timeline_, 1}});
}
TEST_P(PositiveQueue, SubmissionFails) {
  driver().FailNext(GetParam().command, VK_ERROR_OUT_OF_HOST_MEMORY);
  SubmitOperations(A(), {}, {{semaphore_}});
  SubmitOperations(A(), {}, {{semaphore_}});
}

// Timeline semaphores.

TEST_P(NegativeQueue, ValueIsReached) {
  VkSemaphore timeline = MakeTimeline(5);
  Expect(GetParam().value, A(), {}, {{timeline, 5}});
  HostSignal(timeline, 8);
  EXPECT_THAT(Expect(GetParam().value, A(), {}, {{timeline, 7}}),
              HasSubstr("(7) is not greater than the value that VkSemaphore"));
}
TEST_P(NegativeQueue, ValueIsSignaledBefore) {
  if (GetParam().command == vk::QueueBindSparse::kId) GTEST_SKIP() << "Not in the order of submission.";
  VkSemaphore held = MakeTimeline();
  SubmitOperations(A(), {}, {{timeline_, 7}});
  Expect(GetParam().value, A(), {}, {{timeline_, 6}});
  SubmitOperations(A(), {{held, 1}}, {{timeline_, 9}});
  Expect(GetParam().value, A(), {}, {{timeline_, 8}});
  HostSignal(held, 1);
}
TEST_P(NegativeQueue, ValueIsTooFar) {
  Expect(GetParam().signal_difference, A(), {}, {{timeline_, UINT64_MAX}});
  Expect(GetParam().wait_difference, B(), {{MakeTimeline(), UINT64_MAX}}, {});
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
  SubmitOperationsAs(vk::QueueSubmit2::kId, A(), {}, {{timeline_, 5}});
  HostSignal(timeline_, 5);
  ExpectMessage("VUID-VkSemaphoreSignalInfo-value-03258");
}
TEST_F(HostSignalTest, ValueIsBehindAPendingSignal) {
  driver().config().hold_work = true;
  SubmitOperationsAs(vk::QueueSubmit2::kId, A(), {}, {{timeline_, 5}});
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
    Submit(A(), {once_, executing_},
           {.signals = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline_, frame,
                         VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
    const VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &timeline_, &frame};
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
