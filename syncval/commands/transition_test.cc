// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layout transitions are accesses; image barriers cover subresources.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED;
constexpr VkImageLayout kSource = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
constexpr VkImageAspectFlags kColorAspect = VK_IMAGE_ASPECT_COLOR_BIT;

class SyncTransition : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, 0, 2, 2);
  }
  void Write(VkCommandBuffer c, VkImageSubresourceRange range) { Clear(c, image_, range); }
  void Write(VkCommandBuffer c) { Write(c, image_.Range()); }
  void Read(VkCommandBuffer c, uint32_t level = 0, uint32_t layer = 0) {
    VkBufferImageCopy region = {.imageSubresource = {kColorAspect, level, layer, 1}, .imageExtent = {8, 8, 1}};
    vk.CmdCopyImageToBuffer(c, image_, kSource, MakeBuffer(256), 1, &region);
  }
  void Change(VkCommandBuffer c, const Masks& masks, VkImageLayout from = kGeneral, VkImageLayout to = kSource) {
    Change(c, masks, image_.Range(), from, to);
  }
  void Change(VkCommandBuffer c, const Masks& masks, VkImageSubresourceRange range, VkImageLayout from = kGeneral,
              VkImageLayout to = kSource) {
    Barriers(c, {}, {}, {ImageBarrier(masks, image_, range, from, to)});
  }
  // With a global barrier too, in one sync1 call.
  void Change1(VkCommandBuffer c, VkAccessFlags global_src, VkAccessFlags src, VkAccessFlags global_dst,
               VkAccessFlags dst) {
    VkMemoryBarrier global = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, global_src, global_dst};
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .srcAccessMask = src,
                                    .dstAccessMask = dst,
                                    .oldLayout = kGeneral,
                                    .newLayout = kSource,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = image_,
                                    .subresourceRange = image_.Range()};
    vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &global, 0, nullptr,
                          1, &barrier);
  }

  static constexpr Masks kWriteToRead = {kClear, kWrite, kCopy, kRead};
  Image image_;
};
class NegativeSyncTransition : public SyncTransition {};
class PositiveSyncTransition : public SyncTransition {};

TEST_F(PositiveSyncTransition, BetweenWriteAndRead) {
  VkCommandBuffer c = Begun();
  Change(c, {0, 0, kClear, kWrite}, kUndefined, kGeneral);
  Write(c);
  Change(c, kWriteToRead);
  Read(c);
  Read(c, 1, 1);
}
TEST_F(NegativeSyncTransition, LacksABit) {
  for (const Masks& masks : WithoutEachBit(kWriteToRead)) {
    SCOPED_TRACE(ToString(masks));
    VkCommandBuffer c = Begun();
    Write(c);
    Change(c, masks);
    const bool after = masks.src_stages == 0 || masks.src_access == 0;
    if (after) {
      const test::Message message = ExpectMessage(kWriteAfterWrite);
      const Masks more = ParseFix(message.text);
      EXPECT_EQ(more.src_stages | masks.src_stages, kWriteToRead.src_stages);
      EXPECT_EQ(more.src_access | masks.src_access, kWriteToRead.src_access);
    }
    Read(c);
    if (!after) {
      const test::Message message = ExpectMessage(kReadAfterWrite);
      EXPECT_NE(ParseFix(message.text).dst_access | ParseFix(message.text).dst_stages, 0u);
    }
    ExpectNothing();
  }
}
// Without a second scope the transition is before nothing: the fix is in its barrier.
TEST_F(NegativeSyncTransition, FixOfReadAfterTransition) {
  VkCommandBuffer c = Begun();
  Write(c);
  Change(c, {kClear, kWrite, 0, 0});
  Read(c);
  const Masks more = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(more.dst_stages, kCopy);
  EXPECT_EQ(more.dst_access, kRead);
  VkCommandBuffer again = Begun();
  Write(again);
  Change(again, {kClear, kWrite, more.dst_stages, more.dst_access});
  Read(again);
}
TEST_F(NegativeSyncTransition, AfterRead) {
  VkCommandBuffer c = Begun();
  Read(c);
  Change(c, {kClear, 0, kCopy, kRead});
  const Masks more = ParseFix(ExpectMessage(kWriteAfterRead).text);
  EXPECT_EQ(more.src_stages, kCopy);
  EXPECT_EQ(more.src_access, 0u);
}
TEST_F(PositiveSyncTransition, AfterRead) {
  VkCommandBuffer c = Begun();
  Read(c);
  Change(c, {kCopy, 0, kCopy, kRead});
}
TEST_F(NegativeSyncTransition, SecondWriteAfterTransition) {
  VkCommandBuffer c = Begun();
  Change(c, {0, 0, kCopy, kWrite}, kUndefined, kGeneral);
  Write(c);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncTransition, AfterTransition) {
  VkCommandBuffer c = Begun();
  Change(c, {0, 0, kClear, kWrite}, kUndefined, kGeneral);
  Change(c, {kClear, 0, kCopy, kRead});
  Read(c);
}

TEST_F(PositiveSyncTransition, OfOtherSubresource) {
  VkCommandBuffer c = Begun();
  Write(c, {kColorAspect, 0, 1, 0, 1});
  Change(c, {0, 0, kCopy, kRead}, {kColorAspect, 1, 1, 0, 2});
  Change(c, {0, 0, kCopy, kRead}, {kColorAspect, 0, 1, 1, 1});
  Read(c, 1, 0);
  Read(c, 0, 1);
}
TEST_F(NegativeSyncTransition, OfSameSubresource) {
  VkCommandBuffer c = Begun();
  Write(c, {kColorAspect, 1, 1, 1, 1});
  Change(c, {0, 0, kCopy, kRead}, {kColorAspect, 0, VK_REMAINING_MIP_LEVELS, 1, VK_REMAINING_ARRAY_LAYERS});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncTransition, BarrierOfOtherSubresource) {
  VkCommandBuffer c = Begun();
  Write(c);
  Barriers(c, {}, {}, {ImageBarrier(kWriteToRead, image_, {kColorAspect, 0, 1, 0, 2})});
  Read(c, 0, 1);
  ExpectNothing();
  Read(c, 1, 1);
  ExpectMessage(kReadAfterWrite);
}

// A global barrier beside the image barrier is part of the same dependency in sync1, and another dependency in
// synchronization2.
TEST_F(PositiveSyncTransition, GlobalBarrierCoversIt) {
  constexpr VkAccessFlags kW = VK_ACCESS_TRANSFER_WRITE_BIT, kR = VK_ACCESS_TRANSFER_READ_BIT;
  VkCommandBuffer c = Begun();
  Write(c);
  Change1(c, kW, 0, kR, 0);
  Read(c);
  Barrier(c, {kCopy, 0, kClear, kWrite});
  Write(c);
  Change1(c, kW, 0, 0, kR);
  Read(c);
}
TEST_F(NegativeSyncTransition, GlobalBarrierDoesNotCoverIt) {
  VkCommandBuffer c = Begun();
  Write(c);
  Barriers(c, {MemoryBarrier({kClear, kWrite, kCopy, kRead})}, {},
           {ImageBarrier({0, 0, kCopy, kRead}, image_, image_.Range(), kGeneral, kSource)});
  ExpectMessage(kWriteAfterWrite);
}

// The transition of a queue family ownership transfer happens between release and acquire. It waits for accesses on the
// releasing queue.
TEST_F(PositiveSyncTransition, QueueFamilyAcquire) {
  VkCommandBuffer c = Begun(1);
  VkImageMemoryBarrier2 barrier = ImageBarrier({0, 0, kCopy, kRead}, image_, image_.Range(), kGeneral, kSource);
  barrier.srcQueueFamilyIndex = 0;
  barrier.dstQueueFamilyIndex = 1;
  Barriers(c, {}, {}, {barrier});
  Read(c);
}
TEST_F(NegativeSyncTransition, QueueFamilyRelease) {
  VkCommandBuffer c = Begun();
  Write(c);
  VkImageMemoryBarrier2 barrier = ImageBarrier({kCopy, kWrite, 0, 0}, image_, image_.Range(), kGeneral, kSource);
  barrier.srcQueueFamilyIndex = 0;
  barrier.dstQueueFamilyIndex = 1;
  Barriers(c, {}, {}, {barrier});
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncTransition, SkippedIsNotRecorded) {
  VkCommandBuffer c = Begun();
  Write(c);
  messages.set_callback_result(VK_TRUE);
  Change(c, {0, 0, kCopy, kRead});
  ExpectMessage(kWriteAfterWrite);
  messages.set_callback_result(VK_FALSE);
  Change(c, kWriteToRead);
  Read(c);
}

}  // namespace
}  // namespace assay::syncval
