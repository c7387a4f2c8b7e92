// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a device has enabled and what its driver knows, through the whole layer: each mistake beside correct programs
// that only look like it.

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::stateless {
namespace {

using test::Typed;
using ::testing::HasSubstr;

class DeviceFacts : public test::ValidationTest {
 protected:
  void SetUp() override { driver().config().limits.minTexelBufferOffsetAlignment = 64; }

  // In place of the device before, about which there is no message left.
  void CreateWith(uint32_t api_version, std::vector<const char*> device_extensions = {}, void* features = nullptr) {
    ExpectNothing();
    Destroy();
    Create({.api_version = api_version,
            .device_extensions = std::move(device_extensions),
            .core_features = false,
            .features = features});
  }
  void MakeTexelView(VkDeviceSize offset) {
    const test::Buffer buffer = MakeBuffer(1024, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    MakeFrom(VkBufferViewCreateInfo{.buffer = buffer, .format = VK_FORMAT_R32_UINT, .offset = offset, .range = 64},
             vk.CreateBufferView, vk.DestroyBufferView);
  }
  void MakeMirroringSampler() {
    MakeSampler({.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, .maxLod = 1});
  }
};

// Vulkan 1.3 has the finer alignments without the feature, whose structure it does not have.
TEST_F(DeviceFacts, TexelBufferAlignment) {
  CreateWith(VK_API_VERSION_1_2);
  MakeTexelView(16);
  ExpectMessage("VUID-VkBufferViewCreateInfo-offset-02749");
  MakeTexelView(64);
  CreateWith(VK_API_VERSION_1_3);
  MakeTexelView(16);
  auto features = Typed(VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT{.texelBufferAlignment = VK_TRUE});
  CreateWith(VK_API_VERSION_1_2, {VK_EXT_TEXEL_BUFFER_ALIGNMENT_EXTENSION_NAME}, &features);
  MakeTexelView(16);
}

// An extension that is older than its feature enables it.
TEST_F(DeviceFacts, MirrorClampToEdge) {
  CreateWith(VK_API_VERSION_1_2);
  MakeMirroringSampler();
  ExpectMessage("VUID-VkSamplerCreateInfo-addressModeU-01079");
  CreateWith(VK_API_VERSION_1_1, {VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME});
  MakeMirroringSampler();
  auto features = Typed(VkPhysicalDeviceVulkan12Features{.samplerMirrorClampToEdge = VK_TRUE});
  CreateWith(VK_API_VERSION_1_2, {}, &features);
  MakeMirroringSampler();
}

// One message for a command whose feature is not enabled. Either structure enables it.
TEST_F(DeviceFacts, CommandsAndTheirFeature) {
  CreateWith(VK_API_VERSION_1_3);
  vk.QueueSubmit2(Queue(), 0, nullptr, VK_NULL_HANDLE);
  ExpectMessages({"VUID-vkQueueSubmit2-synchronization2-03866"});
  const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  Record([&](VkCommandBuffer commands) {
    vk.CmdPipelineBarrier2(commands, &dependency);
    ExpectMessages({"VUID-vkCmdPipelineBarrier2-synchronization2-03848"});
  });
  CreateWith(VK_API_VERSION_1_2, {VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME});
  const auto submit = reinterpret_cast<PFN_vkQueueSubmit2>(vk.GetDeviceProcAddr(device, "vkQueueSubmit2KHR"));
  submit(Queue(), 0, nullptr, VK_NULL_HANDLE);
  ExpectMessages({"VUID-vkQueueSubmit2-synchronization2-03866"});
  auto features = Typed(VkPhysicalDeviceSynchronization2Features{.synchronization2 = VK_TRUE});
  CreateWith(VK_API_VERSION_1_2, {VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME}, &features);
  vk.QueueSubmit2(Queue(), 0, nullptr, VK_NULL_HANDLE);
  auto core = Typed(VkPhysicalDeviceVulkan13Features{.synchronization2 = VK_TRUE});
  CreateWith(VK_API_VERSION_1_3, {}, &core);
  vk.QueueSubmit2(Queue(), 0, nullptr, VK_NULL_HANDLE);
}

// A physical device may be asked about what the driver knows and this registry does not.
TEST_F(DeviceFacts, NewerValues) {
  CreateWith(VK_API_VERSION_1_1);
  const auto query = [&](VkFormat format, VkImageUsageFlags usage, VkImageCreateFlags flags) {
    VkFormatProperties of_format = {};
    vk.GetPhysicalDeviceFormatProperties(physical_device, format, &of_format);
    VkImageFormatProperties of_image = {};
    vk.GetPhysicalDeviceImageFormatProperties(physical_device, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D,
                                              VK_IMAGE_TILING_OPTIMAL, usage, flags, &of_image);
  };
  query(static_cast<VkFormat>(8000), VK_IMAGE_USAGE_SAMPLED_BIT | 1u << 30, 1u << 30);
  ExpectNothing();
  // These cannot be.
  query(static_cast<VkFormat>(-1), 1u << 31, 0);
  ExpectMessage("VUID-vkGetPhysicalDeviceFormatProperties-format-parameter");
  ExpectMessage("VUID-vkGetPhysicalDeviceImageFormatProperties-usage-parameter");
  MakeSampler({.magFilter = static_cast<VkFilter>(8000), .maxLod = 1});
  ExpectMessage("VUID-VkSamplerCreateInfo-magFilter-parameter");
}

// The physical device has VK_EXT_tooling_info, which nobody has to enable.
TEST_F(DeviceFacts, CommandsOfPhysicalDevicesNeedNoEnabledExtension) {
  CreateInstance({.api_version = VK_API_VERSION_1_1});
  const auto get_tools = reinterpret_cast<PFN_vkGetPhysicalDeviceToolProperties>(
      vk.GetInstanceProcAddr(instance, "vkGetPhysicalDeviceToolPropertiesEXT"));
  uint32_t count = 0;
  EXPECT_EQ(get_tools(physical_device, &count, nullptr), VK_SUCCESS);
}

// A driver that does not report its limits.
TEST_F(DeviceFacts, UnreportedLimitsAreNotApplied) {
  driver().config().limits = {};
  ChangeProperties<VkPhysicalDeviceMaintenance4Properties>([](auto& limits) { limits.maxBufferSize = 0; });
  ChangeProperties<VkPhysicalDeviceTimelineSemaphoreProperties>(
      [](auto& limits) { limits.maxTimelineSemaphoreValueDifference = 0; });
  const test::DeviceOptions options = {.api_version = VK_API_VERSION_1_3};
  CreateInstance(options);
  test::MessageLog information;
  VkDebugUtilsMessengerCreateInfoEXT info = information.CreateInfo();
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
  info.messageType &= ~VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger), VK_SUCCESS);
  CreateDevice(options);
  MakeBuffer(1 << 20);
  MakeMirroringSampler();
  const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, MakeTimeline(), 5};
  EXPECT_EQ(vk.SignalSemaphore(device, &signal), VK_SUCCESS);
  const VkViewport viewport = {0, 0, 64, 64, 0, 1};
  Record([&](VkCommandBuffer commands) { vk.CmdSetViewport(commands, 0, 1, &viewport); });
  EXPECT_THAT(information.Expect("ASSAY-limit-not-allowed").text,
              HasSubstr("VkPhysicalDeviceMaintenance4Properties::maxBufferSize (0, at least 1073741824)"));
  information.ExpectNothing();
  vk.DestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
}

// The driver's limits, if it reports them.
TEST_F(DeviceFacts, BufferLargerThanTheLimit) {
  ChangeProperties<VkPhysicalDeviceMaintenance4Properties>([](auto& limits) { limits.maxBufferSize = 1 << 30; });
  Create({.api_version = VK_API_VERSION_1_3});
  MakeUnboundBuffer({.size = (VkDeviceSize{1} << 30) + 1, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT});
  ExpectMessage("VUID-VkBufferCreateInfo-size-06409");
}

}  // namespace
}  // namespace assay::stateless
