// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

// One sample location for each texel of a grid, of which the driver has 4 by 4.
void UseGrid(Setup& w, VkExtent2D size) {
  w.Enable("VK_EXT_sample_locations");
  static constexpr VkSampleLocationEXT kAt[16] = {};
  auto& s = w.Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(w.samples, {});
  s.sampleLocationsEnable = VK_TRUE;
  s.sampleLocationsInfo = {
      VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, size, size.width * size.height, kAt};
}
// More fragments than samples of the color attachment.
void MixSamples(Setup& w) {
  w.Enable("VK_NV_framebuffer_mixed_samples");
  w.Enable("VK_NV_coverage_reduction_mode");
  w.UseRenderPass();
  w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
  w.Chain<VkPipelineCoverageReductionStateCreateInfoNV>(w.samples, {}).coverageReductionMode =
      VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV;
}

constexpr PipelineCase kCases[] = {
    {nullptr, [](Setup& w) { w.rendering.colorAttachmentCount = 2, w.blend.attachmentCount = 2; }},
    {"VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-00605",
     [](Setup& w) {
       w.Disable("independentBlend");
       w.rendering.colorAttachmentCount = 2;
       w.blend.attachmentCount = 2;
       w.blends[1].colorWriteMask = 1;
     }},
    {"VUID-VkPipelineColorBlendStateCreateInfo-logicOpEnable-00607",
     [](Setup& w) { w.blend.logicOpEnable = VK_TRUE, w.blend.logicOp = static_cast<VkLogicOp>(99); }},
    {"VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-07353", [](Setup& w) { w.blend.pAttachments = nullptr; }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_blend_operation_advanced");
       w.blends[0].colorBlendOp = w.blends[0].alphaBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
       w.Limit<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>(
           [](auto& p) { p.advancedBlendAllOperations = VK_FALSE; });
     }},
    {"VUID-VkPipelineColorBlendAttachmentState-colorBlendOp-01406",
     [](Setup& w) {
       w.Enable("VK_EXT_blend_operation_advanced");
       w.blends[0].colorBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
     }},
    {"VUID-VkPipelineColorBlendAttachmentState-advancedBlendAllOperations-01409",
     [](Setup& w) {
       w.Enable("VK_EXT_blend_operation_advanced");
       w.Limit<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>(
           [](auto& p) { p.advancedBlendAllOperations = VK_FALSE; });
       w.blends[0].colorBlendOp = w.blends[0].alphaBlendOp = VK_BLEND_OP_PLUS_EXT;
     }},
    {"VUID-VkPipelineColorBlendAttachmentState-colorBlendOp-01410",
     [](Setup& w) {
       w.Enable("VK_EXT_blend_operation_advanced");
       w.Limit<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>(
           [](auto& p) { p.advancedBlendMaxColorAttachments = 1; });
       w.rendering.colorAttachmentCount = 2;
       w.blend.attachmentCount = 2;
       w.blends[0].colorBlendOp = w.blends[0].alphaBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
       w.blends[1].colorBlendOp = w.blends[1].alphaBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
     }},
    {"VUID-VkPipelineColorBlendAttachmentState-constantAlphaColorBlendFactors-04454",
     [](Setup& w) {
       w.Enable("VK_KHR_portability_subset");
       w.Disable("constantAlphaColorBlendFactors");
       w.blends[0].srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA;
     }},
    {"VUID-VkPipelineColorBlendAttachmentState-constantAlphaColorBlendFactors-04455",
     [](Setup& w) {
       w.Enable("VK_KHR_portability_subset");
       w.Disable("constantAlphaColorBlendFactors");
       w.blends[0].dstColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA;
     }},
    {"VUID-VkPipelineColorBlendAdvancedStateCreateInfoEXT-srcPremultiplied-01424",
     [](Setup& w) {
       w.Enable("VK_EXT_blend_operation_advanced");
       w.Limit<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>(
           [](auto& p) { p.advancedBlendNonPremultipliedSrcColor = VK_FALSE; });
       w.Chain<VkPipelineColorBlendAdvancedStateCreateInfoEXT>(w.blend, {}).dstPremultiplied = VK_TRUE;
     }},
    {"VUID-VkPipelineColorBlendAdvancedStateCreateInfoEXT-dstPremultiplied-01425",
     [](Setup& w) {
       w.Enable("VK_EXT_blend_operation_advanced");
       w.Limit<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>(
           [](auto& p) { p.advancedBlendNonPremultipliedDstColor = VK_FALSE; });
       w.Chain<VkPipelineColorBlendAdvancedStateCreateInfoEXT>(w.blend, {}).srcPremultiplied = VK_TRUE;
     }},
    {"VUID-VkPipelineColorBlendAdvancedStateCreateInfoEXT-blendOverlap-01426",
     [](Setup& w) {
       w.Enable("VK_EXT_blend_operation_advanced");
       w.Limit<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>(
           [](auto& p) { p.advancedBlendCorrelatedOverlap = VK_FALSE; });
       auto& s = w.Chain<VkPipelineColorBlendAdvancedStateCreateInfoEXT>(w.blend, {});
       s.srcPremultiplied = s.dstPremultiplied = VK_TRUE;
       s.blendOverlap = VK_BLEND_OVERLAP_CONJOINT_EXT;
     }},
    {"VUID-VkPipelineColorWriteCreateInfoEXT-pAttachments-04801",
     [](Setup& w) {
       w.Enable("VK_EXT_color_write_enable");
       w.Disable("colorWriteEnable");
       auto& s = w.Chain<VkPipelineColorWriteCreateInfoEXT>(w.blend, {});
       static constexpr VkBool32 kNo = VK_FALSE;
       s.attachmentCount = 1;
       s.pColorWriteEnables = &kNo;
     }},
    {"VUID-VkPipelineColorWriteCreateInfoEXT-attachmentCount-07608",
     [](Setup& w) {
       w.Enable("VK_EXT_color_write_enable");
       auto& s = w.Chain<VkPipelineColorWriteCreateInfoEXT>(w.blend, {});
       static constexpr VkBool32 kYes[] = {VK_TRUE, VK_TRUE};
       s.pColorWriteEnables = kYes;
       s.attachmentCount = 2;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-None-09043",
     [](Setup& w) { w.formats_of_colors[0] = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, w.blends[0].colorWriteMask = 1; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-02510",
     [](Setup& w) { w.UseDepth(), w.depth.depthBoundsTestEnable = VK_TRUE, w.depth.maxDepthBounds = 2; }},
    {"VUID-VkPipelineDepthStencilStateCreateInfo-separateStencilMaskRef-04453",
     [](Setup& w) {
       w.Enable("VK_KHR_portability_subset");
       w.Disable("separateStencilMaskRef");
       w.UseDepth();
       w.depth.stencilTestEnable = VK_TRUE;
       w.depth.back.reference = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-multisampledRenderToSingleSampled-06853",
     [](Setup& w) { w.UseRenderPass(), w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; }},
    {"VUID-VkGraphicsPipelineCreateInfo-subpass-01505",
     [](Setup& w) {
       w.Enable("VK_AMD_mixed_attachment_samples");
       w.UseRenderPass();
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-subpass-01412",
     [](Setup& w) {
       w.Enable("VK_NV_framebuffer_mixed_samples");
       w.UseRenderPass();
       w.subpass_samples = VK_SAMPLE_COUNT_4_BIT;
     }},
    {"VUID-VkPipelineMultisampleStateCreateInfo-rasterizationSamples-01415",
     [](Setup& w) {
       w.Enable("VK_NV_framebuffer_mixed_samples");
       w.UseRenderPass();
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
       w.samples.sampleShadingEnable = VK_TRUE;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-subpass-01411",
     [](Setup& w) {
       w.Enable("VK_NV_framebuffer_mixed_samples");
       w.UseRenderPass();
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
       w.UseDepth();
       w.depth.depthTestEnable = VK_TRUE;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_NV_framebuffer_mixed_samples");
       w.UseRenderPass();
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-subpass-00758",
     [](Setup& w) {
       w.UseRenderPass();
       w.rendering.colorAttachmentCount = 0;
       w.info.pColorBlendState = nullptr;
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_64_BIT;
     }},
    {"VUID-VkPipelineCoverageToColorStateCreateInfoNV-coverageToColorEnable-01404",
     [](Setup& w) {
       w.Enable("VK_NV_fragment_coverage_to_color");
       w.UseRenderPass();
       w.Chain<VkPipelineCoverageToColorStateCreateInfoNV>(w.samples, {}).coverageToColorEnable = VK_TRUE;
     }},
    {"VUID-VkPipelineCoverageModulationStateCreateInfoNV-coverageModulationTableEnable-01405",
     [](Setup& w) {
       w.Enable("VK_NV_framebuffer_mixed_samples");
       w.UseRenderPass();
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
       auto& s = w.Chain<VkPipelineCoverageModulationStateCreateInfoNV>(w.samples, {});
       static constexpr float kTable[] = {1, 1};
       s.coverageModulationTableEnable = VK_TRUE;
       s.coverageModulationTableCount = 2;
       s.pCoverageModulationTable = kTable;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_sample_locations");
       auto& s = w.Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(w.samples, {});
       static constexpr VkSampleLocationEXT kAt[4] = {};
       s.sampleLocationsEnable = VK_TRUE;
       s.sampleLocationsInfo = {
           VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, {1, 1}, 1, kAt};
     }},
    {nullptr, [](Setup& w) { UseGrid(w, {4, 2}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07610", [](Setup& w) { UseGrid(w, {3, 4}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07611", [](Setup& w) { UseGrid(w, {2, 8}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07611",
     [](Setup& w) {
       w.Enable("VK_EXT_extended_dynamic_state3");
       UseGrid(w, {1, 3});
       w.SetDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT);
     }},
    {nullptr, [](Setup& w) { UseGrid(w, {3, 3}), w.SetDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT); }},
    {nullptr, MixSamples},
    // Depth without tests, but with fewer samples.
    {"VUID-VkGraphicsPipelineCreateInfo-coverageReductionMode-02722", [](Setup& w) { MixSamples(w), w.UseDepth(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-08744",
     [](Setup& w) {
       w.samples.sampleShadingEnable = VK_TRUE;
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_64_BIT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-08744",
     [](Setup& w) {
       w.UseDepth();
       w.rendering.colorAttachmentCount = 0;
       w.info.pColorBlendState = nullptr;
       w.samples.sampleShadingEnable = VK_TRUE;
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_32_BIT;
     }},
    {nullptr,
     [](Setup& w) {
       w.samples.sampleShadingEnable = VK_TRUE;
       w.samples.rasterizationSamples = VK_SAMPLE_COUNT_16_BIT;
     }},
    {nullptr, [](Setup& w) { w.samples.rasterizationSamples = VK_SAMPLE_COUNT_64_BIT; }},
    {"VUID-VkSampleLocationsInfoEXT-sampleLocationsCount-01527",
     [](Setup& w) {
       w.Enable("VK_EXT_sample_locations");
       auto& s = w.Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(w.samples, {});
       static constexpr VkSampleLocationEXT kAt[4] = {};
       s.sampleLocationsEnable = VK_TRUE;
       s.sampleLocationsInfo = {
           VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, {1, 1}, 1, kAt};
       s.sampleLocationsInfo.sampleLocationsCount = 2;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07612",
     [](Setup& w) {
       w.Enable("VK_EXT_sample_locations");
       auto& s = w.Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(w.samples, {});
       static constexpr VkSampleLocationEXT kAt[4] = {};
       s.sampleLocationsEnable = VK_TRUE;
       s.sampleLocationsInfo = {
           VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, {1, 1}, 1, kAt};
       s.sampleLocationsInfo.sampleLocationsPerPixel = VK_SAMPLE_COUNT_2_BIT;
       s.sampleLocationsInfo.sampleLocationsCount = 2;
     }},
    {"VUID-VkSampleLocationsInfoEXT-sampleLocationsPerPixel-01526",
     [](Setup& w) {
       w.Enable("VK_EXT_sample_locations");
       auto& s = w.Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(w.samples, {});
       static constexpr VkSampleLocationEXT kAt[4] = {};
       s.sampleLocationsEnable = VK_TRUE;
       s.sampleLocationsInfo = {
           VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, {1, 1}, 1, kAt};
       w.Limit<VkPhysicalDeviceSampleLocationsPropertiesEXT>(
           [](auto& p) { p.sampleLocationSampleCounts = VK_SAMPLE_COUNT_4_BIT; });
     }},
};

}  // namespace

absl::Span<const PipelineCase> OutputCases() { return kCases; }

}  // namespace assay::core
