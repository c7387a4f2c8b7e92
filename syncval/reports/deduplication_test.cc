// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which hazards are duplicates.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

class SyncDeduplication : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.settings.emplace_back("fold_messages", true);
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    for (Buffer* buffer : {&a_, &b_, &c_}) *buffer = MakeBuffer(64);
  }
  // Destroys the device and expects the summary of duplicates.
  void ExpectDuplicates(const std::string& what) {
    ExpectNothing();
    Destroy();
    const test::Message message = ExpectMessage("ASSAY-folded-messages");
    EXPECT_NE(message.text.find(what), std::string::npos) << message.text;
    EXPECT_EQ(message.text.find(';'), std::string::npos) << message.text;
  }
  void ExpectHazards(size_t count) {
    const std::vector<test::Message> all = messages.Take();
    EXPECT_EQ(all.size(), count);
    for (const test::Message& message : all) EXPECT_EQ(message.id.rfind("SYNC-HAZARD-", 0), 0u) << message.id;
  }
  void Label(VkCommandBuffer c, const char* name) {
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
    vk.CmdBeginDebugUtilsLabelEXT(c, &label);
  }

  Buffer a_, b_, c_;
};

TEST_F(SyncDeduplication, SameHazardInEveryFrame) {
  for (int frame = 0; frame < 5; ++frame) {
    VkCommandBuffer c = Begun();
    Copy(c, a_, b_);
    Copy(c, b_, c_);
    if (frame == 0) ExpectMessage(kReadAfterWrite);
  }
  ExpectDuplicates("4 of SYNC-HAZARD-READ-AFTER-WRITE at vkCmdCopyBuffer(): pRegions[0], VkBuffer 0x");
}

TEST_F(SyncDeduplication, TransitionInEveryFrame) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  for (int frame = 0; frame < 3; ++frame) {
    VkCommandBuffer c = Begun();
    Clear(c, image, image.Range());
    Barriers(c, {}, {},
             {ImageBarrier({}, image, image.Range(), VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)});
    if (frame == 0) ExpectMessage(kWriteAfterWrite);
  }
  ExpectDuplicates(
      "2 of SYNC-HAZARD-WRITE-AFTER-WRITE at vkCmdPipelineBarrier2(): pDependencyInfo.pImageMemoryBarriers[0]");
}

// A resource that is made for each frame is known by its name, or else not at all.
TEST_F(SyncDeduplication, ByResourceName) {
  for (int frame = 0; frame < 3; ++frame) {
    const Buffer transient = MakeBuffer(64), nameless = MakeBuffer(64);
    SetName(VK_OBJECT_TYPE_BUFFER, transient.handle, "transient");
    VkCommandBuffer c = Begun();
    for (VkBuffer buffer : {transient.handle, nameless.handle}) {
      Fill(c, buffer);
      Fill(c, buffer);
    }
    ExpectHazards(frame == 0 ? 2 : 1);
  }
  ExpectDuplicates("2 of SYNC-HAZARD-WRITE-AFTER-WRITE");
}

TEST_F(SyncDeduplication, DifferentHazardsAreNotDuplicates) {
  const auto record = [&](auto&& commands) {
    VkCommandBuffer c = Begun();
    commands(c);
    End(c);
    ExpectHazards(1);
  };
  record([&](VkCommandBuffer c) { Fill(c, a_), Fill(c, a_); });
  // Another resource.
  record([&](VkCommandBuffer c) { Fill(c, b_), Fill(c, b_); });
  // Another second, and another first access.
  record([&](VkCommandBuffer c) { Fill(c, a_), Copy(c, b_, a_); });
  record([&](VkCommandBuffer c) { Copy(c, b_, a_), Fill(c, a_); });
  record([&](VkCommandBuffer c) { Copy(c, a_, b_), Fill(c, a_); });
  // Other positions: of both, and of one.
  record([&](VkCommandBuffer c) { Fill(c, c_), Fill(c, a_), Fill(c, a_); });
  record([&](VkCommandBuffer c) { Fill(c, a_), Fill(c, c_), Fill(c, a_); });
  // Other labels, of which the beginnings and ends count as commands.
  record([&](VkCommandBuffer c) { Label(c, "one"), Fill(c, a_), Fill(c, a_); });
  record([&](VkCommandBuffer c) { Label(c, "two"), Fill(c, a_), Fill(c, a_); });
  // Other synchronization in between.
  record([&](VkCommandBuffer c) { Fill(c, a_), Barrier(c, {kClear, kWrite, kCompute, kStorageRead}), Fill(c, a_); });
  record([&](VkCommandBuffer c) { Fill(c, a_), Barrier(c, {kClear, kWrite, kCopy, kRead}), Fill(c, a_); });
  // Another region.
  const VkBufferCopy regions[] = {{0, 0, 16}, {16, 16, 16}};
  record([&](VkCommandBuffer c) { Fill(c, b_, 0, 16), vk.CmdCopyBuffer(c, a_, b_, 2, regions); });
  record([&](VkCommandBuffer c) { Fill(c, b_, 16, 16), vk.CmdCopyBuffer(c, a_, b_, 2, regions); });
}

TEST_F(SyncDeduplication, RangesOfARingBuffer) {
  const Buffer ring = MakeBuffer(256);
  for (VkDeviceSize offset = 0; offset < 256; offset += 64) {
    VkCommandBuffer c = Begun();
    Fill(c, ring, offset, 64);
    Copy(c, ring, b_, {offset, 0, 64});
    if (offset == 0) ExpectMessage(kReadAfterWrite);
  }
  ExpectDuplicates("3 of ");
}

TEST_F(SyncDeduplication, SameHazardInEverySubmission) {
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Copy(c, a_, b_); });
  for (int frame = 0; frame < 6; ++frame) {
    Submit(Queue(), {commands});
    if (frame == 1) ExpectMessage(kWriteAfterWrite);
  }
  ExpectDuplicates("4 of SYNC-HAZARD-WRITE-AFTER-WRITE at vkQueueSubmit2(): pSubmits[0]");
}

TEST_F(SyncDeduplication, SecondaryInEveryFrame) {
  VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .pInheritanceInfo = &inheritance};
  for (int frame = 0; frame < 3; ++frame) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vk.BeginCommandBuffer(secondary, &begin);
    Copy(secondary, a_, b_);
    End(secondary);
    VkCommandBuffer c = Begun();
    Fill(c, a_);
    vk.CmdExecuteCommands(c, 1, &secondary);
    if (frame == 0) ExpectMessage(kReadAfterWrite);
  }
  ExpectDuplicates("2 of SYNC-HAZARD-READ-AFTER-WRITE at vkCmdExecuteCommands(): pCommandBuffers[0]");
}

TEST_F(SyncDeduplication, CallbackResultAppliesToDuplicates) {
  size_t reached = 0;
  driver().Observe<vk::CmdFillBuffer>([&reached](const vk::CmdFillBuffer&) { ++reached; });
  messages.set_callback_result(VK_TRUE);
  for (int frame = 0; frame < 3; ++frame) {
    VkCommandBuffer c = Begun();
    Fill(c, a_);
    Fill(c, a_);
    EXPECT_EQ(reached, static_cast<size_t>(frame) + 1);
  }
  ExpectMessage(kWriteAfterWrite);
  messages.set_callback_result(VK_FALSE);
  ExpectDuplicates("2 of ");
}

}  // namespace
}  // namespace assay::syncval
