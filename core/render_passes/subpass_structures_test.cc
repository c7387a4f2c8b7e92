// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts and resolves of depth and stencil, views, fragment densities and shading rates of render passes, through the
// whole layer.

#include "core/render_passes/pass_creation_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

TEST_F(PassCreation, Layouts) {
  Start();
  const auto initial = [](VkImageLayout layout) {
    return [=](Pass& p) { p.attachments[Pass::kDepth].initialLayout = layout; };
  };
  const auto final = [](VkImageLayout layout) {
    return [=](Pass& p) { p.attachments[Pass::kDepth].finalLayout = layout; };
  };
  const auto used = [](VkImageLayout layout, VkFormat format) {
    return [=](Pass& p) { p.depth.layout = layout, p.attachments[Pass::kDepth].format = format, p.resolve = {}; };
  };
  RunCases({
      {"VkAttachmentDescription-format-06242", "VkAttachmentDescription2-format-06249", initial(kSeparateDepth)},
      {"VkAttachmentDescription-format-06243", "VkAttachmentDescription2-format-06250", final(kSeparateDepth)},
      {"VkAttachmentDescription-format-06906", "VkAttachmentDescription2-format-06906", initial(kSeparateStencil)},
      {"VkAttachmentDescription-format-06907", "VkAttachmentDescription2-format-06907", final(kSeparateStencil)},
      {nullptr, "",
       [=](Pass& p) { p.attachments[Pass::kDepth].pNext = &p.stencil_layouts, initial(kSeparateDepth)(p); }},
      {nullptr, "", used(kSeparateDepth, VK_FORMAT_D16_UNORM)},
      {nullptr, "VkRenderPassCreateInfo2-attachment-06244", used(kSeparateDepth, kDepthFormat)},
      {nullptr, "VkRenderPassCreateInfo2-attachment-06246", used(kSeparateDepth, VK_FORMAT_S8_UINT)},
      {nullptr, "VkRenderPassCreateInfo2-attachment-06245", used(kSeparateStencil, kDepthFormat)},
      {nullptr, "", [=](Pass& p) { used(kSeparateDepth, kDepthFormat)(p), p.depth.pNext = &p.stencil; }},
      {nullptr, "VkSubpassDescription2-attachment-06251",
       [=](Pass& p) {
         used(kSeparateStencil, kDepthFormat)(p), p.depth.pNext = &p.stencil;
         p.stencil.stencilLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
       }},
  });
}

TEST_F(PassCreation, DepthStencilResolves) {
  using Limits = VkPhysicalDeviceDepthStencilResolveProperties;
  constexpr const char* kNone = "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03185";
  constexpr const char* kOne = "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03186";
  const auto modes = [](VkResolveModeFlagBits depth, VkResolveModeFlagBits stencil) {
    return [=](Pass& p) { p.resolve.depthResolveMode = depth, p.resolve.stencilResolveMode = stencil; };
  };
  for (const bool may_be_none : {false, true}) {
    Adjust<Limits>([=](Limits& limits) {
      limits.supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT;
      limits.supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MAX_BIT;
      limits.independentResolve = VK_FALSE, limits.independentResolveNone = may_be_none ? VK_TRUE : VK_FALSE;
    });
    Start();
    RunCases({
        {nullptr, may_be_none ? kOne : kNone, modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT)},
        {nullptr, may_be_none ? "" : kNone, modes(VK_RESOLVE_MODE_NONE, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT)},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03178",
         modes(VK_RESOLVE_MODE_NONE, VK_RESOLVE_MODE_NONE)},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-depthResolveMode-03183",
         modes(VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MAX_BIT)},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-stencilResolveMode-03184",
         modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT)},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03177",
         [](Pass& p) { p.depth.attachment = VK_ATTACHMENT_UNUSED; }},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03179",
         [](Pass& p) {
           p.attachments[Pass::kColor].samples = p.attachments[Pass::kDepth].samples = VK_SAMPLE_COUNT_1_BIT;
           p.resolves.clear();
         }},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03180",
         [](Pass& p) { p.attachments[Pass::kDepthResolve].samples = kFour; }},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03181",
         [](Pass& p) { p.attachments[Pass::kDepthResolve].format = VK_FORMAT_D32_SFLOAT_S8_UINT; }},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03182",
         [](Pass& p) { p.attachments[Pass::kDepth].format = VK_FORMAT_X8_D24_UNORM_PACK32; }},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-02651",
         [](Pass& p) { p.attachments[Pass::kDepthResolve].format = VK_FORMAT_R8_UNORM; }},
    });
    const auto single_sampled = [](const auto& change) {
      return [=](Pass& p) {
        change(p), p.single_sampled.multisampledRenderToSingleSampledEnable = VK_TRUE;
        p.resolves.clear(), p.resolve.pDepthStencilResolveAttachment = nullptr;
      };
    };
    Destroy();
    Start({"VK_EXT_multisampled_render_to_single_sampled"});
    RunCases({
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pNext-06874",
         single_sampled(modes(VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MAX_BIT))},
        {nullptr, "VkSubpassDescriptionDepthStencilResolve-pNext-06875",
         single_sampled(modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT))},
        {nullptr,
         may_be_none ? "VkSubpassDescriptionDepthStencilResolve-pNext-06877"
                     : "VkSubpassDescriptionDepthStencilResolve-pNext-06876",
         single_sampled(modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT))},
    });
    Destroy();
  }
}

TEST_F(PassCreation, Dependencies) {
  Adjust<VkPhysicalDeviceMultiviewProperties>([](auto& limits) { limits.maxMultiviewViewCount = 6; });
  Start();
  constexpr VkPipelineStageFlags kDraws = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  constexpr VkPipelineStageFlags kCopies = VK_PIPELINE_STAGE_TRANSFER_BIT;
  const auto views = [](uint32_t mask) { return [=](Pass& p) { p.view_mask = mask; }; };
  RunCases({
      {"", "", [](Pass& p) { p.Depend(kCopies, kDraws, 0, VK_SUBPASS_EXTERNAL); }},
      {"VkRenderPassCreateInfo-pDependencies-00838", "VkRenderPassCreateInfo2-pDependencies-03055",
       [](Pass& p) { p.Depend(kDraws, kCopies, 0, VK_SUBPASS_EXTERNAL); }},
      {"VkRenderPassCreateInfo-pDependencies-00837", "VkRenderPassCreateInfo2-pDependencies-03054",
       [](Pass& p) { p.Depend(kCopies, kDraws, 0, 0), p.dependencies[0].dstSubpass = VK_SUBPASS_EXTERNAL; }},
      {"VkRenderPassCreateInfo-pNext-02514", "VkRenderPassCreateInfo2-viewMask-03059",
       [](Pass& p) { p.Depend(kDraws, kDraws, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT); }},
      {nullptr, "VkRenderPassCreateInfo2-pDependencies-03060",
       [](Pass& p) { p.view_mask = 3, p.Depend(kDraws, kDraws, VK_DEPENDENCY_BY_REGION_BIT); }},
      {"VkRenderPassCreateInfo-pNext-01930", nullptr,
       [](Pass& p) {
         p.view_mask = 1;
         p.Depend(kDraws, kDraws, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT, 0, 1);
       }},
      {"VkRenderPassCreateInfo-pNext-02512", nullptr,
       [](Pass& p) { p.view_mask = 1, p.Depend(kDraws, kDraws, 0, VK_SUBPASS_EXTERNAL, 1); }},
      {"", "", views(0b111111)},
      {"VkRenderPassMultiviewCreateInfo-pViewMasks-06697", "VkSubpassDescription2-viewMask-06706", views(0b1000000)},
  });
}

TEST_F(PassCreation, DensityMaps) {
  Start({"VK_EXT_fragment_density_map"});
  const auto map = [](const std::function<void(Pass&)>& change) {
    return [=](Pass& p) { p.density.fragmentDensityMapAttachment.attachment = Pass::kOther, change(p); };
  };
  const auto row = [&](const char* rule, const std::function<void(Pass&)>& change) {
    return PassCase{rule, rule, map(change)};
  };
  RunCases({
      row("", [](Pass&) {}),
      row("VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02548",
          [](Pass& p) { p.density.fragmentDensityMapAttachment.attachment = Pass::kInput; }),
      row("VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02549",
          [](Pass& p) { p.density.fragmentDensityMapAttachment.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL; }),
      row("VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02550",
          [](Pass& p) { p.attachments[Pass::kOther].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; }),
      row("VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02551",
          [](Pass& p) { p.attachments[Pass::kOther].storeOp = VK_ATTACHMENT_STORE_OP_STORE; }),
  });
}

TEST_F(PassCreation, ShadingRates) {
  using Limits = VkPhysicalDeviceFragmentShadingRatePropertiesKHR;
  Adjust<Limits>([](Limits& limits) {
    limits.minFragmentShadingRateAttachmentTexelSize = {8, 8};
    limits.maxFragmentShadingRateAttachmentTexelSize = {64, 64};
    limits.maxFragmentShadingRateAttachmentTexelSizeAspectRatio = 4;
  });
  Start({"VK_KHR_fragment_shading_rate"});
  const auto size = [](uint32_t width, uint32_t height) {
    return [=](Pass& p) {
      p.rate.pFragmentShadingRateAttachment = &p.rate_reference;
      p.rate.shadingRateAttachmentTexelSize = {width, height};
    };
  };
  RunCases({
      {nullptr, "", size(8, 32)},
      {nullptr, "VkFragmentShadingRateAttachmentInfoKHR-pFragmentShadingRateAttachment-04531", size(64, 8)},
      {nullptr, "VkFragmentShadingRateAttachmentInfoKHR-pFragmentShadingRateAttachment-04532", size(8, 64)},
      {nullptr, "VkRenderPassCreateInfo2-pAttachments-09387",
       [=](Pass& p) { size(8, 8)(p), p.attachments[Pass::kOther].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; }},
  });
}

}  // namespace
}  // namespace assay::core
