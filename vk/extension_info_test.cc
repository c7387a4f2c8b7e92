// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/extension_info.h"

#include <cstddef>

#include "gtest/gtest.h"

namespace assay::vk {
namespace {

TEST(ExtensionInfo, FoundByName) {
  for (size_t i = 0; i < kExtensionCount; ++i) {
    const auto id = static_cast<ExtensionId>(i);
    EXPECT_EQ(FindExtension(GetExtensionInfo(id).name), id);
  }
  EXPECT_FALSE(FindExtension("VK_KHR_nothing"));
  EXPECT_EQ(FindExtension("VK_KHR_win32_surface"), ExtensionId::kKhrWin32Surface);
}

TEST(ExtensionInfo, Promotion) {
  const ExtensionInfo& info = GetExtensionInfo(ExtensionId::kKhrSynchronization2);
  EXPECT_EQ(info.name, "VK_KHR_synchronization2");
  EXPECT_FALSE(info.instance);
  EXPECT_EQ(info.depends, "VK_KHR_get_physical_device_properties2,VK_VERSION_1_1");
  EXPECT_EQ(info.promoted_to, "VK_VERSION_1_3");
  EXPECT_EQ(info.promoted_to_version, VK_API_VERSION_1_3);
  EXPECT_EQ(info.spec_version, static_cast<uint32_t>(VK_KHR_SYNCHRONIZATION_2_SPEC_VERSION));
  EXPECT_TRUE(GetExtensionInfo(ExtensionId::kKhrSurface).instance);
  EXPECT_TRUE(GetExtensionInfo(ExtensionId::kKhrPortabilitySubset).provisional);
  // VK_KHR_buffer_device_address, which core 1.2 includes, deprecates it and does not promote it.
  EXPECT_EQ(GetExtensionInfo(ExtensionId::kExtBufferDeviceAddress).promoted_to_version, 0u);
  EXPECT_EQ(GetExtensionInfo(ExtensionId::kExtDebugReport).promoted_to_version, 0u);
}

TEST(Features, ListedForEachStructure) {
  size_t found = 0;
  for (const FeatureInfo& feature : Features()) {
    if (feature.name != "synchronization2") continue;
    ++found;
    if (feature.struct_name == "VkPhysicalDeviceVulkan13Features") {
      EXPECT_EQ(feature.offset, offsetof(VkPhysicalDeviceVulkan13Features, synchronization2));
      EXPECT_EQ(feature.structure_type, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    } else {
      EXPECT_EQ(feature.struct_name, "VkPhysicalDeviceSynchronization2Features");
    }
  }
  EXPECT_EQ(found, 2u);
}

TEST(Features, OfVulkan10) {
  size_t found = 0;
  for (const FeatureInfo& feature : Features()) found += feature.struct_name == "VkPhysicalDeviceFeatures";
  EXPECT_EQ(found, sizeof(VkPhysicalDeviceFeatures) / sizeof(VkBool32));
}

}  // namespace
}  // namespace assay::vk
