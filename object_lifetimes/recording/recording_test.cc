// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/recording/recording.h"

#include "gtest/gtest.h"
#include "object_lifetimes/test_cases/test_objects.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::Slot;

class RecordingTest : public ::testing::Test {
 protected:
  const Slot& SlotOf(VkObjectType type) { return *objects_.SlotOf(type, false); }
  const Slot& buffer() { return SlotOf(VK_OBJECT_TYPE_BUFFER); }
  const Slot& image() { return SlotOf(VK_OBJECT_TYPE_IMAGE); }

  TestObjects objects_;
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
  const Slot& secondary = SlotOf(VK_OBJECT_TYPE_COMMAND_BUFFER);
  recording_.Note(secondary, vk::CommandId::kCmdPreprocessGeneratedCommandsEXT);
  EXPECT_EQ(recording_.Find(IdOf(secondary)), nullptr);
  recording_.Note(secondary, vk::CommandId::kCmdExecuteCommands);
  EXPECT_NE(recording_.Find(IdOf(secondary)), nullptr);
}

TEST_F(RecordingTest, IsRenewedOnlyWhileSomebodyElseHoldsIt) {
  CommandBufferData data;
  data.Begin(1);
  data.open()->Note(buffer(), vk::CommandId::kCmdCopyBuffer);
  data.End();
  EXPECT_EQ(data.open(), nullptr);
  const RecordingRef pending = data.recording();
  data.Begin(1);
  EXPECT_NE(pending->Find(IdOf(buffer())), nullptr);
  EXPECT_EQ(data.recording()->Find(IdOf(buffer())), nullptr);
  const Recording* own = data.open();
  data.Begin(1);
  EXPECT_EQ(data.open(), own);
}

}  // namespace
}  // namespace assay::object_lifetimes
