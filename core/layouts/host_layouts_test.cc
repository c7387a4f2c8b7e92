// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts that the host names for its own copies and transitions.

#include "core/layouts/layout_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr char kToImage[] = "VUID-VkCopyMemoryToImageInfo-dstImageLayout-09059";
constexpr char kFromImage[] = "VUID-VkCopyImageToMemoryInfo-srcImageLayout-09064";
constexpr char kSourceImage[] = "VUID-VkCopyImageToImageInfo-srcImageLayout-09070";
constexpr char kTargetImage[] = "VUID-VkCopyImageToImageInfo-dstImageLayout-09071";
constexpr char kOldLayout[] = "VUID-VkHostImageLayoutTransitionInfo-oldLayout-09229";
constexpr VkExtent3D kExtent = {8, 8, 1};

class HostLayout : public LayoutRulesTest {
 protected:
  void SetUp() override {
    LayoutRulesTest::SetUp();
    image = MakeHostImage();
  }
  test::Image MakeHostImage(VkFormat format = kFormat) {
    return MakeImage(format, 64, 64,
                     VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                         VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                     2, 2);
  }
  void CopyTo(VkImage to, VkImageLayout layout, const VkImageSubresourceLayers& layers) {
    const auto region = Of<VkMemoryToImageCopy>(bytes_, 0, 0, layers, VkOffset3D{}, kExtent);
    const auto info = Of<VkCopyMemoryToImageInfo>(0, to, layout, 1, &region);
    vk.CopyMemoryToImage(device, &info);
  }
  void CopyTo(VkImage to, VkImageLayout layout) { CopyTo(to, layout, image.Layers()); }
  void CopyFrom(VkImage from, VkImageLayout layout) {
    const auto region = Of<VkImageToMemoryCopy>(&bytes_[0], 0, 0, image.Layers(), VkOffset3D{}, kExtent);
    const auto info = Of<VkCopyImageToMemoryInfo>(0, from, layout, 1, &region);
    vk.CopyImageToMemory(device, &info);
  }
  void Copy(VkImage from, VkImageLayout from_layout, VkImage to, VkImageLayout to_layout) {
    const auto region = Of<VkImageCopy2>(image.Layers(), VkOffset3D{}, image.Layers(), VkOffset3D{}, kExtent);
    const auto info = Of<VkCopyImageToImageInfo>(0, from, from_layout, to, to_layout, 1, &region);
    vk.CopyImageToImage(device, &info);
  }
  static VkHostImageLayoutTransitionInfo TransitionOf(const test::Image& of, VkImageLayout from, VkImageLayout to) {
    return {VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO, nullptr, of, from, to, of.Range()};
  }
  void HostTransition(VkHostImageLayoutTransitionInfo info) { vk.TransitionImageLayout(device, 1, &info); }

 private:
  char bytes_[1024] = {};
};
class NegativeHostLayout : public HostLayout {};
class PositiveHostLayout : public HostLayout {};

TEST_F(NegativeHostLayout, Copies) {
  const test::Image other = MakeHostImage();
  Run(Transition(image, kUndefined, kSource));
  HostTransition(TransitionOf(other, kUndefined, kGeneral));
  CopyTo(other, kGeneral);
  CopyFrom(image, kSource);
  Copy(image, kSource, other, kGeneral);
  ExpectNothing();
  CopyTo(other, kSource);
  ExpectMessage(kToImage);
  CopyFrom(image, kGeneral);
  EXPECT_THAT(ExpectMessage(kFromImage).text,
              HasSubstr("vkCopyImageToMemory(): pCopyImageToMemoryInfo.srcImageLayout (VK_IMAGE_LAYOUT_GENERAL) is not "
                        "the layout of mip level 0, array layer 0 of VkImage"));
  Copy(image, kGeneral, other, kGeneral);
  ExpectMessage(kSourceImage);
  Copy(image, kSource, other, kSource);
  ExpectMessage(kTargetImage);
}
TEST_F(NegativeHostLayout, ImageThatWasNeverUsed) {
  CopyTo(image, kGeneral);
  ExpectMessage(kToImage);
}
TEST_F(NegativeHostLayout, OneLevel) {
  VkHostImageLayoutTransitionInfo info = TransitionOf(image, kUndefined, kGeneral);
  info.subresourceRange.levelCount = 1;
  HostTransition(info);
  CopyTo(image, kGeneral);
  ExpectNothing();
  CopyTo(image, kGeneral, image.Layers(1));
  ExpectMessage(kToImage);
}
TEST_F(NegativeHostLayout, Transition) {
  HostTransition(TransitionOf(image, kSource, kGeneral));
  ExpectMessage(kOldLayout);
  HostTransition(TransitionOf(image, kGeneral, kSource));
  HostTransition(TransitionOf(image, kSource, kSource));
  HostTransition(TransitionOf(image, kUndefined, kGeneral));
  ExpectNothing();
  Run(Transition(image, kGeneral, kTarget));
  HostTransition(TransitionOf(image, kGeneral, kSource));
  ExpectMessage(kOldLayout);
}
TEST_F(NegativeHostLayout, TransitionsOfOneCall) {
  const VkHostImageLayoutTransitionInfo infos[] = {TransitionOf(image, kUndefined, kGeneral),
                                                   TransitionOf(image, kGeneral, kSource),
                                                   TransitionOf(image, kTarget, kGeneral)};
  vk.TransitionImageLayout(device, 2, infos);
  ExpectNothing();
  vk.TransitionImageLayout(device, 3, infos);
  ExpectMessage(kOldLayout);
}
TEST_F(NegativeHostLayout, AfterTheWait) {
  HostTransition(TransitionOf(image, kUndefined, kGeneral));
  VkFence fence = MakeFence();
  Submit(Queue(), {Transition(image, kGeneral, kTarget)}, {.fence = fence});
  CopyTo(image, kGeneral);
  ExpectNothing();
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  CopyTo(image, kGeneral);
  ExpectMessage(kToImage);
}

// Whether a pending batch has changed the layout yet is not known.
TEST_F(PositiveHostLayout, PendingBatch) {
  HostTransition(TransitionOf(image, kUndefined, kGeneral));
  Submit(Queue(), {Transition(image, kGeneral, kTarget)});
  CopyTo(image, kGeneral);
  CopyTo(image, kTarget);
  HostTransition(TransitionOf(image, kSource, kTarget));
}
// A batch that is not ready has changed nothing.
TEST_F(PositiveHostLayout, BeforeASignalOfTheHost) {
  HostTransition(TransitionOf(image, kUndefined, kGeneral));
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {Transition(image, kGeneral, kTarget)}, {.waits = {At(timeline, 1)}});
  CopyTo(image, kGeneral);
  HostSignal(timeline, 1);
  vk.QueueWaitIdle(Queue());
  CopyTo(image, kTarget);
}
TEST_F(PositiveHostLayout, OtherImagesArePending) {
  const test::Image other = MakeHostImage();
  Submit(Queue(), {Transition(other, kUndefined, kTarget)});
  HostTransition(TransitionOf(image, kUndefined, kGeneral));
  CopyTo(image, kGeneral);
  ExpectNothing();
  vk.QueueWaitIdle(Queue());
}
TEST_F(PositiveHostLayout, OneAspect) {
  const test::Image depth = MakeHostImage(VK_FORMAT_D32_SFLOAT_S8_UINT);
  VkHostImageLayoutTransitionInfo info =
      TransitionOf(depth, kUndefined, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL);
  HostTransition(info);
  info = TransitionOf(depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, kGeneral);
  info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  HostTransition(info);
  CopyTo(depth, kGeneral, {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1});
  CopyTo(depth, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1});
}
// Another image may change the layouts unseen.
TEST_F(PositiveHostLayout, SharedMemory) {
  VkImage images[] = {MakeUnboundImage(image.info), MakeUnboundImage(image.info)};
  const VkDeviceMemory memory = MakeMemory(RequirementsOf(images[0]));
  for (VkImage one : images) EXPECT_EQ(vk.BindImageMemory(device, one, memory, 0), VK_SUCCESS);
  CopyTo(images[0], kGeneral);
}

}  // namespace
}  // namespace assay::core
