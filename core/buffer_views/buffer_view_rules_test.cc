// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/buffer_views/buffer_view_rules.h"

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
constexpr VkBufferUsageFlags kUniform = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
constexpr char kStorageRule[] = "VUID-VkBufferViewCreateInfo-buffer-02750";
constexpr char kUniformRule[] = "VUID-VkBufferViewCreateInfo-buffer-02751";

// Storage texel buffers are aligned to 64 bytes or, for single texels, to their size; uniform ones to 32 bytes.
class BufferViews : public test::ValidationTest {
 protected:
  void SetUp() override {
    driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
      if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES) return;
      auto& limits = *reinterpret_cast<VkPhysicalDeviceTexelBufferAlignmentProperties*>(properties);
      limits.storageTexelBufferOffsetAlignmentBytes = 64;
      limits.storageTexelBufferOffsetSingleTexelAlignment = VK_TRUE;
      limits.uniformTexelBufferOffsetAlignmentBytes = 32;
      limits.uniformTexelBufferOffsetSingleTexelAlignment = VK_FALSE;
    };
    ValidationTest::SetUp();
  }

  void MakeTexelView(VkBuffer buffer, VkFormat format, VkDeviceSize offset) {
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = buffer,
                                         .format = format,
                                         .offset = offset,
                                         .range = 192};
    VkBufferView view = VK_NULL_HANDLE;
    ASSERT_EQ(vk.CreateBufferView(device, &info, nullptr, &view), VK_SUCCESS);
    vk.DestroyBufferView(device, view, nullptr);
  }
  void MakeTexelView(VkBufferUsageFlags usage, VkFormat format, VkDeviceSize offset) {
    MakeTexelView(MakeBuffer(1024, usage), format, offset);
  }
};
class NegativeBufferViews : public BufferViews {};
class PositiveBufferViews : public BufferViews {};

TEST_F(NegativeBufferViews, StorageTexelBuffer) {
  MakeTexelView(kStorage, VK_FORMAT_R32G32B32A32_SFLOAT, 8);
  ExpectMessage(kStorageRule);
  MakeTexelView(kStorage, VK_FORMAT_R32_UINT, 6);
  ExpectMessage(kStorageRule);
}
TEST_F(PositiveBufferViews, StorageTexelBuffer) {
  MakeTexelView(kStorage, VK_FORMAT_R32G32B32A32_SFLOAT, 16);
  MakeTexelView(kStorage, VK_FORMAT_R32_UINT, 4);
  MakeTexelView(kStorage, VK_FORMAT_R8_UINT, 3);
}

// Twelve bytes a texel, of which each component has four.
TEST_F(NegativeBufferViews, ThreeComponents) {
  MakeTexelView(kStorage, VK_FORMAT_R32G32B32_SFLOAT, 2);
  ExpectMessage(kStorageRule);
}
TEST_F(PositiveBufferViews, ThreeComponents) { MakeTexelView(kStorage, VK_FORMAT_R32G32B32_SFLOAT, 4); }

TEST_F(NegativeBufferViews, UniformTexelBuffer) {
  MakeTexelView(kUniform, VK_FORMAT_R32_UINT, 16);
  ExpectMessage(kUniformRule);
}
TEST_F(PositiveBufferViews, UniformTexelBuffer) {
  MakeTexelView(kUniform, VK_FORMAT_R32_UINT, 32);
  MakeTexelView(kUniform, VK_FORMAT_R32_UINT, 0);
}

TEST_F(NegativeBufferViews, BothUsages) {
  MakeTexelView(kStorage | kUniform, VK_FORMAT_R32_UINT, 2);
  ExpectMessages({kStorageRule, kUniformRule});
}

// The usages of VkBufferUsageFlags2CreateInfo replace those of VkBufferCreateInfo.
TEST_F(PositiveBufferViews, OtherUsageInTheChain) {
  const VkBufferUsageFlags2CreateInfo usage = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
                                               .usage = VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT};
  MakeTexelView(
      MakeBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &usage, .size = 1024, .usage = kUniform})
          .handle,
      VK_FORMAT_R32_UINT, 4);
}

}  // namespace
}  // namespace assay::core
