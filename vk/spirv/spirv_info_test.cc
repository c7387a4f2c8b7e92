// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/spirv/spirv_info.h"

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::vk {
namespace {

TEST(SpirvInfo, Capabilities) {
  const SpirvRequirement* geometry = FindSpirvCapability(static_cast<uint32_t>(spv::Capability::Geometry));
  ASSERT_NE(geometry, nullptr);
  ASSERT_EQ(geometry->alternatives.size(), 1u);
  EXPECT_EQ(geometry->alternatives[0].feature, FeatureId::kGeometryShader);
  const SpirvRequirement* vote = FindSpirvCapability(static_cast<uint32_t>(spv::Capability::GroupNonUniformVote));
  ASSERT_NE(vote, nullptr);
  EXPECT_EQ(vote->alternatives[0].value, static_cast<uint64_t>(VK_SUBGROUP_FEATURE_VOTE_BIT));
  EXPECT_EQ(vote->alternatives[0].offset, offsetof(VkPhysicalDeviceVulkan11Properties, subgroupSupportedOperations));
  EXPECT_EQ(FindSpirvCapability(static_cast<uint32_t>(spv::Capability::Kernel)), nullptr);
}

TEST(SpirvInfo, Extensions) {
  const SpirvRequirement* pointers = FindSpirvExtension("SPV_KHR_variable_pointers");
  ASSERT_NE(pointers, nullptr);
  EXPECT_EQ(pointers->alternatives[0].version, VK_API_VERSION_1_1);
  EXPECT_EQ(pointers->alternatives[1].extension, ExtensionId::kKhrVariablePointers);
  EXPECT_EQ(FindSpirvExtension("SPV_NONE_none"), nullptr);
}

}  // namespace
}  // namespace assay::vk
