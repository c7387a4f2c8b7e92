// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_recording.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

// Applies an access to the first level and layer.
void Access(LayoutEntries& entries) {
  const LayoutBox box = {.level_end = 1, .layer_end = 1};
  entries.Access(box, {.left = VK_IMAGE_LAYOUT_GENERAL}, [](const LayoutMismatch&) {});
}

TEST(LayoutRecording, FindsImagesAgain) {
  LayoutRecording recording;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 1; i <= 200; ++i) Access(recording.At(i, i * 256));
    for (uint64_t i = 1; i <= 200; ++i) EXPECT_EQ(recording.At(i, i * 256).entries().size(), 1u);
    EXPECT_EQ(recording.images().size(), 200u);
    recording.Clear();
    EXPECT_TRUE(recording.is_empty());
  }
}

}  // namespace
}  // namespace assay::core
