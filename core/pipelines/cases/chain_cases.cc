// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

using Advanced = VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT;

constexpr VkFragmentShadingRateNV k1x2 = VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_1X2_PIXELS_NV;
constexpr VkFragmentShadingRateTypeNV kBySize = VK_FRAGMENT_SHADING_RATE_TYPE_FRAGMENT_SIZE_NV;

void UseAdvanced(Setup& w, bool is_independent) {
  w.Enable("VK_EXT_blend_operation_advanced");
  w.Limit<Advanced>([=](Advanced& limits) {
    limits.advancedBlendIndependentBlend = is_independent ? VK_TRUE : VK_FALSE;
    limits.advancedBlendAllOperations = VK_TRUE;
    limits.advancedBlendMaxColorAttachments = 8;
  });
  UseTwoColors(w);
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
  Limit(w, &VkPhysicalDeviceShadingRateImagePropertiesNV::shadingRateMaxCoarseSamples, 4);
  w.Chain<VkPipelineViewportCoarseSampleOrderStateCreateInfoNV>(
      w.viewport, {.sampleOrderType = type, .customSampleOrderCount = count, .pCustomSampleOrders = kOrders});
}
void UseSingleSampled(Setup& w, VkSampleCountFlagBits samples) {
  UseRenderPass(With(w, {"VK_EXT_multisampled_render_to_single_sampled"})).single_sampled = VK_SAMPLE_COUNT_4_BIT;
  UseSamples(w, samples);
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { UseAdvanced(w, true); }),
    Correct([](Setup& w) { UseAdvanced(w, false), w.blends[1] = w.blends[0]; }),
    {"VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01407", [](Setup& w) { UseAdvanced(w, false); },
     "VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01408"},
    Correct([](Setup& w) { UseWrites(w, 1); }),
    {"VkPipelineColorWriteCreateInfoEXT-attachmentCount-06655", [](Setup& w) { UseWrites(w, 100); },
     "VkPipelineColorWriteCreateInfoEXT-attachmentCount-07608"},
    Correct([](Setup& w) { UseDivisor(w, VK_VERTEX_INPUT_RATE_INSTANCE); }),
    {"VkVertexInputBindingDivisorDescription-inputRate-01871",
     [](Setup& w) { UseDivisor(w, VK_VERTEX_INPUT_RATE_VERTEX); }},
    Correct([](Setup& w) { UseSampleOrder(w, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 1); }),
    {"VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-sampleOrderType-02072",
     [](Setup& w) { UseSampleOrder(w, VK_COARSE_SAMPLE_ORDER_TYPE_DEFAULT_NV, 1); }},
    {"VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-pCustomSampleOrders-02234",
     [](Setup& w) { UseSampleOrder(w, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 2); }},
    Correct([](Setup& w) { UseEnums(w, k1x2); }),
    {"pDynamicState-04569", By([](Setup& w) {
       Without(w, {"fragmentShadingRateEnums", "supersampleFragmentShadingRates", "noInvocationFragmentShadingRates"});
       UseEnums(w);
     })},
    {"pDynamicState-04570",
     [](Setup& w) { UseEnums(Without(w, {"pipelineFragmentShadingRate"}), k1x2).shadingRateType = kBySize; }},
    {"renderPass-06854", [](Setup& w) { UseSingleSampled(w, VK_SAMPLE_COUNT_2_BIT); }},
    Correct([](Setup& w) { UseSingleSampled(w, VK_SAMPLE_COUNT_4_BIT); }),
    {"rasterizationSamples-04899", [](Setup& w) { UseFragmentRegions(w).input_samples = VK_SAMPLE_COUNT_4_BIT; }},
    Correct([](Setup& w) { UseFragmentRegions(w).input_samples = VK_SAMPLE_COUNT_1_BIT; }),
    {"libraryCount-06649",
     [](Setup& w) { GenerateCommandsNv(w).Chain<VkGraphicsPipelineShaderGroupsCreateInfoNV>(w.info, {}); }},
    Correct([](Setup& w) { UseExternalFormat(w); }),
    {"externalFormatResolve-09301", [](Setup& w) { UseView(UseExternalFormat(w)); }},
    {"externalFormatResolve-09309", [](Setup& w) { UseTwoColors(UseExternalFormat(w)); }},
    {"externalFormatResolve-09304", [](Setup& w) { UseSamples(UseExternalFormat(w), VK_SAMPLE_COUNT_4_BIT); }},
    {"externalFormatResolve-09305", [](Setup& w) { UseExternalFormat(w).blends[0].blendEnable = VK_TRUE; }},
    {"externalFormatResolve-09306", [](Setup& w) { SetRate(UseExternalFormat(w), {2, 1}); }},
    {"externalFormatResolve-09307", [](Setup& w) { SetRate(UseExternalFormat(w), {1, 2}); }},
    Correct([](Setup& w) { SetRate(UseExternalFormat(w), {1, 1}); }),
};

}  // namespace

absl::Span<const PipelineCase> ChainCases() { return kCases; }

}  // namespace assay::core
