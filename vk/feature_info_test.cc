// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/feature_info.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "gtest/gtest.h"
#include "vk/extension_info.h"

namespace assay::vk {
namespace {

TEST(FeatureId, OfAllStructuresThatShareAFeature) {
  size_t found = 0;
  for (const FeatureInfo& feature : Features()) {
    EXPECT_EQ(FeatureName(feature.id), feature.name) << feature.struct_name;
    found += feature.id == FeatureId::kSynchronization2;
  }
  EXPECT_EQ(found, 2u);
  EXPECT_EQ(FindFeature("synchronization2"), FeatureId::kSynchronization2);
  EXPECT_FALSE(FindFeature("nothing").has_value());
}

// An extension's own feature is another one, though a core version has one of that name.
TEST(FeatureId, OfSeveralAuthors) {
  const auto id_in = [](std::string_view structure, std::string_view name) {
    const auto is_it = [&](const FeatureInfo& f) { return f.struct_name == structure && f.name == name; };
    return std::ranges::find_if(Features(), is_it)->id;
  };
  EXPECT_EQ(id_in("VkPhysicalDeviceVulkan12Features", "bufferDeviceAddress"), FeatureId::kBufferDeviceAddress);
  EXPECT_EQ(id_in("VkPhysicalDeviceBufferDeviceAddressFeatures", "bufferDeviceAddress"),
            FeatureId::kBufferDeviceAddress);
  EXPECT_EQ(id_in("VkPhysicalDeviceBufferDeviceAddressFeaturesEXT", "bufferDeviceAddress"),
            FeatureId::kBufferDeviceAddressEXT);
  EXPECT_EQ(id_in("VkPhysicalDeviceMeshShaderFeaturesEXT", "meshShader"), FeatureId::kMeshShader);
  EXPECT_EQ(id_in("VkPhysicalDeviceMeshShaderFeaturesNV", "meshShader"), FeatureId::kMeshShaderNV);
  EXPECT_EQ(FindFeature("meshShader"), FeatureId::kMeshShader);
}

bool IsImplicit(FeatureId feature, uint32_t version, std::optional<ExtensionId> extension) {
  return std::ranges::any_of(ImplicitFeatures(), [&](const ImplicitFeature& each) {
    return each.feature == feature && each.version == version && each.extension == extension;
  });
}

TEST(ImplicitFeatures, OfVersions) {
  EXPECT_TRUE(IsImplicit(FeatureId::kTexelBufferAlignment, VK_API_VERSION_1_3, std::nullopt));
  EXPECT_TRUE(IsImplicit(FeatureId::kExtendedDynamicState, VK_API_VERSION_1_3, std::nullopt));
  EXPECT_TRUE(IsImplicit(FeatureId::kExtendedDynamicState2, VK_API_VERSION_1_3, std::nullopt));
  // What Vulkan 1.3 does not include of that extension, and a feature that it includes with its structure.
  const auto is_one = [](FeatureId feature) {
    return std::ranges::find(ImplicitFeatures(), feature, &ImplicitFeature::feature) != ImplicitFeatures().end();
  };
  EXPECT_FALSE(is_one(FeatureId::kExtendedDynamicState2LogicOp));
  EXPECT_FALSE(is_one(FeatureId::kExtendedDynamicState2PatchControlPoints));
  EXPECT_FALSE(is_one(FeatureId::kSynchronization2));
}

TEST(ImplicitFeatures, OfExtensionsThatAreOlder) {
  EXPECT_TRUE(IsImplicit(FeatureId::kDrawIndirectCount, 0, ExtensionId::kKhrDrawIndirectCount));
  EXPECT_TRUE(IsImplicit(FeatureId::kDrawIndirectCount, 0, ExtensionId::kAmdDrawIndirectCount));
  EXPECT_TRUE(IsImplicit(FeatureId::kPushDescriptor, 0, ExtensionId::kKhrPushDescriptor));
  EXPECT_TRUE(IsImplicit(FeatureId::kShaderOutputLayer, 0, ExtensionId::kExtShaderViewportIndexLayer));
}

}  // namespace
}  // namespace assay::vk
