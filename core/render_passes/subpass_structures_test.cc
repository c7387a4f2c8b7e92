// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts and resolves of depth and stencil, views, fragment densities and shading rates of render passes, through the
// whole layer.

#include "core/render_passes/pass_creation_test.h"

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
  owner1_ = "VkAttachmentDescription", owner2_ = "VkAttachmentDescription2";
  RunCases({{"format-06242", "format-06249", initial(kSeparateDepth)},
            {"format-06243", "format-06250", final(kSeparateDepth)},
            {"format-06906", "format-06906", initial(kSeparateStencil)},
            {"format-06907", "format-06907", final(kSeparateStencil)}});
  owner2_ = "VkRenderPassCreateInfo2";
  RunCases2({
      {"", [=](Pass& p) { p.attachments[Pass::kDepth].pNext = &p.stencil_layouts, initial(kSeparateDepth)(p); }},
      {"", used(kSeparateDepth, VK_FORMAT_D16_UNORM)},
      {"attachment-06244", used(kSeparateDepth, kDepthFormat)},
      {"attachment-06246", used(kSeparateDepth, VK_FORMAT_S8_UINT)},
      {"attachment-06245", used(kSeparateStencil, kDepthFormat)},
      {"", [=](Pass& p) { used(kSeparateDepth, kDepthFormat)(p), p.depth.pNext = &p.stencil; }},
      {"VkSubpassDescription2-attachment-06251", Change([=](Pass& p) {
         used(kSeparateStencil, kDepthFormat)(p), p.depth.pNext = &p.stencil;
         p.stencil.stencilLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
       })},
  });
}

TEST_F(PassCreation, DepthStencilResolves) {
  constexpr const char* kNone = "pDepthStencilResolveAttachment-03185";
  constexpr const char* kOther = "pDepthStencilResolveAttachment-03186";
  owner2_ = "VkSubpassDescriptionDepthStencilResolve";
  const auto modes = [](VkResolveModeFlagBits depth, VkResolveModeFlagBits stencil) {
    return [=](Pass& p) { p.resolve.depthResolveMode = depth, p.resolve.stencilResolveMode = stencil; };
  };
  for (const bool may_be_none : {false, true}) {
    ChangeProperties<VkPhysicalDeviceDepthStencilResolveProperties>([=](auto& limits) {
      limits.supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT;
      limits.supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MAX_BIT;
      limits.independentResolve = VK_FALSE, limits.independentResolveNone = may_be_none ? VK_TRUE : VK_FALSE;
    });
    Start();
    RunCases2({
        {may_be_none ? kOther : kNone, modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT)},
        {may_be_none ? "" : kNone, modes(VK_RESOLVE_MODE_NONE, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT)},
        {"pDepthStencilResolveAttachment-03178", modes(VK_RESOLVE_MODE_NONE, VK_RESOLVE_MODE_NONE)},
        {"depthResolveMode-03183", modes(VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MAX_BIT)},
        {"stencilResolveMode-03184", modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT)},
        {"pDepthStencilResolveAttachment-03177", [](Pass& p) { p.depth.attachment = VK_ATTACHMENT_UNUSED; }},
        {"pDepthStencilResolveAttachment-03179", Change([](Pass& p) {
           p.attachments[Pass::kColor].samples = p.attachments[Pass::kDepth].samples = kOne;
           p.resolves.clear();
         })},
        {"pDepthStencilResolveAttachment-03180", Samples(Pass::kDepthResolve, kFour)},
        {"pDepthStencilResolveAttachment-03181", Format(Pass::kDepthResolve, VK_FORMAT_D32_SFLOAT_S8_UINT)},
        {"pDepthStencilResolveAttachment-03182", Format(Pass::kDepth, VK_FORMAT_X8_D24_UNORM_PACK32)},
        {"pDepthStencilResolveAttachment-02651", Format(Pass::kDepthResolve, VK_FORMAT_R8_UNORM)},
    });
    const auto single_sampled = [](const auto& change) {
      return [=](Pass& p) {
        change(p), p.single_sampled.multisampledRenderToSingleSampledEnable = VK_TRUE;
        p.resolves.clear(), p.resolve.pDepthStencilResolveAttachment = nullptr;
      };
    };
    Destroy();
    Start({"VK_EXT_multisampled_render_to_single_sampled"});
    RunCases2({
        {"pNext-06874", single_sampled(modes(VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MAX_BIT))},
        {"pNext-06875", single_sampled(modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT))},
        {may_be_none ? "pNext-06877" : "pNext-06876",
         single_sampled(modes(VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT))},
    });
    Destroy();
  }
}

TEST_F(PassCreation, Dependencies) {
  ChangeProperties<VkPhysicalDeviceMultiviewProperties>([](auto& limits) { limits.maxMultiviewViewCount = 6; });
  Start();
  constexpr VkPipelineStageFlags kDraws = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  constexpr VkPipelineStageFlags kCopies = VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkDependencyFlags kRegionAndViews = VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT;
  const auto views = [](uint32_t mask) { return [=](Pass& p) { p.view_mask = mask; }; };
  owner1_ = "VkRenderPassCreateInfo", owner2_ = "VkRenderPassCreateInfo2";
  RunCases({
      {"", "", [](Pass& p) { p.Depend(kCopies, kDraws, 0, VK_SUBPASS_EXTERNAL); }},
      {"pDependencies-00838", "pDependencies-03055",
       [](Pass& p) { p.Depend(kDraws, kCopies, 0, VK_SUBPASS_EXTERNAL); }},
      {"pDependencies-00837", "pDependencies-03054",
       [](Pass& p) { p.Depend(kCopies, kDraws, 0, 0), p.dependencies[0].dstSubpass = VK_SUBPASS_EXTERNAL; }},
      {"pNext-02514", "viewMask-03059", [](Pass& p) { p.Depend(kDraws, kDraws, kRegionAndViews); }},
      {nullptr, "pDependencies-03060",
       [](Pass& p) { p.view_mask = 3, p.Depend(kDraws, kDraws, VK_DEPENDENCY_BY_REGION_BIT); }},
      {"pNext-01930", nullptr, [](Pass& p) { p.view_mask = 1, p.Depend(kDraws, kDraws, kRegionAndViews, 0, 1); }},
      {"pNext-02512", nullptr, [](Pass& p) { p.view_mask = 1, p.Depend(kDraws, kDraws, 0, VK_SUBPASS_EXTERNAL, 1); }},
      {"", "", views(0b111111)},
      {"VkRenderPassMultiviewCreateInfo-pViewMasks-06697", "VkSubpassDescription2-viewMask-06706", views(0b1000000)},
  });
}

TEST_F(PassCreation, DensityMaps) {
  Start({"VK_EXT_fragment_density_map"});
  const auto map = [](uint32_t attachment = Pass::kOther, VkImageLayout layout = kGeneral) {
    return [=](Pass& p) { p.density.fragmentDensityMapAttachment = {attachment, layout}; };
  };
  owner1_ = owner2_ = "VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment";
  RunCases({
      {"", "", map()},
      {"02548", "02548", map(Pass::kInput)},
      {"02549", "02549", map(Pass::kOther, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)},
      {"02550", "02550", [=](Pass& p) { map()(p), p.attachments[Pass::kOther].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; }},
      {"02551", "02551",
       [=](Pass& p) { map()(p), p.attachments[Pass::kOther].storeOp = VK_ATTACHMENT_STORE_OP_STORE; }},
  });
}

TEST_F(PassCreation, ShadingRates) {
  ChangeProperties<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>([](auto& limits) {
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
  owner2_ = "VkFragmentShadingRateAttachmentInfoKHR";
  RunCases2({
      {"", size(8, 32)},
      {"pFragmentShadingRateAttachment-04531", size(64, 8)},
      {"pFragmentShadingRateAttachment-04532", size(8, 64)},
      {"VkRenderPassCreateInfo2-pAttachments-09387",
       [=](Pass& p) { size(8, 8)(p), p.attachments[Pass::kOther].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; }},
  });
}

}  // namespace
}  // namespace assay::core
