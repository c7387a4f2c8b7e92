// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_entries.h"

#include <cstdint>
#include <map>
#include <random>
#include <tuple>

#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

constexpr VkImageLayout kA = VK_IMAGE_LAYOUT_GENERAL, kB = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;

LayoutBox Box(int level_begin, int level_end, int layer_begin, int layer_end,
              LayoutAspect aspect = LayoutAspect::kFirst) {
  return {aspect, static_cast<uint16_t>(level_begin), static_cast<uint16_t>(level_end),
          static_cast<uint32_t>(layer_begin), static_cast<uint32_t>(layer_end)};
}

// Applies an access; the layout that it met where another was expected, or kAnyLayout.
VkImageLayout Apply(LayoutEntries& entries, const LayoutBox& box, VkImageLayout expected, VkImageLayout left) {
  VkImageLayout met = kAnyLayout;
  entries.Access(box, {.expected = expected, .left = left},
                 [&](const LayoutMismatch& mismatch) { met = mismatch.actual; });
  return met;
}

TEST(LayoutEntries, UniformImageIsOneEntry) {
  LayoutEntries entries;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Apply(entries, Box(0, 4, 0, 2), kAnyLayout, i % 2 ? kA : kB), kAnyLayout);
  EXPECT_EQ(entries.entries().size(), 1u);
}
TEST(LayoutEntries, ReportsOncePerAccess) {
  LayoutEntries entries;
  Apply(entries, Box(0, 1, 0, 1), kAnyLayout, kA);
  Apply(entries, Box(1, 2, 0, 1), kAnyLayout, kA);
  int reports = 0;
  entries.Access(Box(0, 2, 0, 1), {.expected = kB, .left = kB}, [&](const LayoutMismatch&) { ++reports; });
  EXPECT_EQ(reports, 1);
}
TEST(LayoutEntries, FirstAccessStays) {
  LayoutEntries entries;
  Apply(entries, Box(0, 1, 0, 1), kA, kB);
  Apply(entries, Box(0, 1, 0, 1), kB, kA);
  ASSERT_EQ(entries.entries().size(), 1u);
  EXPECT_EQ(entries.entries()[0].first.expected, kA);
  EXPECT_EQ(entries.entries()[0].last, kA);
}
TEST(LayoutEntries, UnknownFitsEverything) {
  LayoutEntries entries;
  Apply(entries, Box(0, 1, 0, 1), kAnyLayout, kA);
  entries.SetUnknown(Box(0, 1, 0, 1));
  EXPECT_EQ(Apply(entries, Box(0, 1, 0, 1), kB, kB), kAnyLayout);
  EXPECT_EQ(Apply(entries, Box(0, 1, 0, 1), kA, kA), kB);
}
TEST(LayoutEntries, TooManyAreUnknown) {
  LayoutEntries entries;
  for (int i = 0; i <= static_cast<int>(LayoutEntries::kMaxEntries); ++i) {
    Apply(entries, Box(0, 1, i, i + 1), kAnyLayout, kA);
  }
  EXPECT_TRUE(entries.is_unknown());
  EXPECT_EQ(Apply(entries, Box(0, 1, 0, 1), kB, kB), kAnyLayout);
}

// Random boxes give the same as a map that has each subresource by itself.
TEST(LayoutEntries, AgreesWithSingleSubresources) {
  constexpr VkImageLayout kLayouts[] = {kA, kB, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 300; ++round) {
    LayoutEntries entries;
    std::map<std::tuple<LayoutAspect, int, int>, VkImageLayout> each;
    for (int step = 0; step < 20; ++step) {
      const int level = below(4), layer = below(5);
      const auto aspect = below(3) == 0 ? LayoutAspect::kStencil : LayoutAspect::kFirst;
      const LayoutBox box = Box(level, level + 1 + below(4 - level), layer, layer + 1 + below(5 - layer), aspect);
      const VkImageLayout expected = below(2) != 0 ? kAnyLayout : kLayouts[below(3)], left = kLayouts[below(3)];
      bool is_wrong = false;
      for (int i = box.level_begin; i < box.level_end; ++i) {
        for (int j = static_cast<int>(box.layer_begin); j < static_cast<int>(box.layer_end); ++j) {
          const auto [it, is_new] = each.try_emplace({aspect, i, j}, left);
          is_wrong |= !is_new && expected != kAnyLayout && it->second != expected;
          if (is_new || left != expected) it->second = left;
        }
      }
      EXPECT_EQ(Apply(entries, box, expected, left) != kAnyLayout, is_wrong);
    }
    size_t covered = 0;
    for (const LayoutEntry& entry : entries.entries()) {
      for (int i = entry.box.level_begin; i < entry.box.level_end; ++i) {
        for (uint32_t j = entry.box.layer_begin; j < entry.box.layer_end; ++j, ++covered) {
          EXPECT_EQ(entry.last, (each[{entry.box.aspect, i, static_cast<int>(j)}]));
        }
      }
    }
    EXPECT_EQ(covered, each.size());
  }
}

}  // namespace
}  // namespace assay::core
