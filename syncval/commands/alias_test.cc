// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Images and buffers in the same memory.

#include <utility>

#include "syncval/fixture/alias_sync_test.h"

namespace assay::syncval {
namespace {

class NegativeSyncAlias : public SyncAlias {};
class PositiveSyncAlias : public SyncAlias {};

// One transient target after another, with a barrier that does not name the first.
TEST_F(NegativeSyncAlias, TransitionOfTheNextImage) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, a, a.Range());
  ExpectNothing();
  Discard(c, kNothingToClear, b);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_EQ(message.objects.size(), 3u);
  EXPECT_NE(message.text.find("in the same memory"), std::string::npos) << message.text;
  const Masks fix = ParseFix(message.text);
  EXPECT_EQ(fix.src_stages, kClear);
  EXPECT_EQ(fix.src_access, kWrite);
  Clear(c, b, b.Range());
}
TEST_F(PositiveSyncAlias, TransitionOfTheNextImage) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, a, a.Range());
  Discard(c, kClearToClear, b);
  Clear(c, b, b.Range());
  Discard(c, kClearToClear, a);
  Clear(c, a, a.Range());
}
TEST_F(PositiveSyncAlias, MemoryBarrierBetweenImages) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, a, a.Range());
  Barrier(c, kClearToClear);
  Clear(c, b, b.Range());
}

// A read of one image conflicts with the next image too.
TEST_F(NegativeSyncAlias, ReadOfThePreviousImage) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  const test::Buffer buffer = MakeBuffer(kBytes);
  const VkBufferImageCopy region = {.imageSubresource = a.Layers(), .imageExtent = {kSide, kSide, 1}};
  VkCommandBuffer c = Begun();
  vk.CmdCopyImageToBuffer(c, a, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &region);
  Discard(c, kClearToClear, b);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncAlias, ReadOfThePreviousImage) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  const test::Buffer buffer = MakeBuffer(kBytes);
  const VkBufferImageCopy region = {.imageSubresource = a.Layers(), .imageExtent = {kSide, kSide, 1}};
  VkCommandBuffer c = Begun();
  vk.CmdCopyImageToBuffer(c, a, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &region);
  Discard(c, {kCopy, 0, kClear, kWrite}, b);
  Clear(c, b, b.Range());
}

// The place of a mip level is unknown, but levels do not overlap each other.
TEST_F(PositiveSyncAlias, LevelsOfOneImage) {
  const test::Image a = Bound(Info(0, 3)), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, b, b.Range());
  Discard(c, kClearToClear, a);
  for (uint32_t level = 0; level < 3; ++level) Clear(c, a, Level(level));
  Barriers(c, {}, {},
           {ImageBarrier({kClear, kWrite, kCopy, kRead}, a, Level(0), VK_IMAGE_LAYOUT_GENERAL,
                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)});
  Barriers(c, {}, {}, {ImageBarrier({kClear, kWrite, kCompute, kStorageRead}, a, Level(1))});
}
TEST_F(NegativeSyncAlias, OneLevel) {
  const test::Image a = Bound(Info(0, 3)), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, a, Level(2));
  Clear(c, b, b.Range());
  ExpectMessage(kWriteAfterWrite);
}

// With VK_IMAGE_CREATE_ALIAS_BIT and equal create infos they are one image with two handles.
TEST_F(NegativeSyncAlias, EqualImages) {
  const test::Image a = Bound(Info(VK_IMAGE_CREATE_ALIAS_BIT, 2)), b = Bound(Info(VK_IMAGE_CREATE_ALIAS_BIT, 2));
  VkCommandBuffer c = Begun();
  Clear(c, a, Level(1));
  Clear(c, b, Level(1));
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("mip level 1"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncAlias, EqualImages) {
  const test::Image a = Bound(Info(VK_IMAGE_CREATE_ALIAS_BIT, 2)), b = Bound(Info(VK_IMAGE_CREATE_ALIAS_BIT, 2));
  const test::Buffer buffer = MakeBuffer(kBytes);
  const VkBufferImageCopy region = {.imageSubresource = a.Layers(1), .imageExtent = {kSide / 2, kSide / 2, 1}};
  VkCommandBuffer c = Begun();
  Clear(c, a, Level(0));
  vk.CmdCopyImageToBuffer(c, a, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &region);
  vk.CmdCopyImageToBuffer(c, b, VK_IMAGE_LAYOUT_GENERAL, MakeBuffer(kBytes), 1, &region);
  Barrier(c, {kCopy, 0, kClear, kWrite});
  Clear(c, b, Level(1));
}

TEST_F(PositiveSyncAlias, NeighboursInMemory) {
  const test::Image a = Bound(Info()), b = Bound(Info(), kBytes);
  VkCommandBuffer c = Begun();
  Clear(c, a, a.Range());
  Clear(c, b, b.Range());
}

TEST_F(NegativeSyncAlias, BufferAfterImage) {
  const test::Image image = Bound(Info());
  VkBuffer buffer = BoundBuffer(kBytes / 2, kBytes);
  VkCommandBuffer c = Begun();
  Clear(c, image, image.Range());
  Fill(c, buffer, kBytes / 2);
  ExpectNothing();
  Fill(c, buffer, 0, 64);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncAlias, ImageAfterBuffer) {
  const test::Image image = Bound(Info());
  VkBuffer buffer = BoundBuffer(kBytes / 2, kBytes);
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  Clear(c, image, image.Range());
  ExpectMessage(kWriteAfterWrite);
}
// A barrier for one image covers the other.
TEST_F(PositiveSyncAlias, BufferAndImage) {
  const test::Image image = Bound(Info());
  VkBuffer buffer = BoundBuffer(0, kBytes);
  VkCommandBuffer c = Begun();
  Clear(c, image, image.Range());
  BufferBarrier(c, kClearToClear, buffer);
  Fill(c, buffer);
  Discard(c, kClearToClear, image);
  Clear(c, image, image.Range());
}

// The application knows the place of each texel of a linear image.
TEST_F(NegativeSyncAlias, LinearImage) {
  const test::Image image = Bound(Info(0, 1, VK_IMAGE_TILING_LINEAR));
  VkBuffer buffer = BoundBuffer(0, kBytes);
  VkCommandBuffer c = Begun();
  Clear(c, image, image.Range());
  Fill(c, buffer, 0, 64);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncAlias, PartOfALinearImage) {
  const test::Image image = Bound(Info(0, 1, VK_IMAGE_TILING_LINEAR));
  VkBuffer buffer = BoundBuffer(0, kBytes);
  const VkBufferImageCopy region = {.imageSubresource = image.Layers(), .imageExtent = {kSide, 1, 1}};
  VkCommandBuffer c = Begun();
  vk.CmdCopyBufferToImage(c, MakeBuffer(kBytes), image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  Fill(c, buffer, kBytes / 2);
}

// As attachments of dynamic rendering, with the application's own transitions.
TEST_F(NegativeSyncAlias, Attachments) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  RenderTriangle(c, {MakeView(a), VK_ATTACHMENT_LOAD_OP_CLEAR});
  Discard(c, {kColorOutput, 0, kColorOutput, kColorRead | kColorWrite}, b);
  ExpectMessage(kWriteAfterWrite);
  RenderTriangle(c, {MakeView(b), VK_ATTACHMENT_LOAD_OP_CLEAR});
}
TEST_F(PositiveSyncAlias, Attachments) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkImageView views[] = {MakeView(a), MakeView(b)};
  VkCommandBuffer c = Begun();
  for (int i = 0; i < 3; ++i) {
    for (const auto& [image, view] : {std::pair(a, views[0]), std::pair(b, views[1])}) {
      Discard(c, {kColorOutput, kColorWrite, kColorOutput, kColorRead | kColorWrite}, image);
      RenderTriangle(c, {view, VK_ATTACHMENT_LOAD_OP_CLEAR});
    }
  }
}

// One command buffer accesses one image, the next the other.
TEST_F(NegativeSyncAlias, BetweenSubmissions) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer first = Begun(), second = Begun();
  Clear(first, a, a.Range());
  End(first);
  Discard(second, kNothingToClear, b);
  Clear(second, b, b.Range());
  End(second);
  Submit(Queue(), {first});
  ExpectNothing();
  Submit(Queue(), {second});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncAlias, BetweenSubmissions) {
  const test::Image a = Bound(Info(0, 2)), b = Bound(Info());
  VkCommandBuffer first = Begun(), second = Begun();
  Discard(first, kClearToClear, a);
  Clear(first, a, Level(0));
  Clear(first, a, Level(1));
  Discard(first, kClearToClear, b);
  Clear(first, b, b.Range());
  End(first);
  Discard(second, kClearToClear, a);
  Clear(second, a, Level(0));
  Clear(second, a, Level(1));
  End(second);
  for (int i = 0; i < 3; ++i) Submit(Queue(), {first, second, first});
}
// Accesses of two command buffers to different levels are not compared.
TEST_F(PositiveSyncAlias, LevelsBetweenSubmissions) {
  const test::Image a = Bound(Info(0, 2));
  Bound(Info());
  VkCommandBuffer first = Begun(), second = Begun();
  Clear(first, a, Level(0));
  End(first);
  Clear(second, a, Level(1));
  End(second);
  Submit(Queue(), {first, second});
}

// Several barriers in one command, for levels and for both images.
TEST_F(PositiveSyncAlias, BarriersSideBySide) {
  const test::Image a = Bound(Info(0, 2)), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, b, b.Range());
  Barriers(c, {}, {},
           {ImageBarrier(kClearToClear, a, Level(0), VK_IMAGE_LAYOUT_UNDEFINED),
            ImageBarrier(kClearToClear, a, Level(1), VK_IMAGE_LAYOUT_UNDEFINED),
            ImageBarrier({kClear, kWrite, 0, 0}, b, b.Range(), VK_IMAGE_LAYOUT_GENERAL,
                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)});
  Clear(c, a, Level(0));
  Clear(c, a, Level(1));
}

}  // namespace
}  // namespace assay::syncval
