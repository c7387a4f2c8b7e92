// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a subpass may do with its attachments, through the whole layer.

#include "core/render_passes/pass_creation_test.h"

namespace assay::core {
namespace {

constexpr VkSampleCountFlagBits kTwo = VK_SAMPLE_COUNT_2_BIT;
constexpr VkImageLayout kReadOnly = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;

TEST_F(PassCreation, Loads) {
  Start();
  const auto clear = [](uint32_t attachment, VkImageLayout layout) {
    return [=](Pass& p) {
      p.attachments[attachment].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      (attachment == Pass::kColor ? p.colors[0] : p.depth).layout = layout;
    };
  };
  const auto clear_stencil = [](VkImageLayout layout) {
    return [=](Pass& p) {
      p.attachments[Pass::kDepth].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      p.depth.layout = layout;
    };
  };
  owner1_ = "VkRenderPassCreateInfo", owner2_ = "VkRenderPassCreateInfo2";
  RunCases({
      {"", "", [](Pass&) {}},
      {"", "", clear(Pass::kColor, kGeneral)},
      {"", "", clear(Pass::kDepth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)},
      {"", "", clear_stencil(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL)},
      {"pAttachments-00836", "pAttachments-02522", clear(Pass::kDepth, kReadOnly)},
      {"pAttachments-01566", "pAttachments-02522",
       clear(Pass::kDepth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL)},
      {"pAttachments-02511", "pAttachments-02523", clear_stencil(kReadOnly)},
      {"pAttachments-01567", "pAttachments-02523",
       clear_stencil(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)},
      {"VkSubpassDescription-loadOp-00846", "VkSubpassDescription2-loadOp-03064",
       [](Pass& p) { p.attachments[Pass::kInput].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; }},
  });
}

TEST_F(PassCreation, Attachments) {
  Start();
  owner1_ = "VkSubpassDescription", owner2_ = "VkSubpassDescription2";
  RunCases({
      {"pInputAttachments-02647", "pInputAttachments-02897", Format(Pass::kInput, VK_FORMAT_R8_UNORM)},
      {"pColorAttachments-02648", "pColorAttachments-02898",
       [](Pass& p) { p.attachments[Pass::kColor].format = VK_FORMAT_R8_UNORM, p.resolves.clear(); }},
      {"pDepthStencilAttachment-02650", "pDepthStencilAttachment-02900",
       [](Pass& p) { p.attachments[Pass::kDepth].format = VK_FORMAT_R8_UNORM, p.resolve = {}; }},
      {"pColorAttachments-09430", "multisampledRenderToSingleSampled-06869",
       [](Pass& p) { p.colors.push_back(Reference(Pass::kResolve)), p.resolves.clear(); }},
      {"pDepthStencilAttachment-01418", "multisampledRenderToSingleSampled-06872", Samples(Pass::kColor, kTwo)},
      {"pResolveAttachments-00849", "pResolveAttachments-03067", Samples(Pass::kResolve, kFour)},
      {"pResolveAttachments-00850", "externalFormatResolve-09339", Format(Pass::kResolve, VK_FORMAT_B8G8R8A8_UNORM)},
      {"pResolveAttachments-00848", "externalFormatResolve-09338", Change([](Pass& p) {
         p.attachments[Pass::kColor].samples = p.attachments[Pass::kDepth].samples = kOne;
         p.resolve = {};
       })},
      {"layout-02519", "layout-02528",
       [](Pass& p) { p.input = Reference(Pass::kColor), p.input.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL; }},
      {"VkRenderPassCreateInfo-pNext-01963", "VkRenderPassCreateInfo2-attachment-02525",
       [](Pass& p) { p.input.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT; }},
      // The color attachment cannot be of a format without the feature, and the formats must not differ.
      {"pResolveAttachments-00850 pResolveAttachments-02649", "externalFormatResolve-09339 pResolveAttachments-09343",
       Format(Pass::kResolve, VK_FORMAT_R8_UNORM)},
      {"pColorAttachments-02648 pResolveAttachments-02649", "pColorAttachments-02898 pResolveAttachments-09343",
       [](Pass& p) { p.attachments[Pass::kColor].format = p.attachments[Pass::kResolve].format = VK_FORMAT_R8_UNORM; }},
  });
}
// Images with a modifier may have the features that others lack.
TEST_F(PassCreation, FormatsWithModifiers) {
  Start({"VK_EXT_image_drm_format_modifier"});
  RunCases({{"", "", Format(Pass::kInput, VK_FORMAT_R8_UNORM)}});
}
TEST_F(PassCreation, MixedSamples) {
  Start({"VK_NV_framebuffer_mixed_samples"});
  owner1_ = "VkSubpassDescription", owner2_ = "VkSubpassDescription2";
  RunCases({{"", "", Samples(Pass::kColor, kTwo)},
            {"None-09431", "None-09456", Samples(Pass::kColor, VK_SAMPLE_COUNT_8_BIT)}});
}
TEST_F(PassCreation, SingleSampled) {
  Start({"VK_EXT_multisampled_render_to_single_sampled"});
  const auto with = [](Pass& p) {
    p.single_sampled.multisampledRenderToSingleSampledEnable = VK_TRUE;
    p.resolves.clear();
  };
  owner2_ = "VkSubpassDescription2";
  RunCases2({
      {"", with},
      {"pNext-06870", [=](Pass& p) { with(p), Samples(Pass::kColor, kTwo)(p); }},
      {"pNext-06871", [=](Pass& p) { with(p), Samples(Pass::kDepth, kOne)(p), p.resolve = {}; }},
      {"VkSubpassDescriptionDepthStencilResolve-pNext-06873", Change([=](Pass& p) {
         with(p), p.resolve.pDepthStencilResolveAttachment = nullptr;
         p.resolve.depthResolveMode = p.resolve.stencilResolveMode = VK_RESOLVE_MODE_NONE;
       })},
  });
}

}  // namespace
}  // namespace assay::core
