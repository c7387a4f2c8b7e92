// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

constexpr VkSampleCountFlagBits kSamples[] = {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT};
constexpr VkSampleCountFlagBits kBadSamples = static_cast<VkSampleCountFlagBits>(3);
constexpr VkFormat kBadFormat = static_cast<VkFormat>(999);
constexpr VkPipelineColorBlendStateCreateFlags kColorAccess =
    VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
constexpr VkPipelineDepthStencilStateCreateFlags kStencilAccess =
    VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;

void LosePass(Setup& w, Parts parts) { BeLibrary(UseRenderPass(w), parts).is_render_pass_destroyed = true; }
void BlendWithoutFeature(Setup& w) {
  w.blends[0].blendEnable = VK_TRUE;
  w.formats = {{VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT}};
}
// The attachment has a format for sampled images alone.
void OnlySample(Setup& w, VkFormat& attachment, VkFormat format) {
  attachment = format;
  w.formats = {{format, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT}};
}
void MixSamples(Setup& w, uint32_t count, const VkSampleCountFlagBits* colors, VkSampleCountFlagBits depth = {}) {
  With(w, {"VK_AMD_mixed_attachment_samples"})
      .Chain<VkAttachmentSampleCountInfoAMD>(
          w.info,
          {.colorAttachmentCount = count, .pColorAttachmentSamples = colors, .depthStencilAttachmentSamples = depth});
}
Setup& InOrder(Setup& w) { return With(w, {"VK_EXT_rasterization_order_attachment_access"}); }
Setup& InOrderWithoutLocalRead(Setup& w) { return Without(InOrder(w), {"dynamicRenderingLocalRead"}); }

constexpr PipelineCase kCases[] = {
    {"renderPass-06046", [](Setup& w) { w.UseRenderPass(), w.info.subpass = 1; }},
    // Of object_lifetimes: for a whole pipeline and for a part that needs the render pass.
    {"renderPass-06603", [](Setup& w) { w.UseRenderPass(), w.is_render_pass_destroyed = true; }},
    {"renderPass-06603", [](Setup& w) { LosePass(w, kVertexPart); }},
    Correct([](Setup& w) { LosePass(w, kInputPart); }),
    {"dynamicRendering-06576",
     [](Setup& w) { w.Disable("dynamicRendering"), w.Disable("dynamicRenderingLocalRead"), w.info.pNext = nullptr; }},
    {"multiview-06577",
     [](Setup& w) { UseView(Without(w, {"multiview", "multiviewGeometryShader", "multiviewTessellationShader"})); }},
    {"renderPass-06578", By([](Setup& w) {
       w.rendering.viewMask = 0x10;
       Limit(w, &VkPhysicalDeviceMultiviewProperties::maxMultiviewViewCount, 4);
       Limit(w, &VkPhysicalDeviceVulkan11Properties::maxMultiviewViewCount, 4);
     })},
    {"renderPass-06579",
     [](Setup& w) { w.rendering.pColorAttachmentFormats = nullptr, w.info.pColorBlendState = nullptr; }},
    {"renderPass-06580", [](Setup& w) { w.formats_of_colors[0] = kBadFormat; }},
    {"renderPass-06582", [](Setup& w) { w.formats_of_colors[0] = VK_FORMAT_BC1_RGB_UNORM_BLOCK; }},
    {"renderPass-06583", [](Setup& w) { w.rendering.depthAttachmentFormat = kBadFormat; }},
    {"renderPass-06584", [](Setup& w) { w.rendering.stencilAttachmentFormat = kBadFormat; }},
    {"renderPass-06585", [](Setup& w) { OnlySample(w, w.rendering.depthAttachmentFormat, VK_FORMAT_D32_SFLOAT); }},
    {"renderPass-06586", [](Setup& w) { OnlySample(w, w.rendering.stencilAttachmentFormat, VK_FORMAT_S8_UINT); }},
    {"renderPass-06587", [](Setup& w) { w.rendering.depthAttachmentFormat = VK_FORMAT_S8_UINT; }},
    {"renderPass-06588", [](Setup& w) { w.rendering.stencilAttachmentFormat = VK_FORMAT_D32_SFLOAT; }},
    {"renderPass-06589", [](Setup& w) { UseDepth(w).rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT; }},
    Correct([](Setup& w) { w.UseDepth(); }),
    Correct([](Setup& w) { w.UseDepth(), w.UseRenderPass(); }),
    {"renderPass-07609", [](Setup& w) { w.UseRenderPass(), w.blend.attachmentCount = 2; }},
    {"renderPass-06055", [](Setup& w) { w.blend.attachmentCount = 2; }},
    {"renderPass-06041", [](Setup& w) { BlendWithoutFeature(UseRenderPass(w)); }},
    {"renderPass-06062", [](Setup& w) { BlendWithoutFeature(w); }},
    Correct([](Setup& w) { MixSamples(w, 1, kSamples); }),
    {"renderPass-06063", [](Setup& w) { MixSamples(w, 2, kSamples); }},
    {"pColorAttachmentSamples-06592", [](Setup& w) { MixSamples(w, 1, &kBadSamples); }},
    {"depthStencilAttachmentSamples-06593", [](Setup& w) { MixSamples(w, 1, kSamples, kBadSamples); }},
    {"renderPass-09532",
     [](Setup& w) { w.Chain<VkRenderingAttachmentLocationInfo>(w.info, {}).colorAttachmentCount = 2; }},
    {"renderPass-09531",
     [](Setup& w) { w.Chain<VkRenderingInputAttachmentIndexInfo>(w.info, {}).colorAttachmentCount = 2; }},
    {"renderPass-06595", By([](Setup& w) {
       With(w, {"VK_NVX_multiview_per_view_attributes"})
           .Chain<VkMultiviewPerViewAttributesInfoNVX>(w.info, {.perViewAttributesPositionXOnly = VK_TRUE});
     })},
    {"flags-06482", [](Setup& w) { InOrderWithoutLocalRead(w).blend.flags = kColorAccess; }},
    {"None-09526", [](Setup& w) { UseDepth(InOrderWithoutLocalRead(w)).depth.flags = kDepthAccess; }},
    {"renderPass-09527", [](Setup& w) { UseRenderPass(InOrder(w)).blend.flags = kColorAccess; }},
    {"renderPass-09528", [](Setup& w) { UseDepth(UseRenderPass(InOrder(w))).depth.flags = kDepthAccess; }},
    {"renderPass-09529", [](Setup& w) { UseDepth(UseRenderPass(InOrder(w))).depth.flags = kStencilAccess; }},
    {"sampleShadingEnable-04900", [](Setup& w) { UseFragmentRegions(w).samples.sampleShadingEnable = VK_TRUE; }},
};

}  // namespace

absl::Span<const PipelineCase> TargetCases() { return kCases; }

}  // namespace assay::core
