// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/recording.h"

#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

class RecordingTest : public ::testing::Test {
 protected:
  RecordingTest() {
    uint32_t index = 0;
    for (VkObjectType type : {VK_OBJECT_TYPE_BUFFER, VK_OBJECT_TYPE_IMAGE, VK_OBJECT_TYPE_COMMAND_BUFFER}) {
      Slot& slot = slots_[index];
      slot.type = type;
      slot.index = index++;
      slot.application_handle = index;
    }
  }
  const Slot& buffer() const { return slots_[0]; }
  const Slot& image() const { return slots_[1]; }
  const Slot& command_buffer() const { return slots_[2]; }

  // Not in the table of handles.
  Slot slots_[3];
  Recording recording_;
};

TEST_F(RecordingTest, KeepsTheFirstCommand) {
  recording_.Note(buffer(), vk::CommandId::kCmdCopyBuffer);
  recording_.Note(buffer(), vk::CommandId::kCmdFillBuffer);
  ASSERT_NE(recording_.Find(IdOf(buffer())), nullptr);
  EXPECT_EQ(recording_.Find(IdOf(buffer()))->command, vk::CommandId::kCmdCopyBuffer);
  EXPECT_EQ(recording_.Find(IdOf(image())), nullptr);
}

TEST_F(RecordingTest, RollsBackToTheMark) {
  recording_.Note(buffer(), vk::CommandId::kCmdCopyBuffer);
  recording_.Mark();
  recording_.Note(buffer(), vk::CommandId::kCmdCopyBuffer);
  recording_.Note(image(), vk::CommandId::kCmdCopyImage);
  recording_.RollBack();
  EXPECT_NE(recording_.Find(IdOf(buffer())), nullptr);
  EXPECT_EQ(recording_.Find(IdOf(image())), nullptr);
  recording_.Note(image(), vk::CommandId::kCmdCopyImage);
  EXPECT_NE(recording_.Find(IdOf(image())), nullptr);
}

TEST_F(RecordingTest, DistinguishesObjectsOfOneSlot) {
  recording_.Note(buffer(), vk::CommandId::kCmdCopyBuffer);
  ObjectId later = IdOf(buffer());
  later.handle += uint64_t{1} << 32;
  EXPECT_EQ(recording_.Find(later), nullptr);
}

TEST_F(RecordingTest, SlotsOfManyPages) {
  Slot far;
  far.type = VK_OBJECT_TYPE_BUFFER;
  far.index = 1'000'000;
  far.application_handle = 7;
  recording_.Note(far, vk::CommandId::kCmdCopyBuffer);
  recording_.Note(buffer(), vk::CommandId::kCmdCopyBuffer);
  EXPECT_NE(recording_.Find(IdOf(far)), nullptr);
  EXPECT_NE(recording_.Find(IdOf(buffer())), nullptr);
  recording_.Clear();
  EXPECT_EQ(recording_.Find(IdOf(far)), nullptr);
  EXPECT_EQ(recording_.Find(IdOf(buffer())), nullptr);
}

// A command buffer that vkCmdPreprocessGeneratedCommandsEXT takes state from is not executed.
TEST_F(RecordingTest, OnlyExecutedCommandBuffersAreUsed) {
  const Slot& secondary = command_buffer();
  recording_.Note(secondary, vk::CommandId::kCmdPreprocessGeneratedCommandsEXT);
  EXPECT_EQ(recording_.Find(IdOf(secondary)), nullptr);
  recording_.Note(secondary, vk::CommandId::kCmdExecuteCommands);
  EXPECT_NE(recording_.Find(IdOf(secondary)), nullptr);
}

TEST_F(RecordingTest, IsRenewedOnlyWhileSomebodyElseHoldsIt) {
  CommandBufferData data;
  data.Begin();
  data.open()->Note(buffer(), vk::CommandId::kCmdCopyBuffer);
  data.End();
  EXPECT_EQ(data.open(), nullptr);
  const RecordingRef pending = data.recording();
  data.Begin();
  EXPECT_NE(pending->Find(IdOf(buffer())), nullptr);
  EXPECT_EQ(data.recording()->Find(IdOf(buffer())), nullptr);
  const Recording* own = data.open();
  data.Begin();
  EXPECT_EQ(data.open(), own);
}

}  // namespace
}  // namespace assay::dispatch
