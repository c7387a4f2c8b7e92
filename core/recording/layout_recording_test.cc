// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_recording.h"

#include <cstdint>
#include <vector>

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

TEST(LayoutRecording, UndoesACommand) {
  LayoutRecording recording;
  const LayoutBox whole = {.level_end = 2, .layer_end = 1};
  const LayoutBox level = {.level_end = 1, .layer_end = 1};
  const auto change = [&](uint64_t image, const LayoutBox& box, VkImageLayout layout) {
    recording.Change(image, image * 256).Access(box, {.left = layout}, [](const LayoutMismatch&) {});
  };
  recording.BeginCommand();
  change(1, whole, VK_IMAGE_LAYOUT_GENERAL);
  // Splits the entry of the first image, and adds images with the same and with another head.
  recording.BeginCommand();
  change(1, level, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  change(1, level, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  for (uint64_t image = 2; image <= 200; ++image) change(image, whole, VK_IMAGE_LAYOUT_GENERAL);
  recording.UndoCommand();
  ASSERT_EQ(recording.images().size(), 1u);
  ASSERT_EQ(recording.At(1, 256).entries().size(), 1u);
  EXPECT_EQ(recording.At(1, 256).entries()[0].box, whole);
  EXPECT_EQ(recording.At(1, 256).entries()[0].last, VK_IMAGE_LAYOUT_GENERAL);
  // Images are found, and added, as before.
  recording.BeginCommand();
  for (uint64_t image = 1; image <= 200; ++image) change(image, whole, VK_IMAGE_LAYOUT_GENERAL);
  EXPECT_EQ(recording.images().size(), 200u);
  for (uint64_t image = 1; image <= 200; ++image) EXPECT_EQ(recording.At(image, image * 256).entries().size(), 1u);
}

std::vector<uint32_t> PositionsOf(const LayoutRecording& recording) {
  std::vector<uint32_t> positions;
  for (const LayoutChange& change : recording.changes()) positions.push_back(change.position);
  return positions;
}

TEST(LayoutRecording, EndsInstances) {
  LayoutRecording recording(true);
  const auto note = [&recording](uint32_t position) { recording.NoteChange({.position = position}); };
  note(1);
  note(LayoutChange::kAtEnd);
  note(3);
  note(LayoutChange::kAtEnd);
  recording.EndInstance(5);
  EXPECT_EQ(PositionsOf(recording), (std::vector<uint32_t>{1, 5, 3, 5}));
  recording.EndInstance(6);
  // An instance whose first command is taken back, and one in its place.
  recording.BeginCommand();
  note(LayoutChange::kAtEnd);
  recording.UndoCommand();
  recording.BeginCommand();
  note(7);
  recording.EndInstance(8);
  note(LayoutChange::kAtEnd);
  // A command within it that is taken back.
  recording.BeginCommand();
  note(9);
  recording.UndoCommand();
  recording.EndInstance(10);
  EXPECT_EQ(PositionsOf(recording), (std::vector<uint32_t>{1, 5, 3, 5, 7, 10}));
  note(LayoutChange::kAtEnd);
  recording.Clear();
  note(11);
  note(LayoutChange::kAtEnd);
  recording.EndInstance(12);
  EXPECT_EQ(PositionsOf(recording), (std::vector<uint32_t>{11, 12}));
}

}  // namespace
}  // namespace assay::core
