// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The handles that commands return and destroy, and those of commands that fail.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "dispatch/dispatch.h"
#include "dispatch/testing/layer_without_validators.h"
#include "dispatch/testing/live_handles.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;

// The command that destroyed the object; vkCreateInstance when there is no record of one.
template <class Handle>
CommandId DestroyedBy(Handle handle) {
  DestroyedObject object;
  return HandleTable::Get().FindDestroyed(Integer(handle), &object) ? object.destroyed_by : CommandId::kCreateInstance;
}

class ReturnedHandlesTest : public test::ValidationTest {
 protected:
  VkDescriptorPool MakePool() {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16};
    VkDescriptorPoolCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    info.maxSets = 16;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorPool(device, &info, nullptr, &pool), VK_SUCCESS);
    return pool;
  }
  std::vector<VkDescriptorSet> Allocate(VkDescriptorPool pool, uint32_t count, VkResult expected = VK_SUCCESS) {
    const std::vector<VkDescriptorSetLayout> layouts(count, MakeSetLayout({{0}}));
    VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    info.descriptorPool = pool;
    info.descriptorSetCount = count;
    info.pSetLayouts = layouts.data();
    std::vector<VkDescriptorSet> sets(count);
    EXPECT_EQ(vk.AllocateDescriptorSets(device, &info, sets.data()), expected);
    return sets;
  }
};

TEST_F(ReturnedHandlesTest, AreWrapped) {
  const test::Buffer buffer = MakeBuffer(64);
  EXPECT_TRUE(IsLive(buffer.handle));
  const Slot* slot = HandleTable::Get().Find(VK_OBJECT_TYPE_BUFFER, Integer(buffer.handle));
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(slot->device->handle, device);
  EXPECT_NE(slot->driver_handle, Integer(buffer.handle));
  const VkBuffer handle = buffer;
  DestroyNow(buffer);
  EXPECT_FALSE(IsLive(handle));
  EXPECT_EQ(DestroyedBy(handle), CommandId::kDestroyBuffer);
}

TEST_F(ReturnedHandlesTest, AreNotRegisteredWhenTheCommandFails) {
  driver().FailNext<vk::CreateFence>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const auto before = reinterpret_cast<VkFence>(0x77);
  VkFence fence = before;
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &fence), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(fence, before);
}

TEST_F(ReturnedHandlesTest, MayBeDestroyedAsNull) {
  vk.DestroyBuffer(device, VK_NULL_HANDLE, nullptr);
  const VkDescriptorPool pool = MakePool();
  const VkDescriptorSet sets[] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
  EXPECT_EQ(vk.FreeDescriptorSets(device, pool, 2, sets), VK_SUCCESS);
  vk.DestroyDescriptorPool(device, pool, nullptr);
}

TEST_F(ReturnedHandlesTest, OfDescriptorSetsEndWhenFreed) {
  const VkDescriptorPool pool = MakePool();
  const std::vector<VkDescriptorSet> sets = Allocate(pool, 3);
  EXPECT_EQ(vk.FreeDescriptorSets(device, pool, 2, sets.data()), VK_SUCCESS);
  EXPECT_FALSE(IsLive(sets[0]));
  EXPECT_EQ(DestroyedBy(sets[1]), CommandId::kFreeDescriptorSets);
  EXPECT_TRUE(IsLive(sets[2]));
  vk.DestroyDescriptorPool(device, pool, nullptr);
}

TEST_F(ReturnedHandlesTest, OfDescriptorSetsEndWithTheReset) {
  const VkDescriptorPool pool = MakePool();
  const VkDescriptorPool other = MakePool();
  const std::vector<VkDescriptorSet> sets = Allocate(pool, 3);
  const std::vector<VkDescriptorSet> others = Allocate(other, 1);
  EXPECT_EQ(vk.ResetDescriptorPool(device, pool, 0), VK_SUCCESS);
  for (VkDescriptorSet set : sets) EXPECT_EQ(DestroyedBy(set), CommandId::kResetDescriptorPool);
  EXPECT_TRUE(IsLive(pool));
  EXPECT_TRUE(IsLive(others[0]));
  EXPECT_TRUE(IsLive(Allocate(pool, 1)[0]));
  vk.DestroyDescriptorPool(device, pool, nullptr);
  vk.DestroyDescriptorPool(device, other, nullptr);
}

TEST_F(ReturnedHandlesTest, OfDescriptorSetsEndWithThePool) {
  const VkDescriptorPool pool = MakePool();
  const std::vector<VkDescriptorSet> sets = Allocate(pool, 3);
  vk.DestroyDescriptorPool(device, pool, nullptr);
  for (VkDescriptorSet set : sets) EXPECT_EQ(DestroyedBy(set), CommandId::kDestroyDescriptorPool);
}

TEST_F(ReturnedHandlesTest, OfDescriptorSetsAreNotRegisteredWhenTheAllocationFails) {
  const VkDescriptorPool pool = MakePool();
  driver().FailNext<vk::AllocateDescriptorSets>(VK_ERROR_OUT_OF_POOL_MEMORY);
  Allocate(pool, 2, VK_ERROR_OUT_OF_POOL_MEMORY);
  EXPECT_EQ(HandleTable::Get().Find(VK_OBJECT_TYPE_DESCRIPTOR_POOL, Integer(pool))->first_child, HandleTable::kNone);
  vk.DestroyDescriptorPool(device, pool, nullptr);
}

TEST_F(ReturnedHandlesTest, OfCommandBuffersEndWithThePool) {
  VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool;
  ASSERT_EQ(vk.CreateCommandPool(device, &info, nullptr, &pool), VK_SUCCESS);
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 3;
  VkCommandBuffer buffers[3];
  ASSERT_EQ(vk.AllocateCommandBuffers(device, &allocate, buffers), VK_SUCCESS);
  EXPECT_FALSE(DispatchableTable::Get().Find(buffers[0])->is_secondary);
  vk.FreeCommandBuffers(device, pool, 1, buffers);
  EXPECT_EQ(DispatchableTable::Get().Find(buffers[0]), nullptr);
  allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  allocate.commandBufferCount = 1;
  ASSERT_EQ(vk.AllocateCommandBuffers(device, &allocate, buffers), VK_SUCCESS);
  EXPECT_TRUE(DispatchableTable::Get().Find(buffers[0])->is_secondary);
  vk.DestroyCommandPool(device, pool, nullptr);
  for (VkCommandBuffer buffer : buffers) EXPECT_EQ(DispatchableTable::Get().Find(buffer), nullptr);
}

TEST_F(ReturnedHandlesTest, OfSwapchainImagesAreTheSameEachTime) {
  const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const std::vector<VkImage> first = SwapchainImages(swapchain);
  EXPECT_EQ(SwapchainImages(swapchain), first);
  EXPECT_NE(first[0], first[1]);
  // A count below the number of images.
  uint32_t count = 2;
  std::vector<VkImage> some(2);
  EXPECT_EQ(vk.GetSwapchainImagesKHR(device, swapchain, &count, some.data()), VK_INCOMPLETE);
  EXPECT_EQ(some, (std::vector<VkImage>{first[0], first[1]}));
  DestroyNow(swapchain);
  for (VkImage image : first) EXPECT_EQ(DestroyedBy(image), CommandId::kDestroySwapchainKHR);
}

TEST_F(ReturnedHandlesTest, OfSwapchainImagesAreTheSameForConcurrentThreads) {
  for (int round = 0; round < 20; ++round) {
    const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
    std::vector<std::vector<VkImage>> images(4, std::vector<VkImage>(3));
    std::atomic<int> ready = 0;
    std::vector<std::thread> threads;
    threads.reserve(images.size());
    for (auto& mine : images) {
      threads.emplace_back([&] {
        for (++ready; ready.load() < 4;) {
        }
        uint32_t count = 3;
        vk.GetSwapchainImagesKHR(device, swapchain, &count, mine.data());
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& mine : images) EXPECT_EQ(mine, images[0]);
  }
}

TEST_F(ReturnedHandlesTest, OfDisplaysAreTheSameEachTime) {
  const auto ask = [&] {
    VkDisplayPropertiesKHR properties = {};
    uint32_t count = 1;
    driver().Observe<vk::GetPhysicalDeviceDisplayPropertiesKHR>([](const auto& call) {
      *call.pPropertyCount = 1;
      call.pProperties->display = reinterpret_cast<VkDisplayKHR>(0x4242);
    });
    driver().FailNext<vk::GetPhysicalDeviceDisplayPropertiesKHR>(VK_SUCCESS);
    EXPECT_EQ(vk.GetPhysicalDeviceDisplayPropertiesKHR(physical_device, &count, &properties), VK_SUCCESS);
    return properties.display;
  };
  const VkDisplayKHR display = ask();
  EXPECT_TRUE(IsLive(display));
  EXPECT_EQ(ask(), display);
  // Another command that returns it.
  driver().Observe<vk::GetDrmDisplayEXT>(
      [](const auto& call) { *call.display = reinterpret_cast<VkDisplayKHR>(0x4242); });
  driver().FailNext<vk::GetDrmDisplayEXT>(VK_SUCCESS);
  VkDisplayKHR same = VK_NULL_HANDLE;
  EXPECT_EQ(vk.GetDrmDisplayEXT(physical_device, 0, 0, &same), VK_SUCCESS);
  EXPECT_EQ(same, display);
}

TEST_F(ReturnedHandlesTest, OfPhysicalDeviceGroupsAreRegisteredUpToTheirCount) {
  uint32_t count = 1;
  VkPhysicalDeviceGroupProperties group = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
  for (VkPhysicalDevice& each : group.physicalDevices) each = reinterpret_cast<VkPhysicalDevice>(0x9990);
  ASSERT_EQ(vk.EnumeratePhysicalDeviceGroups(instance, &count, &group), VK_SUCCESS);
  EXPECT_EQ(group.physicalDevices[0], physical_device);
  EXPECT_EQ(DispatchableTable::Get().Find(reinterpret_cast<void*>(0x9990)), nullptr);
}

TEST_F(ReturnedHandlesTest, OfQueuesAreTheDriversAndRegistered) {
  VkQueue queue = VK_NULL_HANDLE;
  vk.GetDeviceQueue(device, 0, 0, &queue);
  const Slot* slot = DispatchableTable::Get().Find(queue);
  ASSERT_NE(slot, nullptr);
  vk.GetDeviceQueue(device, 0, 0, &queue);
  EXPECT_EQ(DispatchableTable::Get().Find(queue), slot);
  EXPECT_EQ(slot->device->handle, device);
}

// Two of three pipelines; the driver wrote null for the other.
TEST_F(ReturnedHandlesTest, OfPipelinesAreRegisteredThoughOneFails) {
  const VkComputePipelineCreateInfo infos[3] = {{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO},
                                                {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO},
                                                {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO}};
  VkPipeline pipelines[3] = {reinterpret_cast<VkPipeline>(1), reinterpret_cast<VkPipeline>(2),
                             reinterpret_cast<VkPipeline>(3)};
  driver().Observe<vk::CreateComputePipelines>([](const auto& call) {
    call.pPipelines[0] = reinterpret_cast<VkPipeline>(0x100);
    call.pPipelines[1] = VK_NULL_HANDLE;
    call.pPipelines[2] = reinterpret_cast<VkPipeline>(0x300);
  });
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 3, infos, nullptr, pipelines),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(HandleTable::Get().ToDriver(Integer(pipelines[0])), 0x100u);
  EXPECT_EQ(pipelines[1], VK_NULL_HANDLE);
  EXPECT_EQ(HandleTable::Get().ToDriver(Integer(pipelines[2])), 0x300u);
  EXPECT_TRUE(IsLive(pipelines[0]) && IsLive(pipelines[2]));
}

TEST_F(ReturnedHandlesTest, OfPipelinesAreNullWhereTheDriverWroteNothing) {
  const VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  auto pipeline = reinterpret_cast<VkPipeline>(0x77);
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(pipeline, VK_NULL_HANDLE);
}

TEST_F(ReturnedHandlesTest, OfPipelineBinariesAreRegisteredBehindAStructure) {
  VkPipelineBinaryCreateInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR};
  VkPipelineBinaryKHR binaries[2] = {};
  VkPipelineBinaryHandlesInfoKHR handles = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR, nullptr, 2, binaries};
  driver().Observe<vk::CreatePipelineBinariesKHR>(
      [](const auto& call) { call.pBinaries->pPipelineBinaries[0] = reinterpret_cast<VkPipelineBinaryKHR>(0x100); });
  driver().FailNext<vk::CreatePipelineBinariesKHR>(VK_PIPELINE_BINARY_MISSING_KHR);
  EXPECT_EQ(vk.CreatePipelineBinariesKHR(device, &info, nullptr, &handles), VK_PIPELINE_BINARY_MISSING_KHR);
  EXPECT_EQ(HandleTable::Get().ToDriver(Integer(binaries[0])), 0x100u);
  EXPECT_TRUE(IsLive(binaries[0]));
  EXPECT_EQ(binaries[1], VK_NULL_HANDLE);
}

TEST_F(ReturnedHandlesTest, OfPerformanceConfigurationsEndWhenReleased) {
  VkPerformanceConfigurationAcquireInfoINTEL info = {VK_STRUCTURE_TYPE_PERFORMANCE_CONFIGURATION_ACQUIRE_INFO_INTEL};
  VkPerformanceConfigurationINTEL configuration = VK_NULL_HANDLE;
  ASSERT_EQ(vk.AcquirePerformanceConfigurationINTEL(device, &info, &configuration), VK_SUCCESS);
  EXPECT_TRUE(IsLive(configuration));
  EXPECT_EQ(vk.ReleasePerformanceConfigurationINTEL(device, configuration), VK_SUCCESS);
  EXPECT_FALSE(IsLive(configuration));
}

TEST_F(ReturnedHandlesTest, EndWithTheirDevice) {
  const VkBuffer leaked = MakeBuffer(64);
  const VkQueue queue = Queue();
  const VkDevice gone = device;
  Destroy();
  EXPECT_FALSE(IsLive(leaked));
  EXPECT_EQ(DispatchableTable::Get().Find(queue), nullptr);
  EXPECT_EQ(DispatchableTable::Get().Find(gone), nullptr);
}

// The driver gives a command buffer's address again to another thread as soon as it is free.
TEST_F(ReturnedHandlesTest, OfOtherThreadsAreLeftAlone) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::atomic<int> unknown = 0;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
      VkCommandPool pool;
      vk.CreateCommandPool(device, &info, nullptr, &pool);
      VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
      allocate.commandPool = pool;
      allocate.commandBufferCount = 1;
      for (int i = 0; i < 2000; ++i) {
        VkCommandBuffer buffer;
        vk.AllocateCommandBuffers(device, &allocate, &buffer);
        const Slot* slot = DispatchableTable::Get().Find(buffer);
        unknown += slot == nullptr || slot->driver_handle != Integer(buffer);
        vk.FreeCommandBuffers(device, pool, 1, &buffer);
      }
      vk.DestroyCommandPool(device, pool, nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(unknown, 0);
}

}  // namespace
}  // namespace assay::dispatch
