// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layout transitions by the barriers of an event.

#include "syncval/commands/event_test.h"

namespace assay::syncval {
namespace {

class SyncEventTransition : public SyncEvent {
 protected:
  void SetUp() override {
    SyncEvent::SetUp();
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  }
  // The set and the wait of a dependency.
  void Set(VkCommandBuffer c, VkImageMemoryBarrier2 barrier) {
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdSetEvent2(c, event_, &info);
  }
  void Wait(VkCommandBuffer c, VkImageMemoryBarrier2 barrier) {
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdWaitEvents2(c, 1, &event_, &info);
  }
  VkImageMemoryBarrier2 ToSource(const Masks& masks) {
    return ImageBarrier(masks, image_, image_.Range(), VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  }
  void CopyOut(VkCommandBuffer c) {
    VkBufferImageCopy region = {.imageSubresource = image_.Layers(), .imageExtent = {8, 8, 1}};
    vk.CmdCopyImageToBuffer(c, image_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, b_, 1, &region);
  }
  static constexpr Masks kClearToCopy = {kClear, kWrite, kCopy, kRead};
  test::Image image_;
};
class NegativeSyncEventTransition : public SyncEventTransition {};
class PositiveSyncEventTransition : public SyncEventTransition {};

TEST_F(PositiveSyncEventTransition, AtTheWait) {
  VkCommandBuffer c = Begun();
  Clear(c, image_, image_.Range());
  Set(c, ToSource(kClearToCopy));
  Wait(c, ToSource(kClearToCopy));
  CopyOut(c);
}
TEST_F(NegativeSyncEventTransition, AfterTheSet) {
  VkCommandBuffer c = Begun();
  Set(c, ToSource(kClearToCopy));
  Clear(c, image_, image_.Range());
  Wait(c, ToSource(kClearToCopy));
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("pDependencyInfos[0]"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("To fix"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("Set VkEvent"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncEventTransition, LacksABit) {
  VkCommandBuffer c = Begun();
  Clear(c, image_, image_.Range());
  Set(c, ToSource({kClear, 0, kCopy, kRead}));
  Wait(c, ToSource({kClear, 0, kCopy, kRead}));
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("and the set of its event, set srcAccessMask |= VK_ACCESS_2_TRANSFER_WRITE_BIT"),
            std::string::npos)
      << message.text;
}
TEST_F(PositiveSyncEventTransition, Sync1) {
  VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                  .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                  .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .image = image_,
                                  .subresourceRange = image_.Range()};
  VkEvent events[] = {event_, MakeEvent()};
  VkCommandBuffer c = Begun();
  vk.CmdSetEvent(c, events[1], kTransfer);
  Clear(c, image_, image_.Range());
  vk.CmdSetEvent(c, events[0], kTransfer);
  // The layout changes once, for both events together.
  vk.CmdWaitEvents(c, 2, events, kTransfer, kTransfer, 0, nullptr, 0, nullptr, 1, &barrier);
  CopyOut(c);
}
// Nothing of the skipped wait is recorded.
TEST_F(NegativeSyncEventTransition, SkippedWait) {
  VkCommandBuffer c = Begun();
  Clear(c, image_, image_.Range());
  Set(c, ToSource({kClear, 0, kCopy, kRead}));
  messages.set_callback_result(VK_TRUE);
  Wait(c, ToSource({kClear, 0, kCopy, kRead}));
  ExpectMessage(kWriteAfterWrite);
  messages.set_callback_result(VK_FALSE);
  Barriers(c, {}, {}, {ToSource(kClearToCopy)});
  CopyOut(c);
}

}  // namespace
}  // namespace assay::syncval
