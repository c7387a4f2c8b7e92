// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors that are updated until the command buffer is submitted, with draws and render passes.

#include <vector>

#include "syncval/queues/late_access_test.h"
#include "syncval/shaders/fragment_storage_write.h"
#include "syncval/shaders/storage_image_read.h"

namespace assay::syncval {
namespace {

// A render pass without attachments between the two, with a dependency or without.
class SyncLateRenderPass : public SyncLateAccess {
 protected:
  void SubmitAround(const std::vector<VkSubpassDependency2>& dependencies) {
    VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    VkRenderPass pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                        .pDependencies = dependencies.data()});
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = pass,
                                   .framebuffer = MakeFramebuffer(pass, {}, 8, 8),
                                   .renderArea = {{}, {8, 8}}};
    const Compute reader = MakeReader();
    VkCommandBuffer c = Begun();
    Fill(c, buffer_);
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdEndRenderPass(c);
    Dispatch(c, reader);
    End(c);
    WriteStorage(reader, 0, buffer_);
    Submit(Queue(), {c});
  }
  static VkSubpassDependency2 Dependency(uint32_t from, uint32_t to, const Masks& masks) {
    return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
            .srcSubpass = from,
            .dstSubpass = to,
            .srcStageMask = static_cast<VkPipelineStageFlags>(masks.src_stages),
            .dstStageMask = static_cast<VkPipelineStageFlags>(masks.dst_stages),
            .srcAccessMask = static_cast<VkAccessFlags>(masks.src_access),
            .dstAccessMask = static_cast<VkAccessFlags>(masks.dst_access)};
  }
};
TEST_F(SyncLateRenderPass, WithoutDependencies) {
  SubmitAround({});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(SyncLateRenderPass, WithDependencies) {
  constexpr VkPipelineStageFlags2 kDraw = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
  SubmitAround({Dependency(VK_SUBPASS_EXTERNAL, 0,
                           {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, kWrite, kDraw, VK_ACCESS_2_SHADER_READ_BIT}),
                Dependency(0, VK_SUBPASS_EXTERNAL, {kDraw, 0, kCompute, VK_ACCESS_2_SHADER_READ_BIT})});
}

// An attachment of a render pass, which changes its layout at the end, and a dispatch that reads it.
class SyncLateAttachment : public SyncLateRenderPass {
 protected:
  void SubmitAfter(std::vector<VkSubpassDependency2> dependencies) {
    dependencies.push_back(
        Dependency(VK_SUBPASS_EXTERNAL, 0, {kColorOutput, 0, kColorOutput, kColorRead | kColorWrite}));
    constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = kColorFormat,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                 .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_NONE,
                                                 .stencilStoreOp = VK_ATTACHMENT_STORE_OP_NONE,
                                                 .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                 .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference2 reference = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0, kColor,
                                              VK_IMAGE_ASPECT_COLOR_BIT};
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &reference};
    VkRenderPass pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                        .pDependencies = dependencies.data()});
    const VkClearValue clear = {};
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = pass,
                                   .framebuffer = MakeFramebuffer(pass, {color_view_}, kSide, kSide),
                                   .renderArea = {{}, {kSide, kSide}},
                                   .clearValueCount = 1,
                                   .pClearValues = &clear};
    const Compute compute =
        MakeLateCompute(MakeLateLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_ALL, nullptr},
                                        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr}},
                                       kLate),
                        MakeShader(k_storage_image_read));
    VkCommandBuffer c = Begun();
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdEndRenderPass(c);
    Dispatch(c, compute);
    End(c);
    ExpectNothing();
    WriteImage(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, color_view_, VK_IMAGE_LAYOUT_GENERAL);
    WriteStorage(compute, 1, other_);
    Submit(Queue(), {c});
  }
};
TEST_F(SyncLateAttachment, NotOrdered) {
  SubmitAfter({});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(SyncLateAttachment, Ordered) {
  SubmitAfter({Dependency(0, VK_SUBPASS_EXTERNAL, {kColorOutput, kColorWrite, kCompute, VK_ACCESS_2_SHADER_READ_BIT})});
}

// Draws that write the same storage buffer.
class SyncLateDraw : public SyncLateAccess {
 protected:
  void SetUp() override {
    SyncLateAccess::SetUp();
    large_ = MakeBuffer(1024);
    const VkDescriptorSetLayout set_layout = MakeLateLayout(1, 1, kLate);
    set_ = MakeSet(set_layout);
    layout_ = MakePipelineLayout({set_layout});
    writers_[0] = MakePipeline({.layout = layout_, .fragment = k_fragment_storage_write});
    writers_[1] = MakePipeline({.layout = layout_, .fragment = k_fragment_storage_write});
    other_view_ = MakeView(MakeImage(kColorFormat, kSide, kSide));
  }
  void Draw(VkCommandBuffer c, int writer) {
    BindPipeline(c, writers_[writer]);
    BindSet(c);
    vk.CmdDraw(c, 3, 1, 0, 0);
  }
  void Submit(VkCommandBuffer c) {
    End(c);
    ExpectNothing();
    WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, large_);
    SyncLateAccess::Submit(Queue(), {c});
  }
  static constexpr Masks kFragmentToFragment = {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, kStorageWrite,
                                                VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, kStorageWrite};

  VkPipeline writers_[2] = {};
  VkImageView other_view_ = VK_NULL_HANDLE;
  test::Buffer large_;
};
class NegativeSyncLateDraw : public SyncLateDraw {};
class PositiveSyncLateDraw : public SyncLateDraw {};

// Each fragment writes its own part, for all that is known.
TEST_F(PositiveSyncLateDraw, InOneInstance) {
  VkCommandBuffer c = Begun();
  BeginRendering(c, Untouched(color_view_));
  Draw(c, 0);
  Draw(c, 1);
  vk.CmdEndRendering(c);
  Submit(c);
}
TEST_F(NegativeSyncLateDraw, InTwoInstances) {
  VkCommandBuffer c = Begun();
  BeginRendering(c, Untouched(color_view_));
  Draw(c, 0);
  vk.CmdEndRendering(c);
  BeginRendering(c, Untouched(other_view_));
  Draw(c, 0);
  vk.CmdEndRendering(c);
  Submit(c);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncLateDraw, InTwoInstancesWithABarrier) {
  VkCommandBuffer c = Begun();
  BeginRendering(c, Untouched(color_view_));
  Draw(c, 0);
  vk.CmdEndRendering(c);
  Barrier(c, kFragmentToFragment);
  BeginRendering(c, Untouched(other_view_));
  Draw(c, 0);
  vk.CmdEndRendering(c);
  Submit(c);
}

}  // namespace
}  // namespace assay::syncval
