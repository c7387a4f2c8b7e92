// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Clears of attachments: cases that change a correct one, through the whole layer.

#include <string>
#include <vector>

#include "core/copies/cases/case_changes.h"
#include "core/copies/cases/image_copy_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

// A clear in an instance with a render area of 64 x 64 texels, which starts at (8, 8), and two layers.
struct AttachmentClear {
  VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImageCreateFlags color_flags = 0;
  VkFormat depth_format = VK_FORMAT_D24_UNORM_S8_UINT;
  uint32_t view_mask = 0;
  bool is_in_protected_commands = false;
  bool has_location = true;
  VkClearAttachment clear = {kColor, 0, {}};
  VkClearRect rect = {{{8, 8}, {64, 64}}, 0, 2};
};
constexpr FamilyCase<AttachmentClear> kCases[] = {
    {"rect-02682", [](AttachmentClear& c) { c.rect.rect.extent.width = 0; }},
    {"rect-02683", [](AttachmentClear& c) { c.rect.rect.extent.height = 0; }},
    {"layerCount-01934", [](AttachmentClear& c) { c.rect.layerCount = 0; }},
    {"pRects-00016", [](AttachmentClear& c) { c.rect.rect.offset.x = 9; }},
    {"pRects-00016", [](AttachmentClear& c) { c.rect.rect.offset.y = 7; }},
    {"pRects-06937", [](AttachmentClear& c) { c.rect.baseArrayLayer = 1; }},
    {"baseArrayLayer-00018", [](AttachmentClear& c) { c.view_mask = 3; }},
    {"aspectMask-07271", [](AttachmentClear& c) { c.clear.colorAttachment = 1; }},
    {"colorAttachment-09503", [](AttachmentClear& c) { c.has_location = false; }},
    {"None-09679", [](AttachmentClear& c) { c.color_format = VK_FORMAT_R64G64B64_SFLOAT; }},
    {"commandBuffer-02504", [](AttachmentClear& c) { c.color_flags = VK_IMAGE_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-02505", [](AttachmentClear& c) { c.is_in_protected_commands = true; }},
    {"depth-00022",
     [](AttachmentClear& c) { c.clear.aspectMask = kDepth, c.clear.clearValue.depthStencil.depth = -0.5f; }},
};

class AttachmentClearsTest : public ImageCopiesTest {
 protected:
  AttachmentClearsTest() { Enable({VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME}); }
  // Views of two layers.
  VkImageView MakeTarget(VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspects,
                         VkImageCreateFlags flags = 0) {
    VkImageCreateInfo info = test::ImageInfo(format, 128, usage);
    info.flags = flags, info.arrayLayers = 2;
    return MakeView(MakeImage(info), format, {aspects, 0, 1, 0, 2}, VK_IMAGE_VIEW_TYPE_2D_ARRAY);
  }
  void Clear(const AttachmentClear& clear) {
    const auto color = Of<VkRenderingAttachmentInfo>(
        MakeTarget(clear.color_format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, kColor, clear.color_flags),
        VK_IMAGE_LAYOUT_GENERAL);
    VkRenderingAttachmentInfo depth = color;
    depth.imageView = MakeTarget(clear.depth_format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, kDepth | kStencil);
    const auto info = Typed(VkRenderingInfo{.renderArea = {{8, 8}, {64, 64}},
                                            .layerCount = clear.view_mask != 0 ? 1u : 2u,
                                            .viewMask = clear.view_mask,
                                            .colorAttachmentCount = 1,
                                            .pColorAttachments = &color,
                                            .pDepthAttachment = clear.is_in_protected_commands ? nullptr : &depth,
                                            .pStencilAttachment = clear.is_in_protected_commands ? nullptr : &depth});
    const uint32_t unused = VK_ATTACHMENT_UNUSED;
    const auto locations = Of<VkRenderingAttachmentLocationInfo>(1, &unused);
    const VkCommandBuffer commands = MakeCommands({.is_in_protected_commands = clear.is_in_protected_commands});
    Begin(commands);
    vk.CmdBeginRendering(commands, &info);
    if (!clear.has_location) vk.CmdSetRenderingAttachmentLocations(commands, &locations);
    vk.CmdClearAttachments(commands, 1, &clear.clear, 1, &clear.rect);
    vk.CmdEndRendering(commands);
    End(commands);
  }

  // A render pass with one color attachment and a depth/stencil attachment; VK_FORMAT_UNDEFINED for none. Or one that
  // resolves to an external format.
  VkRenderPass MakePass(VkFormat depth_format, bool resolves = false) {
    std::vector<VkAttachmentDescription2> attachments(3, {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                                          .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                          .finalLayout = VK_IMAGE_LAYOUT_GENERAL});
    attachments[1].format = depth_format;
    const auto external = Of<VkExternalFormatANDROID>(1);
    attachments[2].pNext = &external;
    attachments[2].format = VK_FORMAT_UNDEFINED;
    VkAttachmentReference2 references[3];
    for (uint32_t i = 0; i < 3; ++i)
      references[i] = Of<VkAttachmentReference2>(i, VK_IMAGE_LAYOUT_GENERAL, i == 1 ? kDepth : kColor);
    const bool has_depth = depth_format != VK_FORMAT_UNDEFINED;
    if (!resolves) attachments.resize(has_depth ? 2 : 1);
    const VkSubpassDescription2 subpass = {.colorAttachmentCount = 1,
                                           .pColorAttachments = references,
                                           .pResolveAttachments = resolves ? &references[2] : nullptr,
                                           .pDepthStencilAttachment = has_depth ? &references[1] : nullptr};
    return MakeRenderPass(attachments, {subpass});
  }
  // In a secondary command buffer, which knows the render pass but not the framebuffer: what only the primary knows is
  // the render area and the layers. It breaks that rule, or none.
  void ClearInherited(const std::string& rule, VkRenderPass pass, const VkClearAttachment& clear) {
    const VkClearRect rect = {{{0, 0}, {4096, 4096}}, 3, 1};
    const VkCommandBuffer commands = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const auto inheritance = Typed(VkCommandBufferInheritanceInfo{.renderPass = pass});
    const auto begin = Typed(VkCommandBufferBeginInfo{.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                                      .pInheritanceInfo = &inheritance});
    EXPECT_EQ(vk.BeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vk.CmdClearAttachments(commands, 1, &clear, 1, &rect);
    End(commands);
    SCOPED_TRACE(rule);
    ExpectAlone("vkCmdClearAttachments", rule);
  }
};

TEST_F(AttachmentClearsTest, EachCase) {
  RunEach<vk::CmdClearAttachments>(kCases, AttachmentClear(),
                                   [this](vk::CommandId, const AttachmentClear& clear) { Clear(clear); });
}

TEST_F(AttachmentClearsTest, CorrectOnes) {
  const VkClearAttachment both = {.aspectMask = kDepth | kStencil, .clearValue = {.depthStencil = {1, 0}}};
  Clear({.clear = both});
  Clear({.view_mask = 2, .clear = both, .rect = {{{9, 9}, {63, 63}}, 0, 1}});
  Clear({.color_format = VK_FORMAT_R64G64_SFLOAT});
  // The value of what is not cleared counts for nothing.
  Clear({.clear = {.aspectMask = kStencil, .clearValue = {.depthStencil = {7, 0}}}});
}

TEST_F(AttachmentClearsTest, InheritedRenderPass) {
  const VkRenderPass depth_only = MakePass(VK_FORMAT_D32_SFLOAT);
  ClearInherited("", depth_only, {kDepth, 0, {}});
  ClearInherited("", depth_only, {kColor, VK_ATTACHMENT_UNUSED, {}});
  ClearInherited("", MakePass(VK_FORMAT_UNDEFINED), {kDepth | kStencil, 0, {}});
  ClearInherited("aspectMask-07885", depth_only, {kStencil, 0, {}});
  ClearInherited("aspectMask-07884", MakePass(VK_FORMAT_S8_UINT), {kDepth | kStencil, 0, {}});
  ClearInherited("aspectMask-07271", depth_only, {kColor, 1, {}});
}

TEST_F(AttachmentClearsTest, PlanesOfExternalFormats) {
  Restart({"VK_EXT_queue_family_foreign", "VK_ANDROID_external_memory_android_hardware_buffer",
           "VK_ANDROID_external_format_resolve"});
  const VkRenderPass pass = MakePass(VK_FORMAT_D32_SFLOAT, true);
  ClearInherited("", pass, {kColor, 0, {}});
  ClearInherited("aspectMask-09298", pass, {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, {}});
}

}  // namespace
}  // namespace assay::core
