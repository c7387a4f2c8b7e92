// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/enum_info.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/extension_id.h"

namespace assay::vk {
namespace {

TEST(Names, EveryValueComesBackAsItsName) {
  for (size_t i = 0; i < kEnumCount; ++i) {
    const auto id = static_cast<EnumId>(i);
    const EnumInfo& info = GetEnumInfo(id);
    EXPECT_EQ(FindEnumInfo(info.name), &info);
    for (const EnumValue& value : info.values) {
      EXPECT_EQ(EnumName(id, value.value), value.name);
      EXPECT_TRUE(value.name.starts_with("VK_"));
    }
    for (size_t v = 1; v < info.values.size(); ++v)
      EXPECT_LT(info.values[v - 1].value, info.values[v].value) << info.name;
  }
}

TEST(Names, ToString) {
  EXPECT_EQ(ToString(VK_FORMAT_R8G8B8A8_UNORM), "VK_FORMAT_R8G8B8A8_UNORM");
  EXPECT_EQ(ToString(static_cast<VkFormat>(123456)), "Unhandled VkFormat");
  EXPECT_EQ(ToString(VK_ERROR_DEVICE_LOST), "VK_ERROR_DEVICE_LOST");
  EXPECT_EQ(ToString(VK_ERROR_OUT_OF_DATE_KHR), "VK_ERROR_OUT_OF_DATE_KHR");
  EXPECT_EQ(ToString(VK_SAMPLE_COUNT_4_BIT), "VK_SAMPLE_COUNT_4_BIT");
  EXPECT_EQ(ToString(VK_SHADER_STAGE_ALL), "VK_SHADER_STAGE_ALL");
}

TEST(Names, AliasesGiveThePreferredName) {
  EXPECT_EQ(ToString(VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL_KHR), "VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL");
  EXPECT_EQ(EnumName(EnumId::kPipelineStageFlagBits2, VK_PIPELINE_STAGE_2_TRANSFER_BIT),
            "VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT");
}

TEST(Names, Bitmasks) {
  const EnumInfo& access = GetEnumInfo(EnumId::kAccessFlagBits2);
  EXPECT_TRUE(access.is_bitmask);
  EXPECT_EQ(access.flags_name, "VkAccessFlags2");
  EXPECT_EQ(access.bit_width, 64);
  EXPECT_FALSE(GetEnumInfo(EnumId::kFormat).is_bitmask);
}

TEST(Names, FlagsToString) {
  constexpr EnumId kAccess = EnumId::kAccessFlagBits2;
  EXPECT_EQ(FlagsToString(kAccess, VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_HOST_READ_BIT),
            "VK_ACCESS_2_TRANSFER_READ_BIT|VK_ACCESS_2_HOST_READ_BIT");
  EXPECT_EQ(FlagsToString(kAccess, 0), "VK_ACCESS_2_NONE");
  EXPECT_EQ(FlagsToString(EnumId::kBufferUsageFlagBits, 0), "0");
  EXPECT_EQ(FlagsToString(kAccess, VK_ACCESS_2_HOST_READ_BIT | (1ull << 63)),
            "VK_ACCESS_2_HOST_READ_BIT|0x8000000000000000");
  EXPECT_EQ(FlagsToString(EnumId::kShaderStageFlagBits, VK_SHADER_STAGE_ALL_GRAPHICS), "VK_SHADER_STAGE_ALL_GRAPHICS");
  EXPECT_EQ(FlagsToString(EnumId::kShaderStageFlagBits, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT),
            "VK_SHADER_STAGE_VERTEX_BIT|VK_SHADER_STAGE_FRAGMENT_BIT");
}

const EnumValue& Value(EnumId id, int64_t value) {
  for (const EnumValue& v : GetEnumInfo(id).values) {
    if (v.value == value) return v;
  }
  ADD_FAILURE();
  return GetEnumInfo(id).values[0];
}

TEST(Names, ProvidersOfAValue) {
  EXPECT_EQ(Value(EnumId::kFormat, VK_FORMAT_R8_UNORM).core_version, VK_API_VERSION_1_0);
  EXPECT_TRUE(Value(EnumId::kFormat, VK_FORMAT_R8_UNORM).extensions.empty());
  const EnumValue& multi_planar = Value(EnumId::kFormat, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
  EXPECT_EQ(multi_planar.core_version, VK_API_VERSION_1_1);
  EXPECT_THAT(multi_planar.extensions,
              testing::ElementsAre(static_cast<uint16_t>(ExtensionId::kKhrSamplerYcbcrConversion)));
  EXPECT_EQ(Value(EnumId::kPresentModeKHR, VK_PRESENT_MODE_FIFO_KHR).core_version, 0u);
  EXPECT_THAT(Value(EnumId::kPresentModeKHR, VK_PRESENT_MODE_FIFO_KHR).extensions,
              testing::Contains(static_cast<uint16_t>(ExtensionId::kKhrSurface)));
}

}  // namespace
}  // namespace assay::vk
