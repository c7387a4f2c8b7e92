// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/mock_driver.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/functions.h"
#include "testing/mock_driver/entry_points.h"
#include "testing/mock_driver/icd.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/extension_info.h"

namespace assay::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MockDriverTest : public ::testing::Test {
 protected:
  MockDriverTest() {
    MockDriver::Get().Reset();
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    EXPECT_EQ(driver_.CreateInstance(&instance_info, nullptr, &instance_), VK_SUCCESS);
    uint32_t count = 1;
    EXPECT_EQ(driver_.EnumeratePhysicalDevices(instance_, &count, &physical_device_), VK_SUCCESS);
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo device_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info};
    EXPECT_EQ(driver_.CreateDevice(physical_device_, &device_info, nullptr, &device_), VK_SUCCESS);
    driver_.GetDeviceQueue(device_, 0, 0, &queue_);
  }

  ~MockDriverTest() override {
    driver_.DestroyDevice(device_, nullptr);
    driver_.DestroyInstance(instance_, nullptr);
    EXPECT_THAT(MockDriver::Get().TakeMisuses(), IsEmpty());
    MockDriver::Get().Reset();
  }

  VkBuffer CreateBuffer(VkDeviceSize size) {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size};
    VkBuffer buffer = VK_NULL_HANDLE;
    EXPECT_EQ(driver_.CreateBuffer(device_, &info, nullptr, &buffer), VK_SUCCESS);
    return buffer;
  }

  Functions driver_ = Functions::Load([](const char* name) { return vk_icdGetInstanceProcAddr(VK_NULL_HANDLE, name); });
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
};

TEST_F(MockDriverTest, HasEveryCommandAndAlias) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    std::string_view name = vk::GetCommandInfo(static_cast<vk::CommandId>(i)).name;
    EXPECT_NE(FindEntryPoint(name), nullptr) << name;
  }
  for (const vk::CommandAlias& alias : vk::CommandAliases()) {
    EXPECT_EQ(FindEntryPoint(alias.name), FindEntryPoint(vk::GetCommandInfo(alias.id).name)) << alias.name;
  }
  EXPECT_EQ(FindEntryPoint("vkMakeCoffee"), nullptr);
}

TEST_F(MockDriverTest, GivesFreshHandles) {
  std::set<VkBuffer> buffers;
  for (int i = 0; i < 3000; ++i) {
    VkBuffer buffer = CreateBuffer(16);
    buffers.insert(buffer);
    if (i % 2 == 0) driver_.DestroyBuffer(device_, buffer, nullptr);
  }
  EXPECT_EQ(buffers.size(), 3000u);
  EXPECT_EQ(MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_BUFFER), 1500u);
  for (VkBuffer buffer : buffers) driver_.DestroyBuffer(device_, buffer, nullptr);
  EXPECT_EQ(MockDriver::Get().TakeMisuses().size(), 1500u);
  EXPECT_EQ(MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_BUFFER), 0u);
}

TEST_F(MockDriverTest, GivesArraysOfHandles) {
  VkComputePipelineCreateInfo infos[3] = {};
  VkPipeline pipelines[3] = {};
  EXPECT_EQ(driver_.CreateComputePipelines(device_, VK_NULL_HANDLE, 3, infos, nullptr, pipelines), VK_SUCCESS);
  EXPECT_EQ(std::set<VkPipeline>(pipelines, pipelines + 3).size(), 3u);
  for (VkPipeline pipeline : pipelines) driver_.DestroyPipeline(device_, pipeline, nullptr);
  EXPECT_EQ(MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_PIPELINE), 0u);
}

TEST_F(MockDriverTest, PoolsEndWhatComesFromThem) {
  VkDescriptorPool pool;
  VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  driver_.CreateDescriptorPool(device_, &info, nullptr, &pool);
  VkDescriptorSetLayout layouts[4] = {};
  VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 4, layouts};
  VkDescriptorSet sets[4];
  driver_.AllocateDescriptorSets(device_, &allocate, sets);
  EXPECT_EQ(MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_DESCRIPTOR_SET), 4u);
  driver_.FreeDescriptorSets(device_, pool, 2, sets);
  EXPECT_EQ(MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_DESCRIPTOR_SET), 2u);
  driver_.DestroyDescriptorPool(device_, pool, nullptr);
  EXPECT_EQ(MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_DESCRIPTOR_SET), 0u);
}

TEST_F(MockDriverTest, SupportsAllFeaturesButThoseDisabled) {
  MockDriver::Get().config().disabled_features = {"VkPhysicalDeviceVulkan13Features.synchronization2", "wideLines"};
  VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceSynchronization2Features sync = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, .pNext = &features13};
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &sync, {}};
  driver_.GetPhysicalDeviceFeatures2(physical_device_, &features);
  EXPECT_TRUE(features.features.robustBufferAccess);
  EXPECT_FALSE(features.features.wideLines);
  EXPECT_TRUE(features13.dynamicRendering);
  EXPECT_FALSE(features13.synchronization2);
  EXPECT_TRUE(sync.synchronization2);
}

TEST_F(MockDriverTest, FillsPropertiesByTheirNames) {
  VkPhysicalDeviceVulkan11Properties properties11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &properties11, {}};
  driver_.GetPhysicalDeviceProperties2(physical_device_, &properties);
  EXPECT_EQ(properties.properties.apiVersion, VK_HEADER_VERSION_COMPLETE);
  EXPECT_EQ(properties11.subgroupSize, 32u);
  EXPECT_EQ(properties11.maxMultiviewViewCount, 32u);
  EXPECT_EQ(properties11.maxMemoryAllocationSize, 1u << 30);
}

TEST_F(MockDriverTest, ListsExtensionsOfTheRightKind) {
  uint32_t count = 0;
  driver_.EnumerateDeviceExtensionProperties(physical_device_, nullptr, &count, nullptr);
  uint32_t instance_count = 0;
  driver_.EnumerateInstanceExtensionProperties(nullptr, &instance_count, nullptr);
  EXPECT_EQ(count + instance_count + MockDriver::Get().config().disabled_extensions.size(), vk::kExtensionCount);
  VkExtensionProperties one;
  count = 1;
  EXPECT_EQ(driver_.EnumerateDeviceExtensionProperties(physical_device_, nullptr, &count, &one), VK_INCOMPLETE);
}

TEST_F(MockDriverTest, AnswersMemoryRequirements) {
  VkBuffer buffer = CreateBuffer(100);
  VkMemoryRequirements requirements;
  driver_.GetBufferMemoryRequirements(device_, buffer, &requirements);
  EXPECT_EQ(requirements.size, 112u);
  EXPECT_EQ(requirements.alignment, 16u);
  EXPECT_EQ(requirements.memoryTypeBits, 0xfu);
  driver_.DestroyBuffer(device_, buffer, nullptr);

  VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .imageType = VK_IMAGE_TYPE_2D,
                            .format = VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                            .extent = {16, 16, 1},
                            .mipLevels = 2,
                            .arrayLayers = 3,
                            .samples = VK_SAMPLE_COUNT_1_BIT};
  VkImage image;
  driver_.CreateImage(device_, &info, nullptr, &image);
  driver_.GetImageMemoryRequirements(device_, image, &requirements);
  EXPECT_EQ(requirements.size, (16u + 4u) * 8 * 3);
  driver_.DestroyImage(device_, image, nullptr);
}

TEST_F(MockDriverTest, MapsRealMemory) {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 64, 1};
  VkDeviceMemory memory;
  driver_.AllocateMemory(device_, &info, nullptr, &memory);
  void* data = nullptr;
  EXPECT_EQ(driver_.MapMemory(device_, memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  static_cast<char*>(data)[63] = 'x';
  driver_.UnmapMemory(device_, memory);
  EXPECT_EQ(driver_.MapMemory(device_, memory, 60, 4, 0, &data), VK_SUCCESS);
  EXPECT_EQ(static_cast<char*>(data)[3], 'x');
  driver_.FreeMemory(device_, memory, nullptr);
}

TEST_F(MockDriverTest, HoldsWorkUntilItIsWaitedFor) {
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  driver_.CreateFence(device_, &info, nullptr, &fence);
  EXPECT_EQ(driver_.GetFenceStatus(device_, fence), VK_NOT_READY);
  driver_.QueueSubmit(queue_, 0, nullptr, fence);
  EXPECT_EQ(driver_.GetFenceStatus(device_, fence), VK_SUCCESS);
  driver_.ResetFences(device_, 1, &fence);
  MockDriver::Get().config().hold_work = true;
  driver_.QueueSubmit(queue_, 0, nullptr, fence);
  EXPECT_EQ(driver_.GetFenceStatus(device_, fence), VK_NOT_READY);
  EXPECT_EQ(driver_.WaitForFences(device_, 1, &fence, VK_TRUE, 0), VK_TIMEOUT);
  EXPECT_EQ(driver_.WaitForFences(device_, 1, &fence, VK_TRUE, 1), VK_SUCCESS);
  driver_.DestroyFence(device_, fence, nullptr);
}

TEST_F(MockDriverTest, CyclesSwapchainImages) {
  VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                   .minImageCount = 3,
                                   .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                   .imageExtent = {640, 480},
                                   .imageArrayLayers = 1};
  VkSwapchainKHR swapchain;
  driver_.CreateSwapchainKHR(device_, &info, nullptr, &swapchain);
  VkImage images[3];
  uint32_t count = 3;
  EXPECT_EQ(driver_.GetSwapchainImagesKHR(device_, swapchain, &count, images), VK_SUCCESS);
  EXPECT_EQ(std::set<VkImage>(images, images + 3).size(), 3u);
  for (uint32_t i = 0; i < 7; ++i) {
    uint32_t index = 99;
    driver_.AcquireNextImageKHR(device_, swapchain, 0, VK_NULL_HANDLE, VK_NULL_HANDLE, &index);
    EXPECT_EQ(index, i % 3);
  }
  driver_.DestroySwapchainKHR(device_, swapchain, nullptr);
  EXPECT_EQ(MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_IMAGE), 0u);
}

TEST_F(MockDriverTest, FailsOnRequest) {
  MockDriver::Get().FailNext<vk::CreateBuffer>(VK_ERROR_OUT_OF_DEVICE_MEMORY, 1, 1);
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 16};
  VkBuffer buffers[3];
  EXPECT_EQ(driver_.CreateBuffer(device_, &info, nullptr, &buffers[0]), VK_SUCCESS);
  EXPECT_EQ(driver_.CreateBuffer(device_, &info, nullptr, &buffers[1]), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(driver_.CreateBuffer(device_, &info, nullptr, &buffers[2]), VK_SUCCESS);
  driver_.DestroyBuffer(device_, buffers[0], nullptr);
  driver_.DestroyBuffer(device_, buffers[2], nullptr);
}

TEST_F(MockDriverTest, CanBeObserved) {
  std::vector<uint32_t> groups;
  MockDriver::Get().Observe<vk::CmdDispatch>([&](const vk::CmdDispatch& call) { groups.push_back(call.groupCountY); });
  driver_.CmdDispatch(VK_NULL_HANDLE, 1, 2, 3);
  driver_.CmdDispatch(VK_NULL_HANDLE, 4, 5, 6);
  driver_.CmdEndRenderPass(VK_NULL_HANDLE);
  MockDriver::Get().SetObserver(nullptr);
  driver_.CmdDispatch(VK_NULL_HANDLE, 7, 8, 9);
  EXPECT_THAT(groups, ElementsAre(2, 5));
}

TEST_F(MockDriverTest, NoticesHandlesThatAreNotItsOwn) {
  MockDriver::Get().CheckHandles(true);
  VkBuffer buffer = CreateBuffer(16);
  VkMemoryRequirements requirements;
  driver_.GetBufferMemoryRequirements(device_, buffer, &requirements);
  EXPECT_THAT(MockDriver::Get().TakeMisuses(), IsEmpty());
  driver_.DestroyBuffer(device_, buffer, nullptr);
  driver_.GetBufferMemoryRequirements(device_, buffer, &requirements);
  EXPECT_THAT(MockDriver::Get().TakeMisuses(),
              ElementsAre(HasSubstr("vkGetBufferMemoryRequirements(): buffer[0] is not a live VkBuffer")));
}

}  // namespace
}  // namespace assay::test
