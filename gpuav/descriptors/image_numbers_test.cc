// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/image_numbers.h"

#include <atomic>
#include <cstdint>
#include <optional>

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageLayout kRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr VkDescriptorType kSampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;

class ImageNumbersTest : public test::ValidationTest {
 protected:
  VkImageView MakeImageView() { return MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4)); }

  std::atomic<uint64_t> submissions_{7};
  ImageNumbers numbers_{submissions_};
};

TEST_F(ImageNumbersTest, EqualDescriptorsShareANumber) {
  const VkImageView first = MakeImageView();
  const VkImageView second = MakeImageView();
  EXPECT_EQ(numbers_.NumberOf(first, kRead, kSampled), 1u);
  EXPECT_EQ(numbers_.NumberOf(second, kRead, kSampled), 2u);
  EXPECT_EQ(numbers_.NumberOf(first, kGeneral, kSampled), 3u);
  EXPECT_EQ(numbers_.NumberOf(first, kGeneral, kStorage), 4u);
  EXPECT_EQ(numbers_.NumberOf(first, kRead, kSampled), 1u);
  EXPECT_EQ(numbers_.largest(), 4u);
  const std::optional<NumberedImage> found = numbers_.Find(4);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->view->handle(), reinterpret_cast<uint64_t>(first));
  EXPECT_EQ(found->layout, kGeneral);
  EXPECT_EQ(found->type, kStorage);
}

TEST_F(ImageNumbersTest, NothingHasOtherNumbers) {
  EXPECT_FALSE(numbers_.Find(0).has_value());
  EXPECT_FALSE(numbers_.Find(1).has_value());
  EXPECT_FALSE(numbers_.Find(~0u).has_value());
  EXPECT_EQ(numbers_.NumberOf(VK_NULL_HANDLE, kRead, kSampled), 0u);
}

TEST_F(ImageNumbersTest, NumbersOfDestroyedViewsStayUntilNothingCanHaveNotedThem) {
  const VkImageView first = MakeImageView();
  EXPECT_EQ(numbers_.NumberOf(first, kRead, kSampled), 1u);
  EXPECT_EQ(numbers_.NumberOf(first, kGeneral, kSampled), 2u);
  EXPECT_FALSE(numbers_.has_destroyed());
  numbers_.NoteDestroyed(first);
  EXPECT_TRUE(numbers_.has_destroyed());
  numbers_.ForgetUpTo(6);
  EXPECT_TRUE(numbers_.Find(1).has_value());
  EXPECT_EQ(numbers_.NumberOf(MakeImageView(), kRead, kSampled), 3u);
  numbers_.ForgetUpTo(7);
  EXPECT_FALSE(numbers_.has_destroyed());
  EXPECT_FALSE(numbers_.Find(1).has_value());
  EXPECT_FALSE(numbers_.Find(2).has_value());
  // They are given again.
  const uint32_t again = numbers_.NumberOf(MakeImageView(), kRead, kSampled);
  const uint32_t also = numbers_.NumberOf(MakeImageView(), kRead, kSampled);
  EXPECT_EQ(again + also, 3u);
  EXPECT_EQ(numbers_.largest(), 3u);
}

TEST_F(ImageNumbersTest, ThereAreSoManyAndNoMore) {
  const VkImageView view = MakeImageView();
  for (uint32_t i = 1; i <= ImageNumbers::kMost; ++i) {
    ASSERT_EQ(numbers_.NumberOf(view, static_cast<VkImageLayout>(i), kSampled), i);
    // Looking through all that one view has takes time that grows with them.
    if (i % 64 == 0) numbers_.NoteDestroyed(view);
  }
  EXPECT_EQ(numbers_.NumberOf(view, kRead, kStorage), 0u);
  numbers_.ForgetUpTo(7);
  EXPECT_NE(numbers_.NumberOf(view, kRead, kStorage), 0u);
}

}  // namespace
}  // namespace assay::gpuav
