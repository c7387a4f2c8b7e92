// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr VkDynamicState kExclusive = VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV;
constexpr VkDynamicState kRectangles = VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT;
// A dynamic state of some version of an extension.
void UseVersion(Setup& w, const char* extension, uint32_t version, VkDynamicState state) {
  w.Enable(extension);
  w.versions[extension] = version;
  w.SetDynamic(state);
}

constexpr PipelineCase kCases[] = {
    {nullptr, [](Setup& w) { (void)w; }},
    {nullptr,
     [](Setup& w) {
       w.raster.rasterizerDiscardEnable = VK_TRUE;
       w.info.pViewportState = nullptr;
       w.info.pMultisampleState = nullptr;
       w.info.pDepthStencilState = nullptr;
       w.info.pColorBlendState = nullptr;
     }},
    {nullptr,
     [](Setup& w) {
       w.SetDynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
       w.SetDynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
       w.viewport.viewportCount = w.viewport.scissorCount = 0;
     }},
    {nullptr, [](Setup& w) { w.rendering.colorAttachmentCount = 0, w.info.pColorBlendState = nullptr; }},
    {nullptr, [](Setup& w) { w.UseRenderPass(); }},
    {"VUID-VkVertexInputAttributeDescription-format-00623",
     [](Setup& w) { w.formats = {{VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT}}; }},
    {"VUID-VkVertexInputBindingDescription-stride-04456",
     [](Setup& w) { w.Enable("VK_KHR_portability_subset"), w.binding.stride = 24; }},
    {"VUID-VkVertexInputAttributeDescription-vertexAttributeAccessBeyondStride-04457",
     [](Setup& w) {
       w.Enable("VK_KHR_portability_subset");
       w.Disable("vertexAttributeAccessBeyondStride");
       w.attribute.offset = 4;
     }},
    {"VUID-VkPipelineInputAssemblyStateCreateInfo-triangleFans-04452",
     [](Setup& w) {
       w.Enable("VK_KHR_portability_subset");
       w.Disable("triangleFans");
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-topology-08889",
     [](Setup& w) { w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-08888",
     [](Setup& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-conservativePointAndLineRasterization-08892",
     [](Setup& w) {
       w.Enable("VK_EXT_conservative_rasterization");
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
       w.Limit<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>(
           [](auto& p) { p.conservativePointAndLineRasterization = VK_FALSE; });
       w.Chain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(w.raster, {}).conservativeRasterizationMode =
           VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04130", [](Setup& w) { w.viewport.pViewports = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04131", [](Setup& w) { w.viewport.pScissors = nullptr; }},
    {"VUID-VkPipelineViewportStateCreateInfo-x-02821", [](Setup& w) { w.scissors[0].offset.x = -1; }},
    {"VUID-VkPipelineViewportStateCreateInfo-offset-02822",
     [](Setup& w) { w.scissors[0] = {{1, 0}, {0x7fffffff, 1}}; }},
    {"VUID-VkPipelineViewportStateCreateInfo-offset-02823",
     [](Setup& w) { w.scissors[0] = {{0, 1}, {1, 0x7fffffff}}; }},
    {"VUID-VkPipelineViewportStateCreateInfo-scissorCount-04134", [](Setup& w) { w.viewport.scissorCount = 2; }},
    {"VUID-VkPipelineViewportStateCreateInfo-viewportCount-04135", [](Setup& w) { w.viewport.viewportCount = 0; }},
    {"VUID-VkPipelineViewportStateCreateInfo-scissorCount-04136", [](Setup& w) { w.viewport.scissorCount = 0; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03379",
     [](Setup& w) { w.SetDynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03380",
     [](Setup& w) { w.SetDynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT); }},
    {"VUID-VkPipelineViewportStateCreateInfo-viewportWScalingEnable-01726",
     [](Setup& w) {
       w.Enable("VK_NV_clip_space_w_scaling");
       w.viewport.viewportCount = w.viewport.scissorCount = 2;
       auto& s = w.Chain<VkPipelineViewportWScalingStateCreateInfoNV>(w.viewport, {});
       static constexpr VkViewportWScalingNV kOne = {1, 1};
       s.viewportWScalingEnable = VK_TRUE;
       s.viewportCount = 1;
       s.pViewportWScalings = &kOne;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-01715",
     [](Setup& w) {
       w.Enable("VK_NV_clip_space_w_scaling");
       auto& s = w.Chain<VkPipelineViewportWScalingStateCreateInfoNV>(w.viewport, {});
       s.viewportWScalingEnable = VK_TRUE;
       s.viewportCount = 1;
     }},
    {"VUID-VkPipelineViewportSwizzleStateCreateInfoNV-viewportCount-01215",
     [](Setup& w) {
       w.Enable("VK_NV_viewport_swizzle");
       w.viewport.viewportCount = w.viewport.scissorCount = 2;
       auto& s = w.Chain<VkPipelineViewportSwizzleStateCreateInfoNV>(w.viewport, {});
       static constexpr VkViewportSwizzleNV kOne = {};
       s.viewportCount = 1;
       s.pViewportSwizzles = &kOne;
     }},
    {"VUID-VkPipelineViewportExclusiveScissorStateCreateInfoNV-exclusiveScissorCount-02029",
     [](Setup& w) {
       w.Enable("VK_NV_scissor_exclusive");
       w.viewport.viewportCount = w.viewport.scissorCount = 2;
       auto& s = w.Chain<VkPipelineViewportExclusiveScissorStateCreateInfoNV>(w.viewport, {});
       s.exclusiveScissorCount = 1;
       s.pExclusiveScissors = w.scissors;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04056",
     [](Setup& w) {
       w.Enable("VK_NV_scissor_exclusive");
       w.Chain<VkPipelineViewportExclusiveScissorStateCreateInfoNV>(w.viewport, {}).exclusiveScissorCount = 1;
     }},
    {"VUID-VkPipelineViewportShadingRateImageStateCreateInfoNV-shadingRateImageEnable-02056",
     [](Setup& w) {
       w.Enable("VK_NV_shading_rate_image");
       w.viewport.viewportCount = w.viewport.scissorCount = 2;
       auto& s = w.Chain<VkPipelineViewportShadingRateImageStateCreateInfoNV>(w.viewport, {});
       static constexpr VkShadingRatePaletteEntryNV kEntry = VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_PIXEL_NV;
       static constexpr VkShadingRatePaletteNV kOne = {1, &kEntry};
       s.shadingRateImageEnable = VK_TRUE;
       s.viewportCount = 1;
       s.pShadingRatePalettes = &kOne;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04057",
     [](Setup& w) {
       w.Enable("VK_NV_shading_rate_image");
       w.Chain<VkPipelineViewportShadingRateImageStateCreateInfoNV>(w.viewport, {}).viewportCount = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04058",
     [](Setup& w) {
       w.Enable("VK_EXT_discard_rectangles");
       w.Chain<VkPipelineDiscardRectangleStateCreateInfoEXT>(w.info, {}).discardRectangleCount = 1;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_depth_clamp_control");
       auto& s = w.Chain<VkPipelineViewportDepthClampControlCreateInfoEXT>(w.viewport, {});
       static constexpr VkDepthClampRangeEXT kRange = {0.25f, 0.5f};
       s.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
       s.pDepthClampRange = &kRange;
     }},
    {"VUID-VkPipelineViewportDepthClampControlCreateInfoEXT-pDepthClampRange-09646",
     [](Setup& w) {
       w.Enable("VK_EXT_depth_clamp_control");
       auto& s = w.Chain<VkPipelineViewportDepthClampControlCreateInfoEXT>(w.viewport, {});
       s.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
     }},
    {"VUID-VkDepthClampRangeEXT-pDepthClampRange-00999",
     [](Setup& w) {
       w.Enable("VK_EXT_depth_clamp_control");
       auto& s = w.Chain<VkPipelineViewportDepthClampControlCreateInfoEXT>(w.viewport, {});
       static constexpr VkDepthClampRangeEXT kRange = {0.75f, 0.5f};
       s.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
       s.pDepthClampRange = &kRange;
     }},
    {"VUID-VkDepthClampRangeEXT-pDepthClampRange-09648",
     [](Setup& w) {
       w.Enable("VK_EXT_depth_clamp_control");
       auto& s = w.Chain<VkPipelineViewportDepthClampControlCreateInfoEXT>(w.viewport, {});
       static constexpr VkDepthClampRangeEXT kRange = {-1.0f, 0.5f};
       s.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
       s.pDepthClampRange = &kRange;
     }},
    {"VUID-VkDepthClampRangeEXT-pDepthClampRange-09649",
     [](Setup& w) {
       w.Enable("VK_EXT_depth_clamp_control");
       auto& s = w.Chain<VkPipelineViewportDepthClampControlCreateInfoEXT>(w.viewport, {});
       static constexpr VkDepthClampRangeEXT kRange = {0.25f, 1.5f};
       s.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
       s.pDepthClampRange = &kRange;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07730",
     [](Setup& w) {
       w.Enable("VK_QCOM_multiview_per_view_viewports");
       w.SetDynamic(VK_DYNAMIC_STATE_SCISSOR);
       w.UseRenderPass();
       w.subpass_view_mask = 3;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07731",
     [](Setup& w) {
       w.Enable("VK_QCOM_multiview_per_view_viewports");
       w.SetDynamic(VK_DYNAMIC_STATE_VIEWPORT);
       w.UseRenderPass();
       w.subpass_view_mask = 3;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-00749",
     [](Setup& w) { w.Disable("wideLines"), w.raster.lineWidth = 2; }},
    {nullptr,
     [](Setup& w) { w.Disable("wideLines"), w.raster.lineWidth = 2, w.SetDynamic(VK_DYNAMIC_STATE_LINE_WIDTH); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-00754",
     [](Setup& w) { w.Disable("depthBiasClamp"), w.raster.depthBiasEnable = VK_TRUE, w.raster.depthBiasClamp = 1; }},
    {"VUID-VkPipelineRasterizationStateCreateInfo-pointPolygons-04458",
     [](Setup& w) {
       w.Enable("VK_KHR_portability_subset");
       w.Disable("pointPolygons");
       w.raster.polygonMode = VK_POLYGON_MODE_POINT;
     }},
    {"VUID-VkPipelineRasterizationStateStreamCreateInfoEXT-rasterizationStream-02326",
     [](Setup& w) {
       w.Enable("VK_EXT_transform_feedback");
       w.Limit<VkPhysicalDeviceTransformFeedbackPropertiesEXT>(
           [](auto& p) { p.transformFeedbackRasterizationStreamSelect = VK_FALSE; });
       w.Chain<VkPipelineRasterizationStateStreamCreateInfoEXT>(w.raster, {}).rasterizationStream = 1;
     }},
    {"VUID-VkPipelineRasterizationConservativeStateCreateInfoEXT-extraPrimitiveOverestimationSize-01769",
     [](Setup& w) {
       w.Enable("VK_EXT_conservative_rasterization");
       auto& s = w.Chain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(w.raster, {});
       s.extraPrimitiveOverestimationSize = 17;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-09639",
     [](Setup& w) {
       w.Enable("VK_EXT_conservative_rasterization");
       w.Enable("VK_EXT_extended_dynamic_state3");
       w.SetDynamic(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-lineRasterizationMode-02766",
     [](Setup& w) {
       auto& s = w.Chain<VkPipelineRasterizationLineStateCreateInfo>(w.raster, {});
       s.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM;
       w.samples.alphaToOneEnable = VK_TRUE;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-stippledLineEnable-02767",
     [](Setup& w) {
       auto& s = w.Chain<VkPipelineRasterizationLineStateCreateInfo>(w.raster, {});
       s.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM;
       s.stippledLineEnable = VK_TRUE;
     }},
    {"VUID-VkPipelineRasterizationLineStateCreateInfo-stippledLineEnable-02774",
     [](Setup& w) {
       auto& s = w.Chain<VkPipelineRasterizationLineStateCreateInfo>(w.raster, {});
       w.Disable("stippledRectangularLines");
       s.stippledLineEnable = VK_TRUE;
       s.lineStippleFactor = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03578",
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.SetDynamic(VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04807",
     [](Setup& w) {
       w.Disable("vertexInputDynamicState");
       w.Enable("VK_EXT_vertex_input_dynamic_state");
       w.SetDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_vertex_input_dynamic_state");
       w.SetDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
       w.info.pVertexInputState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04132",
     [](Setup& w) {
       w.SetDynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
       w.SetDynamic(VK_DYNAMIC_STATE_VIEWPORT);
       w.viewport.viewportCount = 0;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04133",
     [](Setup& w) {
       w.SetDynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
       w.SetDynamic(VK_DYNAMIC_STATE_SCISSOR);
       w.viewport.scissorCount = 0;
     }},
    {nullptr, [](Setup& w) { w.UseMeshShader(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07065",
     [](Setup& w) { w.UseMeshShader(), w.SetDynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07066",
     [](Setup& w) { w.UseMeshShader(), w.SetDynamic(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07067",
     [](Setup& w) {
       w.UseMeshShader();
       w.Enable("VK_EXT_vertex_input_dynamic_state");
       w.SetDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
     }},
    {nullptr, [](Setup& w) { UseVersion(w, "VK_NV_scissor_exclusive", 2, kExclusive); }},
    {nullptr, [](Setup& w) { UseVersion(w, "VK_EXT_discard_rectangles", 2, kRectangles); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07854",
     [](Setup& w) { UseVersion(w, "VK_NV_scissor_exclusive", 1, kExclusive); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07855",
     [](Setup& w) { UseVersion(w, "VK_EXT_discard_rectangles", 1, kRectangles); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07856",
     [](Setup& w) { UseVersion(w, "VK_EXT_discard_rectangles", 1, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03378",
     [](Setup& w) {
       w.api_version = VK_API_VERSION_1_2;
       w.UseRenderPass();
       w.info.pNext = nullptr;
       w.Disable("extendedDynamicState");
       w.Enable("VK_EXT_extended_dynamic_state");
       w.SetDynamic(VK_DYNAMIC_STATE_CULL_MODE);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04868",
     [](Setup& w) {
       w.api_version = VK_API_VERSION_1_2;
       w.UseRenderPass();
       w.info.pNext = nullptr;
       w.Disable("extendedDynamicState2");
       w.Enable("VK_EXT_extended_dynamic_state2");
       w.SetDynamic(VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE);
     }},
};

}  // namespace

absl::Span<const PipelineCase> StateCases() { return kCases; }

}  // namespace assay::core
