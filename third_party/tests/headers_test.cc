// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The Vulkan headers are the pinned ones, and every platform that the layer knows compiles.

#define VK_USE_PLATFORM_WAYLAND_KHR
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#define VK_USE_PLATFORM_XLIB_XRANDR_EXT
#define VK_ENABLE_BETA_EXTENSIONS
#include <vulkan/vk_icd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace {

TEST(HeadersTest, AreOfThePinnedVersion) { EXPECT_EQ(VK_HEADER_VERSION_COMPLETE, VK_MAKE_API_VERSION(0, 1, 4, 309)); }

TEST(HeadersTest, DeclareThePlatformsCommands) {
  EXPECT_NE(sizeof(PFN_vkCreateXcbSurfaceKHR), 0u);
  EXPECT_NE(sizeof(PFN_vkCreateXlibSurfaceKHR), 0u);
  EXPECT_NE(sizeof(PFN_vkCreateWaylandSurfaceKHR), 0u);
  EXPECT_NE(sizeof(PFN_vkAcquireXlibDisplayEXT), 0u);
}

TEST(AbseilTest, LinksAndRuns) {
  absl::flat_hash_map<int, std::string> names = {{1, absl::StrCat("queue ", 1)}};
  EXPECT_THAT(names, testing::ElementsAre(testing::Pair(1, "queue 1")));
}

}  // namespace
