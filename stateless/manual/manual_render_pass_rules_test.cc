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

constexpr auto kDepthStencil = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
constexpr auto kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr auto kMixed = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
constexpr auto kStencilRead = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
constexpr auto kDepth = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
constexpr auto kAttachment = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
constexpr auto kReadOnly = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;

// One subpass with one attachment of each kind. A test changes it through the pointers.
template <class Subpass, class Reference>
struct SubpassParts {
  SubpassParts() {
    if constexpr (requires { input.aspectMask; }) input.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  }
  Subpass Make() const {
    return {.inputAttachmentCount = 1,
            .pInputAttachments = &input,
            .colorAttachmentCount = 1,
            .pColorAttachments = &color,
            .pResolveAttachments = &resolve,
            .pDepthStencilAttachment = &depth,
            .preserveAttachmentCount = 1,
            .pPreserveAttachments = &preserve};
  }

  Reference input = {.attachment = 0, .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  Reference color = {.attachment = 1, .layout = kColor};
  Reference resolve = {.attachment = 2, .layout = kColor};
  Reference depth = {.attachment = 3, .layout = kDepthStencil};
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
    TryChanged(owner, parts.Make(), each.rule, each.allowed_by);
  }
}

// The layouts of attachments, about which both versions have the same rules.
template <class P>
void TryLayouts(std::string_view owner) {
  TryParts<P>(owner, {{"attachment-06912", [](P& p) { p.input.layout = kColor; }},
                      {"attachment-06913", [](P& p) { p.color.layout = kDepthStencil; }},
                      {"attachment-06914", [](P& p) { p.resolve.layout = kDepthStencil; }},
                      {"attachment-06915", [](P& p) { p.depth.layout = kColor; }},
                      {"attachment-06916", [](P& p) { p.color.layout = kMixed; }},
                      {"attachment-06917", [](P& p) { p.resolve.layout = kMixed; }},
                      {"attachment-06918", [](P& p) { p.input.layout = kDepth; }},
                      {"attachment-06919", [](P& p) { p.color.layout = kStencilRead; }},
                      {"attachment-06920", [](P& p) { p.resolve.layout = kStencilRead; }},
                      {"attachment-06921", [](P& p) { p.input.layout = kAttachment; }},
                      {"attachment-06922", [](P& p) { p.color.layout = kReadOnly; }},
                      {"attachment-06923", [](P& p) { p.resolve.layout = kReadOnly; }}});
}

TEST(NegativeManualRenderPassRules, Subpass) {
  using P = Parts;
  TryLayouts<P>("VkSubpassDescription");
  TryParts<P>("VkSubpassDescription",
              {{"attachment-00853", [](P& p) { p.preserve = VK_ATTACHMENT_UNUSED; }},
               {"pPreserveAttachments-00854", [](P& p) { p.preserve = 1; }},
               {"pDepthStencilAttachment-04438", [](P& p) { p.depth.attachment = 1; }},
               {"pResolveAttachments-00847", [](P& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; }}});
}

TEST(NegativeManualRenderPassRules, Subpass2) {
  using P = Parts2;
  TryLayouts<P>("VkSubpassDescription2");
  TryParts<P>("VkSubpassDescription2",
              {{"attachment-03073", [](P& p) { p.preserve = VK_ATTACHMENT_UNUSED; }},
               {"pPreserveAttachments-03074", [](P& p) { p.preserve = 1; }},
               {"pDepthStencilAttachment-04440", [](P& p) { p.depth.attachment = 1; }},
               {"externalFormatResolve-09335", [](P& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; },
                vk::FeatureId::kExternalFormatResolve},
               {"attachment-02800", [](P& p) { p.input.aspectMask = 0; }},
               {"attachment-02801", [](P& p) { p.input.aspectMask |= VK_IMAGE_ASPECT_METADATA_BIT; }}});
}

TEST(NegativeManualRenderPassRules, RenderPass) {
  using Info = VkRenderPassCreateInfo;
  static const Parts parts;
  static const VkSubpassDescription subpasses[] = {parts.Make(), parts.Make()};
  static const uint32_t view_masks[] = {1, 0};
  constexpr auto kType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO;
  static const VkRenderPassMultiviewCreateInfo views = {kType}, one_mask = {kType, nullptr, 1, view_masks},
                                               masks = {kType, nullptr, 2, view_masks},
                                               dependency = {.sType = kType, .dependencyCount = 1},
                                               correlation = {.sType = kType, .correlationMaskCount = 1};
  TryAll<Info>({.pNext = &views, .attachmentCount = 5, .subpassCount = 2, .pSubpasses = subpasses},
               {{"attachment-00834", [](Info& i) { i.attachmentCount = 4, i.subpassCount = 1; }},
                {"pNext-01928", [](Info& i) { i.pNext = &one_mask; }},
                {"pNext-01929", [](Info& i) { i.pNext = &dependency; }},
                {"pNext-02513", [](Info& i) { i.pNext = &masks; }},
                {"pNext-02515", [](Info& i) { i.pNext = &correlation; }}});
}

TEST(NegativeManualRenderPassRules, RenderPass2) {
  using Info = VkRenderPassCreateInfo2;
  static const Parts2 parts;
  static VkSubpassDescription2 subpasses[] = {parts.Make(), parts.Make()}, mixed[] = {parts.Make(), parts.Make()};
  mixed[0].viewMask = 1;
  TryAll<Info>({.attachmentCount = 5, .subpassCount = 2, .pSubpasses = subpasses},
               {{"attachment-03051", [](Info& i) { i.attachmentCount = 4, i.subpassCount = 1; }},
                {"viewMask-03057", [](Info& i) { i.correlatedViewMaskCount = 1; }},
                {"viewMask-03058", [](Info& i) { i.pSubpasses = mixed; }}});
}

}  // namespace
}  // namespace assay::stateless
