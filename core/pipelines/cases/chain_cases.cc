// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

using Advanced = VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT;

void UseAdvanced(Setup& w, bool is_independent) {
  w.Enable("VK_EXT_blend_operation_advanced");
  w.Limit<Advanced>([=](Advanced& limits) {
    limits.advancedBlendIndependentBlend = is_independent ? VK_TRUE : VK_FALSE;
    limits.advancedBlendAllOperations = VK_TRUE;
    limits.advancedBlendMaxColorAttachments = 8;
  });
  w.rendering.colorAttachmentCount = 2;
  w.blend.attachmentCount = 2;
  w.blends[0].colorBlendOp = w.blends[0].alphaBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
  w.blends[1].colorBlendOp = w.blends[1].alphaBlendOp = VK_BLEND_OP_SCREEN_EXT;
}
void UseDivisor(Setup& w, VkVertexInputRate rate) {
  static constexpr VkVertexInputBindingDivisorDescription kDivisor = {0, 1};
  w.binding.inputRate = rate;
  w.Chain<VkPipelineVertexInputDivisorStateCreateInfo>(
      w.input, {.vertexBindingDivisorCount = 1, .pVertexBindingDivisors = &kDivisor});
}
void UseSampleOrder(Setup& w, VkCoarseSampleOrderTypeNV type, uint32_t count) {
  static constexpr VkCoarseSampleLocationNV kLocations[] = {{0, 0, 0}, {0, 1, 0}};
  static constexpr VkCoarseSampleOrderCustomNV kOrder = {VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV,
                                                         1, 2, kLocations};
  static constexpr VkCoarseSampleOrderCustomNV kOrders[] = {kOrder, kOrder};
  w.Enable("VK_NV_shading_rate_image");
  w.Limit<VkPhysicalDeviceShadingRateImagePropertiesNV>([](auto& limits) { limits.shadingRateMaxCoarseSamples = 4; });
  w.Chain<VkPipelineViewportCoarseSampleOrderStateCreateInfoNV>(
      w.viewport, {.sampleOrderType = type, .customSampleOrderCount = count, .pCustomSampleOrders = kOrders});
}
void UseEnums(Setup& w, VkFragmentShadingRateTypeNV type, VkFragmentShadingRateNV rate) {
  w.Enable("VK_KHR_fragment_shading_rate");
  w.Enable("VK_NV_fragment_shading_rate_enums");
  w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {.shadingRateType = type, .shadingRate = rate});
}
void UseExternalFormat(Setup& w) {
  w.Enable("VK_EXT_queue_family_foreign");
  w.Enable("VK_ANDROID_external_memory_android_hardware_buffer");
  w.Enable("VK_ANDROID_external_format_resolve");
  w.Chain<VkExternalFormatANDROID>(w.info, {}).externalFormat = 1;
}
void SetRate(Setup& w, VkExtent2D size) {
  w.Enable("VK_KHR_fragment_shading_rate");
  w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = size;
}
void UseWrites(Setup& w, uint32_t count) {
  static constexpr VkBool32 kWrites[100] = {};
  w.Enable("VK_EXT_color_write_enable");
  w.Chain<VkPipelineColorWriteCreateInfoEXT>(w.blend, {.attachmentCount = count, .pColorWriteEnables = kWrites});
}

constexpr PipelineCase kCases[] = {
    {nullptr, [](Setup& w) { UseAdvanced(w, true); }},
    {nullptr, [](Setup& w) { UseAdvanced(w, false), w.blends[1] = w.blends[0]; }},
    {"VUID-VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01407",
     [](Setup& w) { UseAdvanced(w, false); },
     "VUID-VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01408"},
    {nullptr, [](Setup& w) { UseWrites(w, 1); }},
    {"VUID-VkPipelineColorWriteCreateInfoEXT-attachmentCount-06655", [](Setup& w) { UseWrites(w, 100); },
     "VUID-VkPipelineColorWriteCreateInfoEXT-attachmentCount-07608"},
    {nullptr, [](Setup& w) { UseDivisor(w, VK_VERTEX_INPUT_RATE_INSTANCE); }},
    {"VUID-VkVertexInputBindingDivisorDescription-inputRate-01871",
     [](Setup& w) { UseDivisor(w, VK_VERTEX_INPUT_RATE_VERTEX); }},
    {nullptr, [](Setup& w) { UseSampleOrder(w, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 1); }},
    {"VUID-VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-sampleOrderType-02072",
     [](Setup& w) { UseSampleOrder(w, VK_COARSE_SAMPLE_ORDER_TYPE_DEFAULT_NV, 1); }},
    {"VUID-VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-pCustomSampleOrders-02234",
     [](Setup& w) { UseSampleOrder(w, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 2); }},
    {nullptr,
     [](Setup& w) {
       UseEnums(w, VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV, VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_1X2_PIXELS_NV);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04569",
     [](Setup& w) {
       w.Disable("fragmentShadingRateEnums");
       w.Disable("supersampleFragmentShadingRates");
       w.Disable("noInvocationFragmentShadingRates");
       UseEnums(w, VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV, VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_PIXEL_NV);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04570",
     [](Setup& w) {
       w.Disable("pipelineFragmentShadingRate");
       UseEnums(w, VK_FRAGMENT_SHADING_RATE_TYPE_FRAGMENT_SIZE_NV,
                VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_1X2_PIXELS_NV);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06854",
     [](Setup& w) {
       w.Enable("VK_EXT_multisampled_render_to_single_sampled");
       w.UseRenderPass();
       w.single_sampled = VK_SAMPLE_COUNT_4_BIT;
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_2_BIT;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_multisampled_render_to_single_sampled");
       w.UseRenderPass();
       w.single_sampled = VK_SAMPLE_COUNT_4_BIT;
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-rasterizationSamples-04899",
     [](Setup& w) {
       w.Enable("VK_QCOM_render_pass_shader_resolve");
       w.UseRenderPass(VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM);
       w.input_samples = VK_SAMPLE_COUNT_4_BIT;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_QCOM_render_pass_shader_resolve");
       w.UseRenderPass(VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM);
       w.input_samples = VK_SAMPLE_COUNT_1_BIT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-libraryCount-06649",
     [](Setup& w) {
       w.Enable("VK_NV_device_generated_commands");
       w.Chain<VkGraphicsPipelineShaderGroupsCreateInfoNV>(w.info, {});
     }},
    {nullptr, [](Setup& w) { UseExternalFormat(w); }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09301",
     [](Setup& w) { UseExternalFormat(w), w.rendering.viewMask = 1; }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09309",
     [](Setup& w) { UseExternalFormat(w), w.rendering.colorAttachmentCount = 2, w.blend.attachmentCount = 2; }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09304",
     [](Setup& w) { UseExternalFormat(w), w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09305",
     [](Setup& w) { UseExternalFormat(w), w.blends[0].blendEnable = VK_TRUE; }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09306",
     [](Setup& w) { UseExternalFormat(w), SetRate(w, {2, 1}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09307",
     [](Setup& w) { UseExternalFormat(w), SetRate(w, {1, 2}); }},
    {nullptr, [](Setup& w) { UseExternalFormat(w), SetRate(w, {1, 1}); }},
};

}  // namespace

absl::Span<const PipelineCase> ChainCases() { return kCases; }

}  // namespace assay::core
