// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

// One subpass with one attachment of each kind. A test changes it through the pointers.
template <class Subpass, class Reference>
struct SubpassParts {
  SubpassParts() {
    input.attachment = 0;
    input.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    color.attachment = 1;
    color.layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    resolve.attachment = 2;
    resolve.layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    depth.attachment = 3;
    depth.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    if constexpr (requires { input.aspectMask; }) input.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  }
  Subpass Make() const {
    Subpass subpass = {};
    subpass.inputAttachmentCount = 1;
    subpass.pInputAttachments = &input;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pResolveAttachments = &resolve;
    subpass.pDepthStencilAttachment = &depth;
    subpass.preserveAttachmentCount = 1;
    subpass.pPreserveAttachments = &preserve;
    return subpass;
  }

  Reference input = {}, color = {}, resolve = {}, depth = {};
  uint32_t preserve = 4;
};
using Parts = SubpassParts<VkSubpassDescription, VkAttachmentReference>;
using Parts2 = SubpassParts<VkSubpassDescription2, VkAttachmentReference2>;

// Makes the parts anew for each case, and changes them.
template <class P>
void TryParts(std::string_view owner, const std::vector<Case<P>>& cases) {
  EXPECT_EQ(Check(owner, P().Make()), std::vector<std::string>());
  for (const Case<P>& each : cases) {
    P parts;
    each.change(parts);
    TryChanged(owner, parts.Make(), each.id, each.allowed_by);
  }
}

constexpr auto kDepthStencil = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
constexpr auto kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr auto kMixed = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
constexpr auto kStencilRead = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;

TEST(NegativeManualRenderPassRules, Subpass) {
  TryParts<Parts>(
      "VkSubpassDescription",
      {{"VUID-VkSubpassDescription-attachment-06912", [](Parts& p) { p.input.layout = kColor; }},
       {"VUID-VkSubpassDescription-attachment-06913", [](Parts& p) { p.color.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription-attachment-06914", [](Parts& p) { p.resolve.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription-attachment-06915", [](Parts& p) { p.depth.layout = kColor; }},
       {"VUID-VkSubpassDescription-attachment-06916", [](Parts& p) { p.color.layout = kMixed; }},
       {"VUID-VkSubpassDescription-attachment-06917", [](Parts& p) { p.resolve.layout = kMixed; }},
       {"VUID-VkSubpassDescription-attachment-06918",
        [](Parts& p) { p.input.layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-06919", [](Parts& p) { p.color.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription-attachment-06920", [](Parts& p) { p.resolve.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription-attachment-06921",
        [](Parts& p) { p.input.layout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-06922",
        [](Parts& p) { p.color.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-06923",
        [](Parts& p) { p.resolve.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-00853", [](Parts& p) { p.preserve = VK_ATTACHMENT_UNUSED; }},
       {"VUID-VkSubpassDescription-pPreserveAttachments-00854", [](Parts& p) { p.preserve = 1; }},
       {"VUID-VkSubpassDescription-pDepthStencilAttachment-04438", [](Parts& p) { p.depth.attachment = 1; }},
       {"VUID-VkSubpassDescription-pResolveAttachments-00847",
        [](Parts& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; }}});
}

TEST(NegativeManualRenderPassRules, Subpass2) {
  TryParts<Parts2>(
      "VkSubpassDescription2",
      {{"VUID-VkSubpassDescription2-attachment-06912", [](Parts2& p) { p.input.layout = kColor; }},
       {"VUID-VkSubpassDescription2-attachment-06913", [](Parts2& p) { p.color.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription2-attachment-06914", [](Parts2& p) { p.resolve.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription2-attachment-06915", [](Parts2& p) { p.depth.layout = kColor; }},
       {"VUID-VkSubpassDescription2-attachment-06916", [](Parts2& p) { p.color.layout = kMixed; }},
       {"VUID-VkSubpassDescription2-attachment-06917", [](Parts2& p) { p.resolve.layout = kMixed; }},
       {"VUID-VkSubpassDescription2-attachment-06918",
        [](Parts2& p) { p.input.layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-06919", [](Parts2& p) { p.color.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription2-attachment-06920", [](Parts2& p) { p.resolve.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription2-attachment-06921",
        [](Parts2& p) { p.input.layout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-06922",
        [](Parts2& p) { p.color.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-06923",
        [](Parts2& p) { p.resolve.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-03073", [](Parts2& p) { p.preserve = VK_ATTACHMENT_UNUSED; }},
       {"VUID-VkSubpassDescription2-pPreserveAttachments-03074", [](Parts2& p) { p.preserve = 1; }},
       {"VUID-VkSubpassDescription2-pDepthStencilAttachment-04440", [](Parts2& p) { p.depth.attachment = 1; }},
       {"VUID-VkSubpassDescription2-externalFormatResolve-09335",
        [](Parts2& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; }, vk::FeatureId::kExternalFormatResolve},
       {"VUID-VkSubpassDescription2-attachment-02800", [](Parts2& p) { p.input.aspectMask = 0; }},
       {"VUID-VkSubpassDescription2-attachment-02801",
        [](Parts2& p) { p.input.aspectMask |= VK_IMAGE_ASPECT_METADATA_BIT; }}});
}

// A render pass of two subpasses, with the structures that it points to. Each case changes one of its own.
struct RenderPassParts {
  VkRenderPassCreateInfo Make() const {
    return {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
            .pNext = &multiview,
            .attachmentCount = attachment_count,
            .subpassCount = subpass_count,
            .pSubpasses = subpasses};
  }

  Parts parts;
  VkSubpassDescription subpasses[2] = {parts.Make(), parts.Make()};
  VkRenderPassMultiviewCreateInfo multiview = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  uint32_t attachment_count = 5;
  uint32_t subpass_count = 2;
  // View masks.
  uint32_t masks[2] = {1, 0};
};
struct RenderPassParts2 {
  VkRenderPassCreateInfo2 Make() const {
    return {.attachmentCount = attachment_count,
            .subpassCount = subpass_count,
            .pSubpasses = subpasses,
            .correlatedViewMaskCount = correlated_view_mask_count};
  }

  Parts2 parts;
  VkSubpassDescription2 subpasses[2] = {parts.Make(), parts.Make()};
  uint32_t attachment_count = 5;
  uint32_t subpass_count = 2;
  uint32_t correlated_view_mask_count = 0;
};

TEST(NegativeManualRenderPassRules, RenderPass) {
  using P = RenderPassParts;
  TryParts<P>(
      "VkRenderPassCreateInfo",
      {{"VUID-VkRenderPassCreateInfo-attachment-00834", [](P& p) { p.attachment_count = 4, p.subpass_count = 1; }},
       {"VUID-VkRenderPassCreateInfo-pNext-01928",
        [](P& p) { p.multiview.subpassCount = 1, p.multiview.pViewMasks = p.masks; }},
       {"VUID-VkRenderPassCreateInfo-pNext-01929", [](P& p) { p.multiview.dependencyCount = 1; }},
       {"VUID-VkRenderPassCreateInfo-pNext-02513",
        [](P& p) { p.multiview.subpassCount = 2, p.multiview.pViewMasks = p.masks; }},
       {"VUID-VkRenderPassCreateInfo-pNext-02515", [](P& p) { p.multiview.correlationMaskCount = 1; }}});
}

TEST(NegativeManualRenderPassRules, RenderPass2) {
  using P = RenderPassParts2;
  TryParts<P>(
      "VkRenderPassCreateInfo2",
      {{"VUID-VkRenderPassCreateInfo2-attachment-03051", [](P& p) { p.attachment_count = 4, p.subpass_count = 1; }},
       {"VUID-VkRenderPassCreateInfo2-viewMask-03057", [](P& p) { p.correlated_view_mask_count = 1; }},
       {"VUID-VkRenderPassCreateInfo2-viewMask-03058", [](P& p) { p.subpasses[0].viewMask = 1; }}});
}

}  // namespace
}  // namespace assay::stateless
