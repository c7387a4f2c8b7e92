// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/instance.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

using vk::ExtensionId;
using vk::FeatureId;

// What a device of a version has enabled.
class EnabledTest : public ::testing::Test {
 protected:
  EnabledTest() : device(instance) {}

  void Read(uint32_t api_version, const VkDeviceCreateInfo& info) {
    device.api_version = api_version;
    device.ReadCreateInfo(info, info);
  }

  Instance instance;
  Device device;
};

TEST_F(EnabledTest, FeaturesOfEitherStructure) {
  VkPhysicalDeviceVulkan13Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                           .synchronization2 = VK_TRUE};
  Read(VK_API_VERSION_1_3, {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &core});
  EXPECT_TRUE(device.HasFeature(FeatureId::kSynchronization2));
  EXPECT_FALSE(device.HasFeature(FeatureId::kMaintenance4));
  VkPhysicalDeviceSynchronization2Features own = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
                                                  .synchronization2 = VK_TRUE};
  Read(VK_API_VERSION_1_2, {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &own});
  EXPECT_TRUE(device.HasFeature(FeatureId::kSynchronization2));
  EXPECT_TRUE(device.HasFeatureOrExtension("synchronization2"));
  Read(VK_API_VERSION_1_3, {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO});
  EXPECT_FALSE(device.HasFeature(FeatureId::kSynchronization2));
}

TEST_F(EnabledTest, FeaturesOfTheFirstStructure) {
  const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
  Read(VK_API_VERSION_1_0, {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pEnabledFeatures = &features});
  EXPECT_TRUE(device.HasFeature(FeatureId::kGeometryShader));
  EXPECT_FALSE(device.HasFeature(FeatureId::kWideLines));
}

TEST_F(EnabledTest, FeaturesOfTheVersion) {
  Read(VK_API_VERSION_1_2, {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO});
  EXPECT_FALSE(device.HasFeature(FeatureId::kTexelBufferAlignment));
  Read(VK_API_VERSION_1_3, {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO});
  EXPECT_TRUE(device.HasFeature(FeatureId::kTexelBufferAlignment));
  EXPECT_FALSE(device.HasFeature(FeatureId::kExtendedDynamicState2LogicOp));
}

TEST_F(EnabledTest, ExtensionsAndTheirFeatures) {
  const char* const names[] = {VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME};
  Read(VK_API_VERSION_1_1,
       {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .enabledExtensionCount = 1, .ppEnabledExtensionNames = names});
  EXPECT_TRUE(device.IsEnabled(ExtensionId::kKhrDrawIndirectCount));
  EXPECT_TRUE(device.HasFeatureOrExtension(VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME));
  EXPECT_TRUE(device.HasFeature(FeatureId::kDrawIndirectCount));
  EXPECT_FALSE(device.HasFeature(FeatureId::kSamplerMirrorClampToEdge));
  // Of Vulkan 1.1, and of Vulkan 1.2.
  EXPECT_FALSE(device.IsEnabled(ExtensionId::kKhrMaintenance1));
  EXPECT_TRUE(device.Includes(ExtensionId::kKhrMaintenance1));
  EXPECT_FALSE(device.Includes(ExtensionId::kKhrTimelineSemaphore));
  EXPECT_FALSE(device.Includes(ExtensionId::kExtMeshShader));
}

const vk::LimitInfo& LimitOf(std::string_view name) { return vk::Limits()[vk::FindLimit(name)]; }

TEST(PhysicalDeviceLimits, AreWhatTheSpecificationAllows) {
  PhysicalDevice device;
  // 0 is no limit, whether or not it is known what the specification requires.
  const vk::LimitInfo& most = LimitOf("VkPhysicalDeviceLimits::maxPushConstantsSize");
  EXPECT_EQ(most.required, 0u);
  for (auto [reported, is_allowed] : {std::pair(0u, false), {64u, true}, {256u, true}}) {
    device.properties.limits.maxPushConstantsSize = reported;
    EXPECT_EQ(device.Limit(most).has_value(), is_allowed) << reported;
    EXPECT_EQ(device.ReportedLimit(most), reported);
  }
  const vk::LimitInfo& least = LimitOf("VkPhysicalDeviceLimits::minTexelBufferOffsetAlignment");
  for (auto [reported, is_allowed] : {std::pair(0u, false), {1u, true}, {512u, true}}) {
    device.properties.limits.minTexelBufferOffsetAlignment = reported;
    EXPECT_EQ(device.Limit(least).has_value(), is_allowed) << reported;
  }
}

TEST(PhysicalDeviceLimits, AreWhatTheSpecificationRequires) {
  PhysicalDevice device;
  const vk::LimitInfo& most = LimitOf("VkPhysicalDeviceMaintenance4Properties::maxBufferSize");
  EXPECT_EQ(most.required, 1u << 30);
  auto& bytes = device.chained_properties[VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES];
  bytes = std::make_unique<std::byte[]>(sizeof(VkPhysicalDeviceMaintenance4Properties));
  auto& reported = *reinterpret_cast<VkPhysicalDeviceMaintenance4Properties*>(bytes.get());
  for (auto [size, is_allowed] : {std::pair(0u, false), {(1u << 30) - 1, false}, {1u << 30, true}, {1u << 31, true}}) {
    reported.maxBufferSize = size;
    EXPECT_EQ(device.Limit(most).has_value(), is_allowed) << size;
    EXPECT_EQ(device.ReportedLimit(most), size);
  }
}

TEST(PhysicalDeviceLimits, AreThereWithTheirStructureAlone) {
  const PhysicalDevice device;
  EXPECT_FALSE(device.ReportedLimit(LimitOf("VkPhysicalDeviceMaintenance4Properties::maxBufferSize")).has_value());
  EXPECT_EQ(device.Find<VkPhysicalDeviceMaintenance4Properties>(), nullptr);
}

}  // namespace
}  // namespace assay::dispatch
