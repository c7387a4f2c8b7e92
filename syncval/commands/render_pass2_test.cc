// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Features of render pass objects that need vkCreateRenderPass2, or are rare without it: resolves, multiview, imageless
// framebuffers, separate stencil layouts, dependencies of a subpass with itself, and masks in a VkMemoryBarrier2.

#include <vector>

#include "syncval/fixture/draw_sync_test.h"
#include "syncval/shaders/fragment_storage_write.h"
#include "syncval/shaders/fragment_uniform.h"

namespace assay::syncval {
namespace {

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageAspectFlags kColorAspect = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkImageAspectFlags kBothAspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

// Neither loaded nor stored, and always in one layout.
VkAttachmentDescription2 UntouchedAttachment(VkFormat format, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
  return {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
          .format = format,
          .samples = samples,
          .loadOp = VK_ATTACHMENT_LOAD_OP_NONE,
          .storeOp = VK_ATTACHMENT_STORE_OP_NONE,
          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_NONE,
          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_NONE,
          .initialLayout = kGeneral,
          .finalLayout = kGeneral};
}
VkAttachmentDescription2 Cleared(VkFormat format) {
  VkAttachmentDescription2 attachment = UntouchedAttachment(format);
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  return attachment;
}
VkAttachmentReference2 Reference(uint32_t attachment, VkImageAspectFlags aspects = kColorAspect) {
  return {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, kGeneral, aspects};
}
VkSubpassDependency2 Dependency(uint32_t from, uint32_t to, const Masks& masks) {
  return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
          .srcSubpass = from,
          .dstSubpass = to,
          .srcStageMask = static_cast<VkPipelineStageFlags>(masks.src_stages),
          .dstStageMask = static_cast<VkPipelineStageFlags>(masks.dst_stages),
          .srcAccessMask = static_cast<VkAccessFlags>(masks.src_access),
          .dstAccessMask = static_cast<VkAccessFlags>(masks.dst_access)};
}

class SyncRenderPass2 : public DrawSyncTest {
 protected:
  using Dependencies = std::vector<VkSubpassDependency2>;

  // A render pass with one subpass.
  VkRenderPass MakePass(const std::vector<VkAttachmentDescription2>& attachments, const VkSubpassDescription2& subpass,
                        const Dependencies& dependencies) {
    VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                    .attachmentCount = static_cast<uint32_t>(attachments.size()),
                                    .pAttachments = attachments.data(),
                                    .subpassCount = 1,
                                    .pSubpasses = &subpass,
                                    .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                    .pDependencies = dependencies.data()};
    VkRenderPass render_pass = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRenderPass2(device, &info, nullptr, &render_pass), VK_SUCCESS);
    Defer(render_pass, [=, this] { vk.DestroyRenderPass(device, render_pass, nullptr); });
    return render_pass;
  }
  // With one color attachment, number 0.
  VkRenderPass MakeColorPass(const VkAttachmentDescription2& attachment, const Dependencies& dependencies,
                             uint32_t view_mask = 0) {
    const VkAttachmentReference2 color = Reference(0);
    return MakePass({attachment},
                    {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                     .viewMask = view_mask,
                     .colorAttachmentCount = 1,
                     .pColorAttachments = &color},
                    dependencies);
  }
  void BeginPass(VkCommandBuffer c, VkRenderPass render_pass, VkFramebuffer framebuffer, const void* next = nullptr) {
    VkClearValue clears[4] = {};
    VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                  .pNext = next,
                                  .renderPass = render_pass,
                                  .framebuffer = framebuffer,
                                  .renderArea = {{0, 0}, {kSide, kSide}},
                                  .clearValueCount = 4,
                                  .pClearValues = clears};
    VkSubpassBeginInfo subpass = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    vk.CmdBeginRenderPass2(c, &info, &subpass);
  }
  void EndPass(VkCommandBuffer c) {
    VkSubpassEndInfo info = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    vk.CmdEndRenderPass2(c, &info);
  }
  // An instance without draws.
  void Render(VkCommandBuffer c, VkRenderPass render_pass, const std::vector<VkImageView>& views) {
    BeginPass(c, render_pass, MakeFramebuffer(render_pass, views, kSide, kSide));
    EndPass(c);
  }
  test::Image MakeMultisampled(VkFormat format, VkImageUsageFlags usage) {
    return MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                      .imageType = VK_IMAGE_TYPE_2D,
                      .format = format,
                      .extent = {kSide, kSide, 1},
                      .mipLevels = 1,
                      .arrayLayers = 1,
                      .samples = VK_SAMPLE_COUNT_4_BIT,
                      .usage = usage});
  }
  void ClearDepthStencil(VkCommandBuffer c, const test::Image& image, VkImageAspectFlags aspects) {
    VkClearDepthStencilValue value = {};
    VkImageSubresourceRange range = {aspects, 0, 1, 0, 1};
    vk.CmdClearDepthStencilImage(c, image, kGeneral, &value, 1, &range);
  }
};
class NegativeSyncRenderPass2 : public SyncRenderPass2 {};
class PositiveSyncRenderPass2 : public SyncRenderPass2 {};

constexpr uint32_t kExternal = VK_SUBPASS_EXTERNAL;
// The stages and accesses of VkSubpassDependency2, as sync1 masks.
constexpr Masks kTransferToColor = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                                    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                    VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
constexpr Masks kTransferToTests = {
    VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};

class SyncPassResolve : public SyncRenderPass2 {
 protected:
  // The resolve target is cleared first.
  void ResolveColor(const Dependencies& dependencies) {
    const test::Image source = MakeMultisampled(kColorFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    const VkAttachmentReference2 color = Reference(0), resolve = Reference(1);
    VkRenderPass render_pass =
        MakePass({UntouchedAttachment(kColorFormat, VK_SAMPLE_COUNT_4_BIT), UntouchedAttachment(kColorFormat)},
                 {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                  .colorAttachmentCount = 1,
                  .pColorAttachments = &color,
                  .pResolveAttachments = &resolve},
                 dependencies);
    VkCommandBuffer c = Begun();
    Clear(c, color_, color_.Range());
    Render(c, render_pass, {MakeView(source), color_view_});
  }
  void ResolveDepth(const Dependencies& dependencies) {
    const test::Image source = MakeMultisampled(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    const test::Image target = MakeImage(kDepthFormat, kSide, kSide);
    const VkAttachmentReference2 depth = Reference(0, kBothAspects), to = Reference(1, kBothAspects);
    const VkSubpassDescriptionDepthStencilResolve resolve = {
        VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE, nullptr, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        VK_RESOLVE_MODE_NONE, &to};
    VkRenderPass render_pass = MakePass(
        {UntouchedAttachment(kDepthFormat, VK_SAMPLE_COUNT_4_BIT), UntouchedAttachment(kDepthFormat)},
        {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .pNext = &resolve, .pDepthStencilAttachment = &depth},
        dependencies);
    VkCommandBuffer c = Begun();
    ClearDepthStencil(c, target, kBothAspects);
    Render(c, render_pass, {MakeView(source), MakeView(target)});
  }
};
class NegativeSyncPassResolve : public SyncPassResolve {};
class PositiveSyncPassResolve : public SyncPassResolve {};

TEST_F(NegativeSyncPassResolve, Color) {
  ResolveColor({});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("resolve of attachment 1"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncPassResolve, Color) { ResolveColor({Dependency(kExternal, 0, kTransferToColor)}); }
// Depth is resolved at color attachment output too.
TEST_F(NegativeSyncPassResolve, Depth) {
  ResolveDepth({Dependency(kExternal, 0, kTransferToTests)});
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kColorOutput);
  EXPECT_EQ(fix.dst_access, kColorWrite);
}
TEST_F(PositiveSyncPassResolve, Depth) { ResolveDepth({Dependency(kExternal, 0, kTransferToColor)}); }

class SyncPassViews : public SyncRenderPass2 {
 protected:
  // Renders to the second of two layers after one of them was cleared.
  void RenderSecondView(uint32_t cleared_layer) {
    const test::Image image = MakeImage(kColorFormat, kSide, kSide, 0, 1, 2);
    VkImageView view = MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                 .image = image,
                                 .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                 .format = kColorFormat,
                                 .subresourceRange = image.Range()});
    VkRenderPass render_pass = MakeColorPass(Cleared(kColorFormat), {}, 0b10);
    VkCommandBuffer c = Begun();
    Clear(c, image, {kColorAspect, 0, 1, cleared_layer, 1});
    Render(c, render_pass, {view});
  }
};
class NegativeSyncPassViews : public SyncPassViews {};
class PositiveSyncPassViews : public SyncPassViews {};

TEST_F(NegativeSyncPassViews, LayerOfTheView) {
  RenderSecondView(1);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("array layer 1"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncPassViews, OtherLayer) { RenderSecondView(0); }

class SyncImageless : public SyncRenderPass2 {
 protected:
  void RenderImageless(VkCommandBuffer c, VkImageView view) {
    VkRenderPass render_pass = MakeColorPass(Cleared(kColorFormat), {});
    VkFramebufferAttachmentImageInfo image = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
                                              .usage = color_.info.usage,
                                              .width = kSide,
                                              .height = kSide,
                                              .layerCount = 1,
                                              .viewFormatCount = 1,
                                              .pViewFormats = &kColorFormat};
    VkFramebufferAttachmentsCreateInfo images = {VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO, nullptr, 1,
                                                 &image};
    VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                    .pNext = &images,
                                    .flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
                                    .renderPass = render_pass,
                                    .attachmentCount = 1,
                                    .width = kSide,
                                    .height = kSide,
                                    .layers = 1};
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateFramebuffer(device, &info, nullptr, &framebuffer), VK_SUCCESS);
    Defer(framebuffer, [=, this] { vk.DestroyFramebuffer(device, framebuffer, nullptr); });
    VkRenderPassAttachmentBeginInfo attachments = {VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO, nullptr, 1,
                                                   &view};
    BeginPass(c, render_pass, framebuffer, &attachments);
    EndPass(c);
  }
};
class NegativeSyncImageless : public SyncImageless {};
class PositiveSyncImageless : public SyncImageless {};

TEST_F(NegativeSyncImageless, Attachment) {
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  RenderImageless(c, color_view_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncImageless, Attachment) {
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  RenderImageless(c, MakeView(MakeImage(kColorFormat, kSide, kSide)));
  Barrier(c, {kClear, kWrite, kColorOutput, kColorWrite});
  RenderImageless(c, color_view_);
}

class SyncStencilLayout : public SyncRenderPass2 {
 protected:
  // Depth keeps its layout; the layout of stencil changes when the render pass begins.
  void RenderAfterClear(VkImageAspectFlags cleared) {
    const test::Image image = MakeImage(kDepthFormat, kSide, kSide);
    VkAttachmentDescriptionStencilLayout stencil = {VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT, nullptr,
                                                    VK_IMAGE_LAYOUT_UNDEFINED,
                                                    VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL};
    VkAttachmentDescription2 attachment = UntouchedAttachment(kDepthFormat);
    attachment.pNext = &stencil;
    attachment.initialLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    attachment.finalLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    const VkAttachmentReferenceStencilLayout used = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT, nullptr,
                                                     VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL};
    VkAttachmentReference2 reference = Reference(0, kBothAspects);
    reference.pNext = const_cast<VkAttachmentReferenceStencilLayout*>(&used);
    reference.layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    VkRenderPass render_pass = MakePass(
        {attachment}, {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .pDepthStencilAttachment = &reference}, {});
    VkCommandBuffer c = Begun();
    ClearDepthStencil(c, image, cleared);
    Render(c, render_pass, {MakeView(image)});
  }
};
class NegativeSyncStencilLayout : public SyncStencilLayout {};
class PositiveSyncStencilLayout : public SyncStencilLayout {};

TEST_F(NegativeSyncStencilLayout, Transition) {
  RenderAfterClear(VK_IMAGE_ASPECT_STENCIL_BIT);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("the stencil aspect"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncStencilLayout, OtherAspect) { RenderAfterClear(VK_IMAGE_ASPECT_DEPTH_BIT); }

class SyncSelfDependency : public SyncRenderPass2 {
 protected:
  // One draw writes a storage buffer that the next reads as a uniform buffer.
  void RenderTwice(const Masks* barrier) {
    const test::Buffer buffer = MakeBuffer(256);
    VkPipeline writer = MakeFragmentPipeline(k_fragment_storage_write, {{0}});
    VkPipelineLayout writer_layout = layout_;
    VkDescriptorSet writer_set = set_;
    WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer);
    VkPipeline reader = MakeFragmentPipeline(k_fragment_uniform, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}});
    WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, buffer);
    VkSubpassDependency2 self = Dependency(0, 0, kWriteToUniform);
    self.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
    VkRenderPass render_pass = MakeColorPass(Cleared(kColorFormat), {self});
    VkCommandBuffer c = Begun();
    BeginPass(c, render_pass, MakeFramebuffer(render_pass, {color_view_}, kSide, kSide));
    BindPipeline(c, writer);
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, writer_layout, 0, 1, &writer_set, 0, nullptr);
    vk.CmdDraw(c, 3, 1, 0, 0);
    if (barrier != nullptr) Barrier(c, *barrier);
    BindPipeline(c, reader);
    BindSet(c);
    vk.CmdDraw(c, 3, 1, 0, 0);
    EndPass(c);
  }
  static constexpr Masks kWriteToUniform = {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                                            VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_UNIFORM_READ_BIT};
};
class NegativeSyncSelfDependency : public SyncSelfDependency {};
class PositiveSyncSelfDependency : public SyncSelfDependency {};

// A self-dependency only permits a barrier; it is none.
TEST_F(NegativeSyncSelfDependency, WithoutBarrier) {
  RenderTwice(nullptr);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find(".srcSubpass = 0, .dstSubpass = 0"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncSelfDependency, WithBarrier) { RenderTwice(&kWriteToUniform); }

class SyncChainedBarrier : public SyncRenderPass2 {
 protected:
  // The dependency's own masks would suffice, but are ignored.
  void RenderAfterClear(const Masks& masks) {
    VkMemoryBarrier2 barrier = MemoryBarrier(masks);
    VkSubpassDependency2 dependency = Dependency(kExternal, 0, kTransferToColor);
    dependency.pNext = &barrier;
    VkRenderPass render_pass = MakeColorPass(Cleared(kColorFormat), {dependency});
    VkCommandBuffer c = Begun();
    Clear(c, color_, color_.Range());
    Render(c, render_pass, {color_view_});
  }
};
class NegativeSyncChainedBarrier : public SyncChainedBarrier {};
class PositiveSyncChainedBarrier : public SyncChainedBarrier {};

TEST_F(NegativeSyncChainedBarrier, OtherStage) {
  RenderAfterClear({kCopy, kWrite, kColorOutput, kColorWrite});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncChainedBarrier, Stage) { RenderAfterClear({kClear, kWrite, kColorOutput, kColorWrite}); }

}  // namespace
}  // namespace assay::syncval
