// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Calls that a callback skips: one validator records them while another one reports them.

#include <cstdint>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::layer {
namespace {

using test::Buffer;

constexpr VkImageLayout kTarget = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
constexpr VkImageLayout kSource = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;

class SkippedCalls : public test::ValidationTest {
 protected:
  void Copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to) {
    const VkBufferCopy region = {0, 0, 64};
    vk.CmdCopyBuffer(commands, from, to, 1, &region);
  }
  VkCommandBuffer CopyCommands(VkBuffer from, VkBuffer to) {
    return Record([&](VkCommandBuffer commands) { Copy(commands, from, to); });
  }
  void Barrier(VkCommandBuffer commands, const test::Image& image, VkPipelineStageFlags2 src_stages,
               VkAccessFlags2 src_access, VkImageLayout from, VkImageLayout to) {
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = src_stages,
        .srcAccessMask = src_access,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = image.Range()};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdPipelineBarrier2(commands, &info);
  }
};

// The hazard of a submission is found by recording it.
TEST_F(SkippedCalls, SubmissionWithAHazard) {
  const Buffer a = MakeBuffer(64), b = MakeBuffer(64), c = MakeBuffer(64);
  Submit(Queue(), {CopyCommands(a, b)});
  const VkCommandBuffer wrong = CopyCommands(b, c);
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &wrong};
  int reached_driver = 0;
  driver().Observe<vk::QueueSubmit>([&](const vk::QueueSubmit&) { ++reached_driver; });
  messages.set_callback_result(VK_TRUE);
  EXPECT_EQ(vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE), VK_ERROR_VALIDATION_FAILED_EXT);
  ExpectMessage("SYNC-HAZARD-READ-AFTER-WRITE");
  messages.set_callback_result(VK_FALSE);
  EXPECT_EQ(reached_driver, 0);
  // Nothing has written c.
  Submit(Queue(), {CopyCommands(a, c)});
  ExpectNothing();
}

// Core's rules of layouts record the transition before synchronization validation reports it.
TEST_F(SkippedCalls, BarrierWithAHazard) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  Record([&](VkCommandBuffer commands) {
    Barrier(commands, image, 0, 0, VK_IMAGE_LAYOUT_UNDEFINED, kTarget);
    const VkClearColorValue black = {};
    const VkImageSubresourceRange range = image.Range();
    vk.CmdClearColorImage(commands, image, kTarget, &black, 1, &range);
    messages.set_callback_result(VK_TRUE);
    Barrier(commands, image, 0, 0, kTarget, kSource);
    ExpectMessage("SYNC-HAZARD-WRITE-AFTER-WRITE");
    messages.set_callback_result(VK_FALSE);
    Barrier(commands, image, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT, kTarget, kSource);
    ExpectNothing();
  });
}

class SkippedInstance : public SkippedCalls {
 protected:
  void SetUp() override {}

  // The application's messenger counts messages and returns this.
  static inline VkBool32 answer = VK_FALSE;
  static inline int count = 0;
  static VkBool32 VKAPI_PTR Callback(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                     const VkDebugUtilsMessengerCallbackDataEXT*, void*) {
    ++count;
    return answer;
  }
};

// A driver may crash on a create info like this one.
TEST_F(SkippedInstance, IsCheckedBeforeItIsMade) {
  const VkDebugUtilsMessengerCreateInfoEXT messenger = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = Callback};
  const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  int reached_driver = 0;
  driver().Observe<vk::CreateInstance>([&](const vk::CreateInstance&) { ++reached_driver; });
  const VkInstanceCreateInfo wrong = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pNext = &messenger,
                                      .flags = 0x40000000,
                                      .enabledExtensionCount = 1,
                                      .ppEnabledExtensionNames = &extension};
  answer = VK_TRUE;
  count = 0;
  VkInstance made = VK_NULL_HANDLE;
  EXPECT_EQ(test::LoaderUnderTest().CreateInstance(wrong, &made), VK_ERROR_VALIDATION_FAILED_EXT);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(reached_driver, 0);
  // Where no callback skips it, the call is made.
  answer = VK_FALSE;
  EXPECT_EQ(test::LoaderUnderTest().CreateInstance(wrong, &made), VK_SUCCESS);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(reached_driver, 1);
  test::LoaderUnderTest().InstanceFunctions(made).DestroyInstance(made, nullptr);
}

}  // namespace
}  // namespace assay::layer
