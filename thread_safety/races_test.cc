// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Races made on purpose: one call waits in the driver while another thread makes the second call.

#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "thread_safety/races_test.h"

namespace assay::thread_safety {
namespace {

using test::Buffer;
using test::Message;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kWrite[] = "UNASSIGNED-Threading-MultipleThreads-Write";
constexpr char kRead[] = "UNASSIGNED-Threading-MultipleThreads-Read";

class NegativeThreads : public RacesTest {};
class PositiveThreads : public RacesTest {};

TEST_F(NegativeThreads, OneCommandBuffer) {
  VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  During<vk::CmdSetLineWidth>([&] { vk.CmdSetLineWidth(commands, 1.0f); },
                              [&] { vk.CmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_BIT, 1); });
  Message message = ExpectMessage(kWrite);
  EXPECT_THAT(message.text,
              AllOf(HasSubstr("vkCmdSetStencilReference(): commandBuffer"), HasSubstr("while vkCmdSetLineWidth")));
  End(commands);
}

TEST_F(NegativeThreads, TwoCommandBuffersOfOnePool) {
  VkCommandPool pool = MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2};
  VkCommandBuffer commands[2];
  ASSERT_EQ(vk.AllocateCommandBuffers(device, &info, commands), VK_SUCCESS);
  Begin(commands[0]);
  Begin(commands[1]);
  During<vk::CmdSetLineWidth>([&] { vk.CmdSetLineWidth(commands[0], 1.0f); },
                              [&] { vk.CmdSetLineWidth(commands[1], 1.0f); });
  EXPECT_THAT(ExpectMessage(kWrite).text, HasSubstr("VkCommandPool"));
  During<vk::CmdSetLineWidth>([&] { vk.CmdSetLineWidth(commands[0], 1.0f); },
                              [&] { vk.TrimCommandPool(device, pool, 0); });
  ExpectMessage(kWrite);
  VkCommandBuffer more;
  info.commandBufferCount = 1;
  During<vk::CmdSetLineWidth>([&] { vk.CmdSetLineWidth(commands[0], 1.0f); },
                              [&] { vk.AllocateCommandBuffers(device, &info, &more); });
  ExpectMessage(kWrite);
  End(commands[0]);
  End(commands[1]);
}

TEST_F(PositiveThreads, TwoCommandBuffersOfTwoPools) {
  VkCommandBuffer first = MakeCommandBuffer(), second = MakeCommandBuffer();
  Begin(first);
  Begin(second);
  Buffer buffer = MakeBuffer(64), other = MakeBuffer(64);
  VkBufferCopy region = {0, 0, 64};
  During<vk::CmdCopyBuffer>([&] { vk.CmdCopyBuffer(first, buffer, other, 1, &region); },
                            [&] { vk.CmdCopyBuffer(second, buffer, other, 1, &region); });
  End(first);
  End(second);
}

TEST_F(NegativeThreads, OneQueue) {
  VkQueue queue = Queue();
  During<vk::QueueSubmit2>([&] { Submit(queue, {}); }, [&] { Submit(queue, {}); });
  EXPECT_THAT(ExpectMessage(kWrite).text, HasSubstr("VkQueue"));
}

TEST_F(PositiveThreads, TwoQueues) {
  VkQueue first = Queue(0, 0), second = Queue(0, 1);
  During<vk::QueueSubmit2>([&] { Submit(first, {}); }, [&] { Submit(second, {}); });
}

TEST_F(NegativeThreads, IdleDeviceDuringSubmit) {
  VkQueue queue = Queue();
  During<vk::QueueSubmit2>([&] { Submit(queue, {}); }, [&] { vk.DeviceWaitIdle(device); });
  ExpectMessage(kWrite);
}

TEST_F(NegativeThreads, ResetDuringWait) {
  VkFence fence = MakeFence(VK_FENCE_CREATE_SIGNALED_BIT);
  During<vk::WaitForFences>([&] { vk.WaitForFences(device, 1, &fence, VK_TRUE, 0); },
                            [&] { vk.ResetFences(device, 1, &fence); });
  EXPECT_THAT(ExpectMessage(kWrite).text, HasSubstr("vkWaitForFences reads it"));
}

TEST_F(NegativeThreads, WaitDuringReset) {
  VkFence fence = MakeFence();
  During<vk::ResetFences>([&] { vk.ResetFences(device, 1, &fence); }, [&] { vk.GetFenceStatus(device, fence); });
  ExpectMessage(kRead);
}

TEST_F(PositiveThreads, TwoWaits) {
  VkFence fence = MakeFence(VK_FENCE_CREATE_SIGNALED_BIT);
  During<vk::WaitForFences>([&] { vk.WaitForFences(device, 1, &fence, VK_TRUE, 0); },
                            [&] { vk.GetFenceStatus(device, fence); });
  vk.ResetFences(device, 1, &fence);
}

TEST_F(NegativeThreads, SetsOfAPoolThatIsReset) {
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
  VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 4, .poolSizeCount = 1, .pPoolSizes = &size};
  VkDescriptorPool pool;
  ASSERT_EQ(vk.CreateDescriptorPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [=, this] { vk.DestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetLayout layout = MakeSetLayout({{0}});
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1, &layout};
  VkDescriptorSet set;
  ASSERT_EQ(vk.AllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  Buffer buffer = MakeBuffer(64);
  During<vk::UpdateDescriptorSets>([&] { WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer); },
                                   [&] { WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer); });
  ExpectMessage(kWrite);
  // The call is skipped, so the other call's set still exists.
  messages.set_callback_result(VK_TRUE);
  During<vk::UpdateDescriptorSets>([&] { WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer); },
                                   [&] { vk.ResetDescriptorPool(device, pool, 0); });
  messages.set_callback_result(VK_FALSE);
  ExpectMessage(kWrite);
  vk.ResetDescriptorPool(device, pool, 0);
}

TEST_F(PositiveThreads, SetsThatMayBeUpdatedAfterBinding) {
  VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 1, &flags};
  VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, VK_SHADER_STAGE_ALL, nullptr};
  VkDescriptorSetLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &binding_flags,
                                                 VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, 1,
                                                 &binding};
  VkDescriptorSetLayout layout;
  ASSERT_EQ(vk.CreateDescriptorSetLayout(device, &layout_info, nullptr, &layout), VK_SUCCESS);
  Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });
  VkDescriptorSet set = MakeSet(layout);
  Buffer buffer = MakeBuffer(64);
  During<vk::UpdateDescriptorSets>(
      [&] { WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer, 0, VK_WHOLE_SIZE, 0); },
      [&] { WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer, 0, VK_WHOLE_SIZE, 1); });
}

TEST_F(NegativeThreads, MemoryThatIsMapped) {
  Buffer buffer = MakeBuffer(64);
  void* data = nullptr;
  During<vk::MapMemory>([&] { vk.MapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data); },
                        [&] { vk.UnmapMemory(device, buffer.memory); });
  ExpectMessage(kWrite);
  ExpectMessage("VUID-vkUnmapMemory-memory-00689");
}

TEST_F(NegativeThreads, BoundWhileItIsRecorded) {
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer buffer = MakeUnboundBuffer(info);
  VkDeviceMemory memory = MakeMemory(4096, 3);
  VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  During<vk::BindBufferMemory>([&] { vk.BindBufferMemory(device, buffer, memory, 0); },
                               [&] { vk.CmdFillBuffer(commands, buffer, 0, 64, 0); });
  ExpectMessage(kRead);
  ExpectMessage("VUID-vkCmdFillBuffer-dstBuffer-00031");
  End(commands);
}

class PresentWait : public RacesTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = RacesTest::Options();
    options.device_extensions = {VK_KHR_PRESENT_ID_EXTENSION_NAME, VK_KHR_PRESENT_WAIT_EXTENSION_NAME};
    options.features = &features_;
    return options;
  }
  void WaitForPresent() { vk.WaitForPresentKHR(device, swapchain_, 1, 0); }
  void SetUp() override {
    RacesTest::SetUp();
    swapchain_ = MakeSwapchain(MakeSurface());
  }

  VkPhysicalDevicePresentIdFeaturesKHR ids_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, nullptr,
                                               VK_TRUE};
  VkPhysicalDevicePresentWaitFeaturesKHR features_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR,
                                                      &ids_, VK_TRUE};
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
};
class NegativePresentWait : public PresentWait {};
class PositivePresentWait : public PresentWait {};

TEST_F(PositivePresentWait, WhileOthersUseTheSwapchain) {
  VkFence fence = MakeFence();
  uint32_t image = 0;
  const auto acquire = [&] {
    EXPECT_EQ(vk.AcquireNextImageKHR(device, swapchain_, UINT64_MAX, VK_NULL_HANDLE, fence, &image), VK_SUCCESS);
    vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &fence);
  };
  During<vk::WaitForPresentKHR>([&] { WaitForPresent(); }, acquire);
  During<vk::AcquireNextImageKHR>(acquire, [&] { WaitForPresent(); });
  During<vk::WaitForPresentKHR>([&] { WaitForPresent(); }, [&] { WaitForPresent(); });
}
TEST_F(NegativePresentWait, WhileTheSwapchainIsDestroyed) {
  messages.set_callback_result(VK_TRUE);
  During<vk::WaitForPresentKHR>([&] { WaitForPresent(); },
                                [&] { vk.DestroySwapchainKHR(device, swapchain_, nullptr); });
  EXPECT_THAT(ExpectMessage(kWrite).text, HasSubstr("vkWaitForPresentKHR reads it"));
  messages.set_callback_result(VK_FALSE);
}
TEST_F(NegativePresentWait, TwoThreadsAcquire) {
  VkFence fences[] = {MakeFence(), MakeFence()};
  uint32_t images[2];
  const auto acquire = [&](int i) {
    vk.AcquireNextImageKHR(device, swapchain_, UINT64_MAX, VK_NULL_HANDLE, fences[i], &images[i]);
  };
  During<vk::AcquireNextImageKHR>([&] { acquire(0); }, [&] { acquire(1); });
  ExpectMessage(kWrite);
}

TEST_F(PositiveThreads, OneThreadAfterTheOther) {
  VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  for (int i = 0; i < 4; ++i) std::thread([&] { vk.CmdSetLineWidth(commands, 1.0f); }).join();
  End(commands);
}

}  // namespace
}  // namespace assay::thread_safety
