// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

using Blending = VkPipelineColorBlendAdvancedStateCreateInfoEXT;
using Limits = VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT;

constexpr VkBlendFactor kAlpha = VK_BLEND_FACTOR_CONSTANT_ALPHA;
constexpr VkBlendOp kMultiply = VK_BLEND_OP_MULTIPLY_EXT;
constexpr float kTable[] = {1, 1};

Setup& WithAdvancedBlending(Setup& w) { return With(w, {"VK_EXT_blend_operation_advanced"}); }
Setup& LimitBlending(Setup& w, uint32_t Limits::* limit, uint32_t value = VK_FALSE) {
  return Limit(WithAdvancedBlending(w), limit, value);
}
void BlendWithout(Setup& w, VkBool32 Limits::* limit, const Blending& blending) {
  LimitBlending(w, limit).Chain(w.blend, blending);
}
void Blend(Setup& w, VkBlendOp op) {
  for (auto& state : w.blends) state.colorBlendOp = state.alphaBlendOp = op;
}
// More fragments than samples of the color attachment.
Setup& UseMoreFragments(Setup& w) { return UseSamples(UseRenderPass(w), VK_SAMPLE_COUNT_4_BIT); }
Setup& WithMixedSamples(Setup& w) { return With(w, {"VK_NV_framebuffer_mixed_samples"}); }
Setup& MixSamples(Setup& w) { return UseMoreFragments(WithMixedSamples(w)); }
Setup& ReduceCoverage(Setup& w) {
  return Chain<VkPipelineCoverageReductionStateCreateInfoNV>(
      MixSamples(With(w, {"VK_NV_coverage_reduction_mode"})), w.samples,
      {.coverageReductionMode = VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV});
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { UseTwoColors(w); }),
    {"VkPipelineColorBlendStateCreateInfo-pAttachments-00605",
     [](Setup& w) { UseTwoColors(Without(w, {"independentBlend"})).blends[1].colorWriteMask = 1; }},
    {"VkPipelineColorBlendStateCreateInfo-logicOpEnable-00607",
     [](Setup& w) { w.blend.logicOpEnable = VK_TRUE, w.blend.logicOp = static_cast<VkLogicOp>(99); }},
    {"VkPipelineColorBlendStateCreateInfo-pAttachments-07353", [](Setup& w) { w.blend.pAttachments = nullptr; }},
    Correct([](Setup& w) { Blend(LimitBlending(w, &Limits::advancedBlendAllOperations), kMultiply); }),
    {"VkPipelineColorBlendAttachmentState-colorBlendOp-01406",
     [](Setup& w) { WithAdvancedBlending(w).blends[0].colorBlendOp = kMultiply; }},
    {"VkPipelineColorBlendAttachmentState-advancedBlendAllOperations-01409",
     [](Setup& w) { Blend(LimitBlending(w, &Limits::advancedBlendAllOperations), VK_BLEND_OP_PLUS_EXT); }},
    {"VkPipelineColorBlendAttachmentState-colorBlendOp-01410",
     [](Setup& w) { Blend(LimitBlending(UseTwoColors(w), &Limits::advancedBlendMaxColorAttachments, 1), kMultiply); }},
    {"VkPipelineColorBlendAttachmentState-constantAlphaColorBlendFactors-04454",
     [](Setup& w) { OfPortability(w, "constantAlphaColorBlendFactors").blends[0].srcColorBlendFactor = kAlpha; }},
    {"VkPipelineColorBlendAttachmentState-constantAlphaColorBlendFactors-04455",
     [](Setup& w) { OfPortability(w, "constantAlphaColorBlendFactors").blends[0].dstColorBlendFactor = kAlpha; }},
    {"VkPipelineColorBlendAdvancedStateCreateInfoEXT-srcPremultiplied-01424",
     [](Setup& w) { BlendWithout(w, &Limits::advancedBlendNonPremultipliedSrcColor, {.dstPremultiplied = VK_TRUE}); }},
    {"VkPipelineColorBlendAdvancedStateCreateInfoEXT-dstPremultiplied-01425",
     [](Setup& w) { BlendWithout(w, &Limits::advancedBlendNonPremultipliedDstColor, {.srcPremultiplied = VK_TRUE}); }},
    {"VkPipelineColorBlendAdvancedStateCreateInfoEXT-blendOverlap-01426", By([](Setup& w) {
       BlendWithout(
           w, &Limits::advancedBlendCorrelatedOverlap,
           {.srcPremultiplied = VK_TRUE, .dstPremultiplied = VK_TRUE, .blendOverlap = VK_BLEND_OVERLAP_CONJOINT_EXT});
     })},
    {"VkPipelineColorWriteCreateInfoEXT-pAttachments-04801",
     [](Setup& w) { UseWrites(Without(w, {"colorWriteEnable"}), 1); }},
    {"VkPipelineColorWriteCreateInfoEXT-attachmentCount-07608", [](Setup& w) { UseWrites(w, 2); }},
    {"None-09043",
     [](Setup& w) { w.formats_of_colors[0] = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, w.blends[0].colorWriteMask = 1; }},
    {"pDynamicStates-02510",
     [](Setup& w) { w.UseDepth(), w.depth.depthBoundsTestEnable = VK_TRUE, w.depth.maxDepthBounds = 2; }},
    {"VkPipelineDepthStencilStateCreateInfo-separateStencilMaskRef-04453", By([](Setup& w) {
       UseDepth(OfPortability(w, "separateStencilMaskRef"));
       w.depth.stencilTestEnable = VK_TRUE;
       w.depth.back.reference = 1;
     })},
    {"multisampledRenderToSingleSampled-06853", [](Setup& w) { UseMoreFragments(w); }},
    {"subpass-01505", [](Setup& w) { UseMoreFragments(With(w, {"VK_AMD_mixed_attachment_samples"})); }},
    {"subpass-01412", [](Setup& w) { UseRenderPass(WithMixedSamples(w)).subpass_samples = VK_SAMPLE_COUNT_4_BIT; }},
    {"VkPipelineMultisampleStateCreateInfo-rasterizationSamples-01415", [](Setup& w) { ShadeSamples(MixSamples(w)); }},
    {"subpass-01411", [](Setup& w) { UseDepth(MixSamples(w)).depth.depthTestEnable = VK_TRUE; }},
    Correct([](Setup& w) { MixSamples(w); }),
    {"subpass-00758", [](Setup& w) { UseSamples(UseNoColor(UseRenderPass(w)), VK_SAMPLE_COUNT_64_BIT); }},
    {"VkPipelineCoverageToColorStateCreateInfoNV-coverageToColorEnable-01404", By([](Setup& w) {
       UseRenderPass(With(w, {"VK_NV_fragment_coverage_to_color"}))
           .Chain<VkPipelineCoverageToColorStateCreateInfoNV>(w.samples, {.coverageToColorEnable = VK_TRUE});
     })},
    {"VkPipelineCoverageModulationStateCreateInfoNV-coverageModulationTableEnable-01405", By([](Setup& w) {
       MixSamples(w).Chain<VkPipelineCoverageModulationStateCreateInfoNV>(w.samples,
                                                                          {.coverageModulationTableEnable = VK_TRUE,
                                                                           .coverageModulationTableCount = 2,
                                                                           .pCoverageModulationTable = kTable});
     })},
    Correct([](Setup& w) { UseGrid(w, {1, 1}); }),
    Correct([](Setup& w) { UseGrid(w, {4, 2}); }),
    {"pDynamicStates-07610", [](Setup& w) { UseGrid(w, {3, 4}); }},
    {"pDynamicStates-07611", [](Setup& w) { UseGrid(w, {2, 8}); }},
    {"pDynamicStates-07611", By([](Setup& w) {
       UseDynamic(With(w, {"VK_EXT_extended_dynamic_state3"}), {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT});
       UseGrid(w, {1, 3});
     })},
    Correct([](Setup& w) { UseGrid(w, {3, 3}), w.SetDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT); }),
    Correct([](Setup& w) { ReduceCoverage(w); }),
    // Depth without tests, but with fewer samples.
    {"coverageReductionMode-02722", [](Setup& w) { ReduceCoverage(w).UseDepth(); }},
    {"renderPass-08744", [](Setup& w) { UseSamples(ShadeSamples(w), VK_SAMPLE_COUNT_64_BIT); }},
    {"renderPass-08744", [](Setup& w) { UseSamples(ShadeSamples(UseDepth(UseNoColor(w))), VK_SAMPLE_COUNT_32_BIT); }},
    Correct([](Setup& w) { UseSamples(ShadeSamples(w), VK_SAMPLE_COUNT_16_BIT); }),
    Correct([](Setup& w) { w.samples.rasterizationSamples = VK_SAMPLE_COUNT_64_BIT; }),
    {"VkSampleLocationsInfoEXT-sampleLocationsCount-01527",
     [](Setup& w) { UseGrid(w, {1, 1}).sampleLocationsInfo.sampleLocationsCount = 2; }},
    {"pDynamicStates-07612", [](Setup& w) { UseGrid(w, {1, 1}, VK_SAMPLE_COUNT_2_BIT); }},
    {"VkSampleLocationsInfoEXT-sampleLocationsPerPixel-01526",
     [](Setup& w) { UseGrid(LimitLocations(w, VK_SAMPLE_COUNT_4_BIT), {1, 1}); }},
};

}  // namespace

absl::Span<const PipelineCase> OutputCases() { return kCases; }

}  // namespace assay::core
