// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LIFETIME_LIFETIME_TEST_H_
#define ASSAY_CORE_LIFETIME_LIFETIME_TEST_H_

#include <cstdint>
#include <source_location>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {

using test::Of, test::Typed;

// A device without validation of threads and of synchronization.
class LifetimeTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"object_lifetime", true}, {"thread_safety", false}, {"validate_sync", false}}};
  }
  void SetUp() override {
    ValidationTest::SetUp();
    source = MakeBuffer(64), destination = MakeBuffer(64);
    fence = MakeFence(), timeline = MakeTimeline();
  }

  void Copy(VkCommandBuffer commands, VkBuffer source, VkBuffer destination) {
    const VkBufferCopy region = {0, 0, 64};
    vk.CmdCopyBuffer(commands, source, destination, 1, &region);
  }
  VkCommandBuffer RecordCopy(VkBuffer source, VkBuffer destination) {
    return Record([&](VkCommandBuffer commands) { Copy(commands, source, destination); });
  }
  void Wait(VkFence fence) { vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX); }
  VkResult Wait(VkSemaphore semaphore, uint64_t value) {
    const auto info = Of<VkSemaphoreWaitInfo>(0u, 1u, &semaphore, &value);
    return vk.WaitSemaphores(device, &info, UINT64_MAX);
  }
  // Records a transition of an image of the swapchain.
  VkCommandBuffer RecordTransition(VkSwapchainKHR swapchain) {
    const auto barrier = Typed(VkImageMemoryBarrier2{.newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                     .image = SwapchainImages(swapchain)[0],
                                                     .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}});
    return Record([&](VkCommandBuffer c) { PipelineBarrier(c, barrier); });
  }
  // Presents an image after a semaphore.
  VkResult Present(VkSwapchainKHR swapchain, uint32_t image, VkSemaphore rendered) {
    const auto present = Of<VkPresentInfoKHR>(1, &rendered, 1, &swapchain, &image, nullptr);
    return vk.QueuePresentKHR(Queue(), &present);
  }

  struct Descriptors {
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
  };
  // A set of a storage buffer, its pool, and a layout with it.
  Descriptors MakeDescriptors(VkDescriptorPoolCreateFlags flags = 0) {
    const VkDescriptorSetLayout set_layout = MakeSetLayout({{0}});
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
    const VkDescriptorPoolCreateInfo pool_info = {{}, nullptr, flags, 4, 1, &size};
    Descriptors made = {.layout = MakePipelineLayout({set_layout}),
                        .pool = MakeFrom(pool_info, vk.CreateDescriptorPool, vk.DestroyDescriptorPool)};
    const auto info = Of<VkDescriptorSetAllocateInfo>(made.pool, 1, &set_layout);
    EXPECT_EQ(vk.AllocateDescriptorSets(device, &info, &made.set), VK_SUCCESS);
    return made;
  }

  // Calls a command that breaks a rule, without the driver. Returns the message.
  test::Message Try(const char* id, const auto& command, const auto&... arguments) {
    SCOPED_TRACE(id);
    SkipCalls skip(*this);
    command(arguments...);
    return ExpectMessage(id);
  }
  // Tries to destroy a buffer in use. Returns the message.
  test::Message ExpectInUse(VkBuffer buffer, std::source_location where = std::source_location::current()) {
    const ::testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "in use");
    return Try("VUID-vkDestroyBuffer-buffer-00922", vk.DestroyBuffer, device, buffer, nullptr);
  }

  test::Buffer source, destination;
  VkFence fence = VK_NULL_HANDLE;
  VkSemaphore timeline = VK_NULL_HANDLE;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_LIFETIME_TEST_H_
