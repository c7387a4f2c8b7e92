// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr PipelineCase kCases[] = {
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06046", [](Setup& w) { w.UseRenderPass(), w.info.subpass = 1; }},
    // Of object_lifetimes: for a whole pipeline and for a part that needs the render pass.
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06603",
     [](Setup& w) { w.UseRenderPass(), w.is_render_pass_destroyed = true; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06603",
     [](Setup& w) {
       w.UseRenderPass();
       w.BeLibrary(VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT);
       w.is_render_pass_destroyed = true;
     }},
    {nullptr,
     [](Setup& w) {
       w.UseRenderPass();
       w.BeLibrary(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT);
       w.is_render_pass_destroyed = true;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-dynamicRendering-06576",
     [](Setup& w) { w.Disable("dynamicRendering"), w.Disable("dynamicRenderingLocalRead"), w.info.pNext = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-multiview-06577",
     [](Setup& w) {
       w.Disable("multiview");
       w.Disable("multiviewGeometryShader");
       w.Disable("multiviewTessellationShader");
       w.rendering.viewMask = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06578",
     [](Setup& w) {
       w.rendering.viewMask = 0x10;
       w.Limit<VkPhysicalDeviceMultiviewProperties>([](auto& p) { p.maxMultiviewViewCount = 4; });
       w.Limit<VkPhysicalDeviceVulkan11Properties>([](auto& p) { p.maxMultiviewViewCount = 4; });
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06579",
     [](Setup& w) { w.rendering.pColorAttachmentFormats = nullptr, w.info.pColorBlendState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06580",
     [](Setup& w) { w.formats_of_colors[0] = static_cast<VkFormat>(999); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06582",
     [](Setup& w) { w.formats_of_colors[0] = VK_FORMAT_BC1_RGB_UNORM_BLOCK; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06583",
     [](Setup& w) { w.rendering.depthAttachmentFormat = static_cast<VkFormat>(999); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06584",
     [](Setup& w) { w.rendering.stencilAttachmentFormat = static_cast<VkFormat>(999); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06585",
     [](Setup& w) {
       w.rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
       w.formats = {{VK_FORMAT_D32_SFLOAT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT}};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06586",
     [](Setup& w) {
       w.rendering.stencilAttachmentFormat = VK_FORMAT_S8_UINT;
       w.formats = {{VK_FORMAT_S8_UINT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT}};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06587",
     [](Setup& w) { w.rendering.depthAttachmentFormat = VK_FORMAT_S8_UINT; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06588",
     [](Setup& w) { w.rendering.stencilAttachmentFormat = VK_FORMAT_D32_SFLOAT; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06589",
     [](Setup& w) { w.UseDepth(), w.rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT; }},
    {nullptr, [](Setup& w) { w.UseDepth(); }},
    {nullptr, [](Setup& w) { w.UseDepth(), w.UseRenderPass(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-07609",
     [](Setup& w) { w.UseRenderPass(), w.blend.attachmentCount = 2; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06055", [](Setup& w) { w.blend.attachmentCount = 2; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06041",
     [](Setup& w) {
       w.UseRenderPass();
       w.blends[0].blendEnable = VK_TRUE;
       w.formats = {{VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT}};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06062",
     [](Setup& w) {
       w.blends[0].blendEnable = VK_TRUE;
       w.formats = {{VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT}};
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_AMD_mixed_attachment_samples");
       auto& s = w.Chain<VkAttachmentSampleCountInfoAMD>(w.info, {});
       static constexpr VkSampleCountFlagBits kSamples[2] = {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT};
       s.colorAttachmentCount = 1;
       s.pColorAttachmentSamples = kSamples;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06063",
     [](Setup& w) {
       w.Enable("VK_AMD_mixed_attachment_samples");
       auto& s = w.Chain<VkAttachmentSampleCountInfoAMD>(w.info, {});
       static constexpr VkSampleCountFlagBits kSamples[2] = {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT};
       s.colorAttachmentCount = 1;
       s.pColorAttachmentSamples = kSamples;
       s.colorAttachmentCount = 2;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pColorAttachmentSamples-06592",
     [](Setup& w) {
       w.Enable("VK_AMD_mixed_attachment_samples");
       auto& s = w.Chain<VkAttachmentSampleCountInfoAMD>(w.info, {});
       static constexpr VkSampleCountFlagBits kSamples[2] = {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT};
       s.colorAttachmentCount = 1;
       s.pColorAttachmentSamples = kSamples;
       static constexpr VkSampleCountFlagBits kWrong = static_cast<VkSampleCountFlagBits>(3);
       s.pColorAttachmentSamples = &kWrong;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-depthStencilAttachmentSamples-06593",
     [](Setup& w) {
       w.Enable("VK_AMD_mixed_attachment_samples");
       auto& s = w.Chain<VkAttachmentSampleCountInfoAMD>(w.info, {});
       static constexpr VkSampleCountFlagBits kSamples[2] = {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT};
       s.colorAttachmentCount = 1;
       s.pColorAttachmentSamples = kSamples;
       s.depthStencilAttachmentSamples = static_cast<VkSampleCountFlagBits>(3);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09532",
     [](Setup& w) { w.Chain<VkRenderingAttachmentLocationInfo>(w.info, {}).colorAttachmentCount = 2; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09531",
     [](Setup& w) { w.Chain<VkRenderingInputAttachmentIndexInfo>(w.info, {}).colorAttachmentCount = 2; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06595",
     [](Setup& w) {
       w.Enable("VK_NVX_multiview_per_view_attributes");
       w.Chain<VkMultiviewPerViewAttributesInfoNVX>(w.info, {}).perViewAttributesPositionXOnly = VK_TRUE;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06482",
     [](Setup& w) {
       w.Enable("VK_EXT_rasterization_order_attachment_access");
       w.Disable("dynamicRenderingLocalRead");
       w.blend.flags = VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-None-09526",
     [](Setup& w) {
       w.Enable("VK_EXT_rasterization_order_attachment_access");
       w.Disable("dynamicRenderingLocalRead");
       w.UseDepth();
       w.depth.flags = VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09527",
     [](Setup& w) {
       w.Enable("VK_EXT_rasterization_order_attachment_access");
       w.UseRenderPass();
       w.blend.flags = VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09528",
     [](Setup& w) {
       w.Enable("VK_EXT_rasterization_order_attachment_access");
       w.UseRenderPass();
       w.UseDepth();
       w.depth.flags = VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09529",
     [](Setup& w) {
       w.Enable("VK_EXT_rasterization_order_attachment_access");
       w.UseRenderPass();
       w.UseDepth();
       w.depth.flags = VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-sampleShadingEnable-04900",
     [](Setup& w) {
       w.Enable("VK_QCOM_render_pass_shader_resolve");
       w.UseRenderPass(VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM);
       w.samples.sampleShadingEnable = VK_TRUE;
     }},
};

}  // namespace

absl::Span<const PipelineCase> TargetCases() { return kCases; }

}  // namespace assay::core
