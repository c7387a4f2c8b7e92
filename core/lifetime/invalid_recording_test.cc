// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Command buffers that became invalid because a recorded object was destroyed.

#include <string>

#include "core/lifetime/lifetime_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class Recordings : public LifetimeTest {
 protected:
  void Copy(VkCommandBuffer commands, VkBuffer from) { LifetimeTest::Copy(commands, from, destination); }
  VkCommandBuffer RecordSecondary(VkBuffer from) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    RecordSecondaryAnew(secondary, from);
    return secondary;
  }
  void RecordSecondaryAnew(VkCommandBuffer secondary, VkBuffer from) {
    Begin(secondary, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    Copy(secondary, from);
    End(secondary);
  }
  VkCommandBuffer RecordPrimary(VkCommandBuffer secondary) {
    return Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); });
  }
  // Submits an invalid command buffer. Returns the text of the message.
  std::string TrySubmit(VkCommandBuffer commands, const char* id = "VUID-vkQueueSubmit2-commandBuffer-03874") {
    SkipCalls skip(*this);
    Submit(Queue(), {commands});
    return ExpectMessage(id).text;
  }
  // The same with the first vkQueueSubmit.
  void TrySubmit1(VkCommandBuffer commands, const char* id) {
    SkipCalls skip(*this);
    const auto info = Typed(VkSubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &commands});
    vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE);
    ExpectMessage(id);
  }
};

class NegativeRecordings : public Recordings {};
class PositiveRecordings : public Recordings {};

TEST_F(NegativeRecordings, SubmittedAfterItsBufferWasDestroyed) {
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Copy(c, source); });
  SetName(VK_OBJECT_TYPE_BUFFER, source.handle, "staging");
  DestroyNow(source);
  const std::string text = TrySubmit(commands);
  EXPECT_THAT(text, HasSubstr("pSubmits[0].pCommandBufferInfos[0].commandBuffer (VkCommandBuffer 0x"));
  EXPECT_THAT(text, HasSubstr(") is invalid: VkBuffer 0x"));
  EXPECT_THAT(text, HasSubstr("[staging], which vkCmdCopyBuffer was given, has been destroyed by vkDestroyBuffer."));
  TrySubmit1(commands, "VUID-vkQueueSubmit-pCommandBuffers-00070");
}

TEST_F(NegativeRecordings, ImagesOfADestroyedSwapchain) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  VkCommandBuffer commands = RecordTransition(swapchain);
  DestroyNow(swapchain);
  TrySubmit(commands);
}

TEST_F(NegativeRecordings, EndedAfterItsBufferWasDestroyed) {
  VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  Copy(commands, source);
  DestroyNow(source);
  SkipCalls skip(*this);
  EXPECT_EQ(vk.EndCommandBuffer(commands), VK_ERROR_VALIDATION_FAILED_EXT);
  EXPECT_THAT(ExpectMessage("VUID-vkEndCommandBuffer-commandBuffer-00059").text,
              HasSubstr("has been destroyed by vkDestroyBuffer."));
}

TEST_F(NegativeRecordings, SecondaryWhoseBufferWasDestroyed) {
  VkCommandBuffer secondary = RecordSecondary(source);
  VkCommandBuffer primary = RecordPrimary(secondary);
  DestroyNow(source);
  EXPECT_THAT(TrySubmit(primary, "VUID-vkQueueSubmit2-commandBuffer-03876"),
              HasSubstr("which vkCmdCopyBuffer in VkCommandBuffer 0x"));
  TrySubmit1(primary, "VUID-vkQueueSubmit-pCommandBuffers-00072");
  Record([&](VkCommandBuffer c) {
    SkipCalls skip(*this);
    vk.CmdExecuteCommands(c, 1, &secondary);
    ExpectMessage("VUID-vkCmdExecuteCommands-pCommandBuffers-00089");
  });
}

TEST_F(NegativeRecordings, SecondaryRerecorded) {
  VkCommandBuffer secondary = RecordSecondary(source);
  VkCommandBuffer primary = RecordPrimary(secondary);
  RecordSecondaryAnew(secondary, source);
  EXPECT_THAT(TrySubmit(primary),
              HasSubstr("which vkCmdExecuteCommands was given, has been reset or recorded anew since."));
}

TEST_F(NegativeRecordings, SetsOfAPoolThatWasReset) {
  const auto [layout, pool, set] = MakeDescriptors();
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  });
  vk.ResetDescriptorPool(device, pool, 0);
  EXPECT_THAT(TrySubmit(commands), HasSubstr("VkDescriptorSet"));
}

TEST_F(PositiveRecordings, OtherObjectIsDestroyed) {
  const auto other = MakeBuffer(64);
  const auto [layout, pool, set] = MakeDescriptors();
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Copy(c, source);
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  });
  Record([&](VkCommandBuffer c) { Copy(c, other); });
  DestroyNow(other);
  // The object is needed for recording alone.
  DestroyNow(layout);
  Submit(Queue(), {commands});
}

TEST_F(PositiveRecordings, RecordedAgainWithoutIt) {
  const auto other = MakeBuffer(64);
  VkCommandBuffer secondary = RecordSecondary(source);
  VkCommandBuffer primary = RecordPrimary(secondary);
  DestroyNow(source);
  RecordSecondaryAnew(secondary, other);
  Begin(primary);
  vk.CmdExecuteCommands(primary, 1, &secondary);
  End(primary);
  for (int i = 0; i < 2; ++i) {
    Submit(Queue(), {primary});
    vk.QueueWaitIdle(Queue());
  }
}

}  // namespace
}  // namespace assay::core
