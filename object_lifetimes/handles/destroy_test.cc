// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Use after destroy, double free, leaks, allocation callbacks and objects in use, each with its silent twin.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "object_lifetimes/test_cases/lifetimes_fixture.h"

namespace assay::object_lifetimes {
namespace {

using test::Buffer;
using test::Message;
using ::testing::HasSubstr;

class NegativeDestroy : public LifetimesTest {};
class PositiveDestroy : public LifetimesTest {};

VkBufferCreateInfo BufferInfo() {
  return {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
}

TEST_F(NegativeDestroy, UseAfterDestroyNamesTheObjectAndTheCommand) {
  Buffer gone = MakeBuffer(64), destination = MakeBuffer(64);
  SetName(VK_OBJECT_TYPE_BUFFER, gone.handle, "staging");
  DestroyNow(gone);
  VkBufferCopy region = {0, 0, 64};
  Record([&](VkCommandBuffer commands) {
    SkipCalls skip(*this);
    vk.CmdCopyBuffer(commands, gone, destination, 1, &region);
    Message message = ExpectMessage("VUID-vkCmdCopyBuffer-srcBuffer-parameter");
    EXPECT_THAT(message.text, HasSubstr("srcBuffer (VkBuffer 0x"));
    EXPECT_THAT(message.text, HasSubstr("[staging]) has been destroyed by vkDestroyBuffer."));
  });
}

TEST_F(NegativeDestroy, DoubleFree) {
  VkEvent event = MakeEvent();
  DestroyNow(event);
  SkipCalls skip(*this);
  vk.DestroyEvent(device, event, nullptr);
  ExpectMessage("VUID-vkDestroyEvent-event-parameter");
}

TEST_F(NegativeDestroy, WrongType) {
  VkEvent event = MakeEvent();
  SkipCalls skip(*this);
  vk.DestroyBuffer(device, reinterpret_cast<VkBuffer>(event), nullptr);
  EXPECT_THAT(ExpectMessage("VUID-vkDestroyBuffer-buffer-parameter").text,
              HasSubstr("is not a VkBuffer but a VkEvent."));
}

TEST_F(NegativeDestroy, FreedCommandBuffer) {
  VkCommandPool pool = MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands;
  ASSERT_EQ(vk.AllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "frame");
  vk.FreeCommandBuffers(device, pool, 1, &commands);
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  EXPECT_EQ(vk.BeginCommandBuffer(commands, &begin), VK_ERROR_VALIDATION_FAILED_EXT);
  EXPECT_THAT(ExpectMessage("VUID-vkBeginCommandBuffer-commandBuffer-parameter").text,
              HasSubstr("[frame]) has been destroyed by vkFreeCommandBuffers."));
}

TEST_F(NegativeDestroy, SetsOfAResetPool) {
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
  vk.ResetDescriptorPool(device, pool, 0);
  Buffer buffer = MakeBuffer(64);
  SkipCalls skip(*this);
  WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer);
  EXPECT_THAT(ExpectMessage("VUID-VkWriteDescriptorSet-dstSet-00320").text,
              HasSubstr("has been destroyed by vkResetDescriptorPool."));
}

TEST_F(NegativeDestroy, LeaksAreListedAtDeviceDestruction) {
  VkEvent event = MakeEvent();
  VkFence fence = MakeFence();
  VkCommandPool pool = MakeCommandPool();
  SetName(VK_OBJECT_TYPE_EVENT, event, "forgotten");
  CancelDestroy(event);
  CancelDestroy(fence);
  CancelDestroy(pool);
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands;
  ASSERT_EQ(vk.AllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
  Destroy();
  Message message = ExpectMessage("VUID-vkDestroyDevice-device-05137");
  EXPECT_THAT(message.text, HasSubstr("vkDestroyDevice(): 3 objects have not been destroyed: "));
  EXPECT_THAT(message.text, HasSubstr("[forgotten]"));
  ASSERT_EQ(message.objects.size(), 3u);
}

TEST_F(NegativeDestroy, LeaksAreListedAtInstanceDestruction) {
  VkSurfaceKHR surface = MakeSurface();
  CancelDestroy(surface);
  Destroy();
  EXPECT_THAT(ExpectMessage("VUID-vkDestroyInstance-instance-00629").text, HasSubstr("VkSurfaceKHR"));
}

class ShaderBinaries : public LifetimesTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = LifetimesTest::Options();
    options.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    options.features = &features_;
    return options;
  }
  VkResult CreateShaders(VkShaderEXT (&shaders)[2]) {
    alignas(16) static constexpr uint32_t kBinary[4] = {};
    VkShaderCreateInfoEXT infos[2];
    for (VkShaderCreateInfoEXT& info : infos) {
      info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
              .stage = VK_SHADER_STAGE_COMPUTE_BIT,
              .codeType = VK_SHADER_CODE_TYPE_BINARY_EXT,
              .codeSize = sizeof(kBinary),
              .pCode = kBinary,
              .pName = "main"};
    }
    return vk.CreateShadersEXT(device, 2, infos, nullptr, shaders);
  }

 private:
  VkPhysicalDeviceShaderObjectFeaturesEXT features_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                                                       nullptr, VK_TRUE};
};
class NegativeShaderBinaries : public ShaderBinaries {};
class PositiveShaderBinaries : public ShaderBinaries {};

// The driver leaves the output as it was, or what it had begun with.
TEST_F(PositiveShaderBinaries, AreIncompatible) {
  VkShaderEXT shaders[2];
  for (bool writes : {false, true}) {
    for (VkShaderEXT& shader : shaders) shader = reinterpret_cast<VkShaderEXT>(uint64_t{0x1230});
    driver().Observe<vk::CreateShadersEXT>([&](const vk::CreateShadersEXT& call) {
      if (writes) call.pShaders[1] = reinterpret_cast<VkShaderEXT>(uint64_t{0x4560});
    });
    driver().FailNext<vk::CreateShadersEXT>(VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    EXPECT_EQ(CreateShaders(shaders), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    driver().SetObserver({});
    EXPECT_EQ(shaders[0], VK_NULL_HANDLE);
  }
  Destroy();
}
TEST_F(NegativeShaderBinaries, AreNotDestroyed) {
  VkShaderEXT shaders[2];
  EXPECT_EQ(CreateShaders(shaders), VK_SUCCESS);
  vk.DestroyShaderEXT(device, shaders[0], nullptr);
  Destroy();
  EXPECT_EQ(ExpectMessage("VUID-vkDestroyDevice-device-05137").objects.size(), 1u);
}

TEST_F(NegativeDestroy, SurfaceBeforeItsSwapchain) {
  VkSurfaceKHR surface = MakeSurface();
  MakeSwapchain(surface);
  SkipCalls skip(*this);
  vk.DestroySurfaceKHR(instance, surface, nullptr);
  ExpectMessage("VUID-vkDestroySurfaceKHR-surface-01266");
}

TEST_F(PositiveDestroy, SwapchainThenSurface) {
  VkSurfaceKHR surface = MakeSurface();
  VkSwapchainKHR swapchain = MakeSwapchain(surface);
  SwapchainImages(swapchain);
  DestroyNow(swapchain);
  DestroyNow(surface);
}

TEST_F(NegativeDestroy, AllocatorOnlyAtCreation) {
  VkAllocationCallbacks callbacks = Callbacks();
  VkBufferCreateInfo info = BufferInfo();
  VkBuffer buffer;
  ASSERT_EQ(vk.CreateBuffer(device, &info, &callbacks, &buffer), VK_SUCCESS);
  vk.DestroyBuffer(device, buffer, nullptr);
  ExpectMessage("VUID-vkDestroyBuffer-buffer-00923");
}

TEST_F(NegativeDestroy, AllocatorOnlyAtDestruction) {
  VkAllocationCallbacks callbacks = Callbacks();
  VkBufferCreateInfo info = BufferInfo();
  VkBuffer buffer;
  ASSERT_EQ(vk.CreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  vk.DestroyBuffer(device, buffer, &callbacks);
  ExpectMessage("VUID-vkDestroyBuffer-buffer-00924");
}

TEST_F(PositiveDestroy, AllocatorOnBothEnds) {
  VkAllocationCallbacks callbacks = Callbacks();
  VkBufferCreateInfo info = BufferInfo();
  VkBuffer buffer;
  ASSERT_EQ(vk.CreateBuffer(device, &info, &callbacks, &buffer), VK_SUCCESS);
  vk.DestroyBuffer(device, buffer, &callbacks);
  vk.DestroyBuffer(device, VK_NULL_HANDLE, nullptr);
}

TEST_F(NegativeDestroy, FromAnotherDevice) {
  VkDevice first = device;
  VkEvent event = MakeEvent();
  CreateDevice(Options());
  VkDevice second = std::exchange(device, first);
  SkipCalls skip(*this);
  vk.SetEvent(second, event);
  ExpectMessage("VUID-vkSetEvent-event-parent");
  skip.End();
  vk.DestroyDevice(second, nullptr);
}

TEST_F(NegativeDestroy, UnknownDispatchableHandle) {
  vk.DeviceWaitIdle(reinterpret_cast<VkDevice>(uint64_t{0x1234}));
  ExpectMessage("VUID-vkDeviceWaitIdle-device-parameter");
}

TEST_F(PositiveDestroy, NullHandles) {
  vk.DestroyFence(device, VK_NULL_HANDLE, nullptr);
  VkCommandBuffer none = VK_NULL_HANDLE;
  vk.FreeCommandBuffers(device, MakeCommandPool(), 1, &none);
}

TEST_F(PositiveDestroy, IgnoredPointersAreNotFollowed) {
  VkCommandBuffer commands = MakeCommandBuffer();
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0,
                                    reinterpret_cast<const VkCommandBufferInheritanceInfo*>(uint64_t{8})};
  EXPECT_EQ(vk.BeginCommandBuffer(commands, &begin), VK_SUCCESS);
  End(commands);
}

}  // namespace
}  // namespace assay::object_lifetimes
