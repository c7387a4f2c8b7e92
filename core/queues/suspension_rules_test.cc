// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Typed;

constexpr VkRenderingFlags kSuspend = VK_RENDERING_SUSPENDING_BIT, kResume = VK_RENDERING_RESUMING_BIT;

struct SubmitCommand {
  bool is_second;
  const char *not_suspended, *not_resumed, *interrupted;
};
constexpr SubmitCommand kSubmitCommands[] = {
    {false, "VUID-VkSubmitInfo-pCommandBuffers-06193", "VUID-VkSubmitInfo-pCommandBuffers-06014",
     "VUID-VkSubmitInfo-pCommandBuffers-06016"},
    {true, "VUID-VkSubmitInfo2-commandBuffer-06192", "VUID-VkSubmitInfo2-commandBuffer-06010",
     "VUID-VkSubmitInfo2-commandBuffer-06012"}};

class SuspensionTest : public test::ValidationTest, public ::testing::WithParamInterface<SubmitCommand> {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }

  // A render pass instance of each of the flags.
  void RecordInstances(VkCommandBuffer c, const std::vector<VkRenderingFlags>& all) {
    for (VkRenderingFlags flags : all) {
      const auto info = Typed(VkRenderingInfo{.flags = flags, .renderArea = {{0, 0}, {4, 4}}, .layerCount = 1});
      vk.CmdBeginRendering(c, &info);
      vk.CmdEndRendering(c);
    }
  }
  VkCommandBuffer Instances(const std::vector<VkRenderingFlags>& all,
                            VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
    return Record([&](VkCommandBuffer c) { RecordInstances(c, all); }, 0, level);
  }
  // A batch of each.
  void Give(const std::vector<std::vector<VkCommandBuffer>>& batches) {
    std::vector<VkSubmitInfo> infos;
    std::vector<VkSubmitInfo2> infos2;
    std::vector<std::vector<VkCommandBufferSubmitInfo>> buffers;
    for (const auto& batch : batches) {
      const auto count = static_cast<uint32_t>(batch.size());
      auto& of_batch = buffers.emplace_back();
      for (VkCommandBuffer c : batch) of_batch.push_back({VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, c, 0});
      infos.push_back(Typed(VkSubmitInfo{.commandBufferCount = count, .pCommandBuffers = batch.data()}));
      infos2.push_back(Typed(VkSubmitInfo2{.commandBufferInfoCount = count, .pCommandBufferInfos = of_batch.data()}));
    }
    const auto count = static_cast<uint32_t>(batches.size());
    GetParam().is_second ? vk.QueueSubmit2(Queue(), count, infos2.data(), VK_NULL_HANDLE)
                         : vk.QueueSubmit(Queue(), count, infos.data(), VK_NULL_HANDLE);
  }
  void ExpectRule(const char* rule, const std::vector<std::vector<VkCommandBuffer>>& batches) {
    Give(batches);
    ExpectMessage(rule);
  }
};
class NegativeSuspension : public SuspensionTest {};
class PositiveSuspension : public SuspensionTest {};
INSTANTIATE_TEST_SUITE_P(All, NegativeSuspension, ::testing::ValuesIn(kSubmitCommands));
INSTANTIATE_TEST_SUITE_P(All, PositiveSuspension, ::testing::ValuesIn(kSubmitCommands));

TEST_P(NegativeSuspension, NothingIsSuspended) {
  ExpectRule(GetParam().not_suspended, {{Instances({kResume})}});
  ExpectRule(GetParam().not_suspended, {{Instances({0}), Instances({kResume})}});
  ExpectRule(GetParam().not_suspended, {{Instances({0, kResume})}});
}
TEST_P(NegativeSuspension, NothingResumes) {
  ExpectRule(GetParam().not_resumed, {{Instances({0, kSuspend}), Instances({})}});
  ExpectRule(GetParam().not_resumed, {{Instances({kSuspend}), Instances({kResume | kSuspend})}});
}
TEST_P(NegativeSuspension, ResumedInAnotherBatch) {
  Give({{Instances({kSuspend})}, {Instances({kResume})}});
  ExpectMessages({GetParam().not_resumed, GetParam().not_suspended});
}
TEST_P(NegativeSuspension, AnotherInstanceComesBetween) {
  ExpectRule(GetParam().interrupted, {{Instances({kSuspend}), Instances({0})}});
  ExpectRule(GetParam().interrupted, {{Instances({kSuspend, kSuspend, kResume})}});
}
TEST_P(NegativeSuspension, ARenderPassComesBetween) {
  const VkRenderPass pass = MakeRenderPass({}, {VkSubpassDescription2{}});
  const VkRenderPassBeginInfo begin = BeginInfo(pass, MakeFramebuffer(pass, {}, 4, 4), 4);
  const VkSubpassBeginInfo inlined = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
  for (bool is_second : {false, true}) {
    SCOPED_TRACE(is_second);
    Give({{Record([&](VkCommandBuffer c) {
      RecordInstances(c, {kSuspend});
      is_second ? vk.CmdBeginRenderPass2(c, &begin, &inlined)
                : vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
      vk.CmdEndRenderPass(c);
    })}});
    ExpectMessage(GetParam().interrupted);
  }
}
TEST_P(NegativeSuspension, InASecondary) {
  const VkCommandBuffer secondary = Instances({kSuspend}, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  ExpectRule(GetParam().not_resumed, {{Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); })}});
}

TEST_P(PositiveSuspension, SuspendedAndResumed) {
  Give({{Instances({0, kSuspend}), Instances({}), Instances({kResume | kSuspend}), Instances({kResume, 0})},
        {Instances({0})},
        {Instances({kSuspend, kResume})}});
}
TEST_P(PositiveSuspension, InASecondary) {
  const VkCommandBuffer secondary = Instances({kResume}, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Give({{Record([&](VkCommandBuffer c) {
    RecordInstances(c, {kSuspend});
    vk.CmdExecuteCommands(c, 1, &secondary);
  })}});
}
TEST_P(PositiveSuspension, Rerecorded) {
  const VkCommandBuffer commands = Instances({kSuspend});
  Begin(commands);
  End(commands);
  Give({{commands}});
}

}  // namespace
}  // namespace assay::core
