// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Images in the same memory that something else than a barrier of the same command buffer must order.

#include <vector>

#include "syncval/fixture/alias_sync_test.h"

namespace assay::syncval {
namespace {

// The first transition of a render pass object discards the contents of an attachment.
class SyncAliasInPass : public SyncAlias {
 protected:
  VkRenderPass MakePass(const Masks& masks) {
    VkAttachmentDescription attachment = {.format = kColorFormat,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                          .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                          .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
    VkSubpassDependency dependency = {.srcSubpass = VK_SUBPASS_EXTERNAL,
                                      .dstSubpass = 0,
                                      .srcStageMask = static_cast<VkPipelineStageFlags>(masks.src_stages),
                                      .dstStageMask = static_cast<VkPipelineStageFlags>(masks.dst_stages),
                                      .srcAccessMask = static_cast<VkAccessFlags>(masks.src_access),
                                      .dstAccessMask = static_cast<VkAccessFlags>(masks.dst_access)};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &attachment,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass,
                                   .dependencyCount = 1,
                                   .pDependencies = &dependency};
    VkRenderPass render_pass = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRenderPass(device, &info, nullptr, &render_pass), VK_SUCCESS);
    Defer(render_pass, [=, this] { vk.DestroyRenderPass(device, render_pass, nullptr); });
    return render_pass;
  }
  // One image after another, in one pass each.
  void Render(VkCommandBuffer c, VkRenderPass render_pass, std::vector<test::Image> images) {
    for (const test::Image& image : images) {
      VkClearValue clear = {};
      VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    .renderPass = render_pass,
                                    .framebuffer = MakeFramebuffer(render_pass, {MakeView(image)}, kSide, kSide),
                                    .renderArea = {{0, 0}, {kSide, kSide}},
                                    .clearValueCount = 1,
                                    .pClearValues = &clear};
      vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
      BindPipeline(c, plain_);
      vk.CmdDraw(c, 3, 1, 0, 0);
      vk.CmdEndRenderPass(c);
    }
  }
  static constexpr Masks kColorToColor = {kColorOutput, kColorWrite, kColorOutput, kColorRead | kColorWrite};
};
class NegativeSyncAliasInPass : public SyncAliasInPass {};
class PositiveSyncAliasInPass : public SyncAliasInPass {};

TEST_F(NegativeSyncAliasInPass, Transition) {
  VkRenderPass render_pass = MakePass({kColorOutput, 0, kColorOutput, kColorRead | kColorWrite});
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Render(c, render_pass, {a, b});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("in the same memory"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("set srcAccessMask |= VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT."), std::string::npos)
      << message.text;
}
TEST_F(PositiveSyncAliasInPass, Transition) {
  VkRenderPass render_pass = MakePass(kColorToColor);
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Render(c, render_pass, {a, b, a, b, b});
  End(c);
  for (int i = 0; i < 2; ++i) Submit(Queue(), {c});
}

class SyncAliasElsewhere : public SyncAlias {
 protected:
  // Changes the layout of an image once the event is set.
  void WaitToDiscard(VkCommandBuffer c, VkEvent event, const Masks& masks, const test::Image& image) {
    const VkImageMemoryBarrier2 barrier = ImageBarrier(masks, image, image.Range(), VK_IMAGE_LAYOUT_UNDEFINED);
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdSetEvent2(c, event, &info);
    vk.CmdWaitEvents2(c, 1, &event, &info);
  }
  VkCommandBuffer MakeClear(const test::Image& image, const VkImageSubresourceRange& range) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .pInheritanceInfo = &inheritance};
    vk.BeginCommandBuffer(secondary, &info);
    Clear(secondary, image, range);
    vk.EndCommandBuffer(secondary);
    return secondary;
  }
};
class NegativeSyncAliasElsewhere : public SyncAliasElsewhere {};
class PositiveSyncAliasElsewhere : public SyncAliasElsewhere {};

TEST_F(NegativeSyncAliasElsewhere, Event) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, a, a.Range());
  WaitToDiscard(c, MakeEvent(), {kCopy, kWrite, kClear, kWrite}, b);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncAliasElsewhere, Event) {
  const test::Image a = Bound(Info()), b = Bound(Info());
  VkCommandBuffer c = Begun();
  Clear(c, a, a.Range());
  WaitToDiscard(c, MakeEvent(), kClearToClear, b);
  Clear(c, b, b.Range());
}
TEST_F(NegativeSyncAliasElsewhere, Secondary) {
  const test::Image a = Bound(Info(0, 2)), b = Bound(Info());
  VkCommandBuffer secondary = MakeClear(b, b.Range());
  VkCommandBuffer c = Begun();
  Clear(c, a, Level(1));
  vk.CmdExecuteCommands(c, 1, &secondary);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncAliasElsewhere, Secondary) {
  const test::Image a = Bound(Info(0, 2)), b = Bound(Info());
  VkCommandBuffer levels[] = {MakeClear(a, Level(0)), MakeClear(a, Level(1))};
  VkCommandBuffer next = MakeClear(b, b.Range());
  VkCommandBuffer c = Begun();
  vk.CmdExecuteCommands(c, 2, levels);
  Barrier(c, kClearToClear);
  vk.CmdExecuteCommands(c, 1, &next);
}

class SyncAliasOfHost : public SyncAlias {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncAlias::Options();
    options.device_extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME};
    return options;
  }
  void HostWrite(const test::Image& image, uint32_t level) {
    VkMemoryToImageCopy region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
                                  .pHostPointer = bytes_,
                                  .imageSubresource = image.Layers(level),
                                  .imageExtent = {4, 4, 1}};
    VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                    .dstImage = image,
                                    .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                    .regionCount = 1,
                                    .pRegions = &region};
    vk.CopyMemoryToImage(device, &info);
  }
  uint8_t bytes_[64] = {};
};
class NegativeSyncAliasOfHost : public SyncAliasOfHost {};
class PositiveSyncAliasOfHost : public SyncAliasOfHost {};

TEST_F(NegativeSyncAliasOfHost, OtherImage) {
  const test::Image a = Bound(Info()), b = Bound(Info(0, 2));
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Clear(c, a, a.Range()); })});
  HostWrite(b, 1);
  ExpectMessage("SYNC-HAZARD-WRITE-RACING-WRITE");
}
TEST_F(PositiveSyncAliasOfHost, OtherLevelOrAfterwards) {
  const test::Image a = Bound(Info()), b = Bound(Info(0, 2));
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Clear(c, b, Level(0)); })});
  HostWrite(b, 1);
  vk.QueueWaitIdle(Queue());
  HostWrite(a, 0);
}

// Other images may be bound to the memory of a swapchain's images.
class SyncAliasOfSwapchain : public SyncAlias {
 protected:
  void SetUp() override {
    SyncAlias::SetUp();
    VkSurfaceKHR surface = MakeSurface();
    swapchain_ = MakeSwapchain(surface);
    images_ = SwapchainImages(swapchain_);
    // The same as MakeSwapchain's.
    VkSurfaceCapabilitiesKHR capabilities = {};
    vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, surface, &capabilities);
    info_ = Info();
    info_.format = VK_FORMAT_B8G8R8A8_UNORM;
    info_.extent = {capabilities.currentExtent.width, capabilities.currentExtent.height, 1};
    info_.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  }
  // An image with the memory of one of the swapchain's.
  VkImage BoundTo(uint32_t index) {
    VkImageCreateInfo info = info_;
    const VkImageSwapchainCreateInfoKHR of = {VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR, nullptr, swapchain_};
    info.pNext = &of;
    VkImage image = MakeUnboundImage(info);
    const VkBindImageMemorySwapchainInfoKHR place = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR, nullptr,
                                                     swapchain_, index};
    const VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &place, image, VK_NULL_HANDLE, 0};
    EXPECT_EQ(vk.BindImageMemory2(device, 1, &bind), VK_SUCCESS);
    return image;
  }

  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  std::vector<VkImage> images_;
  VkImageCreateInfo info_ = {};
};
class NegativeSyncAliasOfSwapchain : public SyncAliasOfSwapchain {};
class PositiveSyncAliasOfSwapchain : public SyncAliasOfSwapchain {};

TEST_F(NegativeSyncAliasOfSwapchain, SameIndex) {
  const VkImage a = BoundTo(1), b = BoundTo(1);
  VkCommandBuffer c = Begun();
  Clear(c, a, Level(0));
  Clear(c, images_[1], Level(0));
  ExpectMessage(kWriteAfterWrite);
  Barrier(c, kClearToClear);
  Clear(c, a, Level(0));
  Clear(c, b, Level(0));
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncAliasOfSwapchain, OtherIndexOrAfterBarrier) {
  const VkImage a = BoundTo(1), b = BoundTo(0);
  VkCommandBuffer c = Begun();
  Clear(c, a, Level(0));
  Clear(c, b, Level(0));
  Clear(c, images_[2], Level(0));
  Barrier(c, kClearToClear);
  Clear(c, images_[1], Level(0));
  Clear(c, images_[0], Level(0));
}

}  // namespace
}  // namespace assay::syncval
