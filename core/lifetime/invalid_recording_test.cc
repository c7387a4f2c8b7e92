// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Command buffers that became invalid because a recorded object was destroyed.

#include "core/lifetime/lifetime_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using test::Buffer;
using ::testing::HasSubstr;

class Recordings : public LifetimeTest {
 protected:
  void Copy(VkCommandBuffer commands, VkBuffer source) {
    VkBufferCopy region = {0, 0, 64};
    vk.CmdCopyBuffer(commands, source, destination(), 1, &region);
  }
  VkBuffer destination() {
    if (destination_ == VK_NULL_HANDLE) destination_ = MakeBuffer(64);
    return destination_;
  }
  VkCommandBuffer RecordSecondary(VkBuffer source) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    RecordSecondaryAnew(secondary, source);
    return secondary;
  }
  void RecordSecondaryAnew(VkCommandBuffer secondary, VkBuffer source) {
    VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                      VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, &inheritance};
    vk.BeginCommandBuffer(secondary, &begin);
    Copy(secondary, source);
    End(secondary);
  }
  // Does not call the driver if the call is invalid.
  void TrySubmit(VkCommandBuffer commands) {
    VkCommandBufferSubmitInfo executed = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = commands};
    VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &executed};
    vk.QueueSubmit2(Queue(), 1, &info, VK_NULL_HANDLE);
  }

 private:
  VkBuffer destination_ = VK_NULL_HANDLE;
};

class NegativeRecordings : public Recordings {};
class PositiveRecordings : public Recordings {};

TEST_F(NegativeRecordings, SubmittedAfterItsBufferWasDestroyed) {
  Buffer source = MakeBuffer(64);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Copy(c, source); });
  SetName(VK_OBJECT_TYPE_BUFFER, source.handle, "staging");
  DestroyNow(source);
  SkipCalls skip(*this);
  TrySubmit(commands);
  const std::string text = ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03874").text;
  EXPECT_THAT(text, HasSubstr("pSubmits[0].pCommandBufferInfos[0].commandBuffer (VkCommandBuffer 0x"));
  EXPECT_THAT(text, HasSubstr(") is invalid: VkBuffer 0x"));
  EXPECT_THAT(text, HasSubstr("[staging], which vkCmdCopyBuffer was given, has been destroyed by vkDestroyBuffer."));
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE);
  ExpectMessage("VUID-vkQueueSubmit-pCommandBuffers-00070");
}

TEST_F(NegativeRecordings, ImagesOfADestroyedSwapchain) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  VkImage image = SwapchainImages(swapchain)[0];
  VkClearColorValue color = {};
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkCommandBuffer commands =
      Record([&](VkCommandBuffer c) { vk.CmdClearColorImage(c, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range); });
  DestroyNow(swapchain);
  SkipCalls skip(*this);
  TrySubmit(commands);
  ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03874");
}

TEST_F(NegativeRecordings, EndedAfterItsBufferWasDestroyed) {
  Buffer source = MakeBuffer(64);
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
  Buffer source = MakeBuffer(64);
  VkCommandBuffer secondary = RecordSecondary(source);
  VkCommandBuffer primary = Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); });
  DestroyNow(source);
  SkipCalls skip(*this);
  TrySubmit(primary);
  EXPECT_THAT(ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03876").text,
              HasSubstr("which vkCmdCopyBuffer in VkCommandBuffer 0x"));
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &primary};
  vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE);
  ExpectMessage("VUID-vkQueueSubmit-pCommandBuffers-00072");
  skip.End();
  VkCommandBuffer other = MakeCommandBuffer();
  Begin(other);
  {
    SkipCalls skip_execution(*this);
    vk.CmdExecuteCommands(other, 1, &secondary);
    ExpectMessage("VUID-vkCmdExecuteCommands-pCommandBuffers-00089");
  }
  End(other);
}

TEST_F(NegativeRecordings, SecondaryRerecorded) {
  Buffer source = MakeBuffer(64);
  VkCommandBuffer secondary = RecordSecondary(source);
  VkCommandBuffer primary = Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); });
  RecordSecondaryAnew(secondary, source);
  SkipCalls skip(*this);
  TrySubmit(primary);
  EXPECT_THAT(ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03874").text,
              HasSubstr("which vkCmdExecuteCommands was given, has been reset or recorded anew since."));
}

TEST_F(NegativeRecordings, SetsOfAPoolThatWasReset) {
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
  VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 4, .poolSizeCount = 1, .pPoolSizes = &size};
  VkDescriptorPool pool;
  ASSERT_EQ(vk.CreateDescriptorPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [=, this] { vk.DestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1, &set_layout};
  VkDescriptorSet set;
  ASSERT_EQ(vk.AllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  });
  vk.ResetDescriptorPool(device, pool, 0);
  SkipCalls skip(*this);
  TrySubmit(commands);
  EXPECT_THAT(ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03874").text, HasSubstr("VkDescriptorSet"));
}

TEST_F(PositiveRecordings, OtherObjectIsDestroyed) {
  Buffer source = MakeBuffer(64), other = MakeBuffer(64);
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorSet set = MakeSet(set_layout);
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
  Buffer source = MakeBuffer(64), other = MakeBuffer(64);
  VkCommandBuffer secondary = RecordSecondary(source);
  VkCommandBuffer primary = Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); });
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
