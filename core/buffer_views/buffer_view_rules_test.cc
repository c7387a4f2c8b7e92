// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/buffer_views/buffer_view_rules.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
constexpr VkBufferUsageFlags kUniform = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;

// Storage texel buffers are aligned to 64 bytes or, for single texels, to their size; uniform ones to 32 bytes.
class BufferViews : public test::ValidationTest {
 protected:
  void SetUp() override {
    ChangeProperties<VkPhysicalDeviceTexelBufferAlignmentProperties>([](auto& limits) {
      limits.storageTexelBufferOffsetAlignmentBytes = 64;
      limits.storageTexelBufferOffsetSingleTexelAlignment = VK_TRUE;
      limits.uniformTexelBufferOffsetAlignmentBytes = 32;
      limits.uniformTexelBufferOffsetSingleTexelAlignment = VK_FALSE;
    });
    ValidationTest::SetUp();
  }

  void MakeTexelView(VkBuffer buffer, VkFormat format, VkDeviceSize offset) {
    MakeFrom(VkBufferViewCreateInfo{.buffer = buffer, .format = format, .offset = offset, .range = 192},
             vk.CreateBufferView, vk.DestroyBufferView);
  }
};

TEST_F(BufferViews, AlignOffsets) {
  constexpr char kStorageRule[] = "VUID-VkBufferViewCreateInfo-buffer-02750";
  constexpr char kUniformRule[] = "VUID-VkBufferViewCreateInfo-buffer-02751";
  struct Row {
    VkBufferUsageFlags usage;
    VkFormat format;
    VkDeviceSize offset;
    std::vector<std::string> rules = {};
  };
  const Row rows[] = {
      {kStorage, VK_FORMAT_R32G32B32A32_SFLOAT, 8, {kStorageRule}},
      {kStorage, VK_FORMAT_R32G32B32A32_SFLOAT, 16},
      {kStorage, VK_FORMAT_R32_UINT, 6, {kStorageRule}},
      {kStorage, VK_FORMAT_R32_UINT, 4},
      {kStorage, VK_FORMAT_R8_UINT, 3},
      // Twelve bytes a texel, of which each component has four.
      {kStorage, VK_FORMAT_R32G32B32_SFLOAT, 2, {kStorageRule}},
      {kStorage, VK_FORMAT_R32G32B32_SFLOAT, 4},
      {kUniform, VK_FORMAT_R32_UINT, 16, {kUniformRule}},
      {kUniform, VK_FORMAT_R32_UINT, 32},
      {kUniform, VK_FORMAT_R32_UINT, 0},
      {kStorage | kUniform, VK_FORMAT_R32_UINT, 2, {kStorageRule, kUniformRule}},
  };
  for (const auto& [usage, format, offset, rules] : rows) {
    SCOPED_TRACE(::testing::Message() << "usage " << usage << ", format " << format << ", offset " << offset);
    MakeTexelView(MakeBuffer(1024, usage), format, offset);
    ExpectMessages(rules);
  }
}

// The usages of VkBufferUsageFlags2CreateInfo replace those of VkBufferCreateInfo.
TEST_F(BufferViews, OtherUsageInTheChain) {
  const auto usage = test::Of<VkBufferUsageFlags2CreateInfo>(VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT);
  const test::Buffer buffer = MakeBuffer(VkBufferCreateInfo{.pNext = &usage, .size = 1024, .usage = kUniform});
  MakeTexelView(buffer, VK_FORMAT_R32_UINT, 4);
}

}  // namespace
}  // namespace assay::core
