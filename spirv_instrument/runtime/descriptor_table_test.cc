// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/descriptor_table.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

// Finds a descriptor as a shader does: by the quads of set and binding.
absl::Span<const uint32_t> Find(const DescriptorTable& table, uint32_t binding, uint32_t index) {
  const absl::Span<const uint32_t> words = table.words();
  EXPECT_LT(binding, words[kBindingCountWord]);
  const absl::Span<const uint32_t> quad = words.subspan((1 + binding) * 4, 4);
  EXPECT_LT(index, quad[kDescriptorCountWord]);
  return words.subspan((quad[kFirstDescriptorWord] + index) * size_t{4}, 4);
}

TEST(DescriptorTable, HasAQuadForEachDescriptor) {
  const DescriptorTable table({3, 0, 2});
  // The set, three bindings, five descriptors.
  EXPECT_EQ(table.words().size(), 9 * 4u);
  EXPECT_EQ(table.words()[kBindingCountWord], 3u);
  EXPECT_EQ(table.OffsetOf(0, 0), 4 * 4u);
  EXPECT_EQ(table.OffsetOf(2, 1), 8 * 4u);
}

TEST(DescriptorTable, BeginsUnwritten) {
  const DescriptorTable table({1});
  EXPECT_EQ(Find(table, 0, 0)[kDescriptorStateWord], 0u);
  EXPECT_EQ(Find(table, 0, 0)[kDescriptorSizeWord], 0u);
}

TEST(DescriptorTable, HasWhatWasSet) {
  DescriptorTable table({1, 4});
  table.Set(1, 2, {.type = DescriptorType::kStorageBuffer, .is_written = true, .size = 1024});
  const absl::Span<const uint32_t> quad = Find(table, 1, 2);
  EXPECT_EQ(quad[kDescriptorStateWord], kDescriptorIsWritten | static_cast<uint32_t>(DescriptorType::kStorageBuffer)
                                                                   << kDescriptorTypeShift);
  EXPECT_EQ(quad[kDescriptorSizeWord], 1024u);
  EXPECT_EQ(Find(table, 1, 1)[kDescriptorStateWord], 0u);
}

TEST(DescriptorTable, ADestroyedOneHasNoBytes) {
  DescriptorTable table({1});
  table.Set(0, 0, {.type = DescriptorType::kUniformBuffer, .is_written = true, .is_destroyed = true, .size = 64});
  EXPECT_EQ(Find(table, 0, 0)[kDescriptorSizeWord], 0u);
  EXPECT_NE(Find(table, 0, 0)[kDescriptorStateWord] & kDescriptorIsDestroyed, 0u);
}

TEST(DescriptorTable, ANullOneHoldsEveryAccess) {
  DescriptorTable table({1});
  table.Set(0, 0, {.type = DescriptorType::kUniformBuffer, .is_written = true, .is_null = true});
  EXPECT_EQ(Find(table, 0, 0)[kDescriptorSizeWord], 0xffffffffu);
}

// An end that is too far away for a word is 0xffffffff, and may not be in any buffer.
TEST(DescriptorTable, NoBufferHoldsEveryAccess) {
  DescriptorTable table({1});
  table.Set(0, 0, {.type = DescriptorType::kStorageBuffer, .is_written = true, .size = uint64_t{1} << 40});
  EXPECT_EQ(Find(table, 0, 0)[kDescriptorSizeWord], 0xfffffffeu);
}

TEST(DescriptorTable, EncodesExtents) {
  uint32_t quad[4];
  EncodeDescriptor({.type = DescriptorType::kSampledImage,
                    .is_written = true,
                    .width = 640,
                    .height = 480,
                    .depth_or_layers = 6,
                    .levels = 10,
                    .samples = 4},
                   quad);
  EXPECT_EQ(quad[kDescriptorExtentWord], 640u | 480u << 16);
  EXPECT_EQ(quad[kDescriptorLevelsWord], 6u | 10u << kLevelsShift | 4u << kSamplesShift);
}

// No texel is inside of it, since it has no levels.
TEST(DescriptorTable, ADestroyedImageHasNoLevels) {
  uint32_t quad[4];
  EncodeDescriptor({.type = DescriptorType::kSampledImage,
                    .is_written = true,
                    .is_destroyed = true,
                    .width = 640,
                    .height = 480,
                    .depth_or_layers = 6,
                    .levels = 10,
                    .samples = 4},
                   quad);
  EXPECT_EQ(quad[kDescriptorExtentWord], 0u);
  EXPECT_EQ(quad[kDescriptorLevelsWord], 0u);
}

TEST(DescriptorTable, IgnoresWhatItDoesNotHave) {
  DescriptorTable table({1, 0});
  table.Set(0, 1, {.is_written = true});
  table.Set(1, 0, {.is_written = true});
  table.Set(7, 0, {.is_written = true});
  EXPECT_EQ(table.OffsetOf(0, 1), 0u);
  EXPECT_EQ(table.OffsetOf(7, 0), 0u);
  EXPECT_EQ(Find(table, 0, 0)[kDescriptorStateWord], 0u);
}

}  // namespace
}  // namespace assay::spirv_instrument
