// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

using Feedback = VkPhysicalDeviceTransformFeedbackPropertiesEXT;
using Lines = VkPipelineRasterizationLineStateCreateInfo;
using Rectangles = VkPipelineDiscardRectangleStateCreateInfoEXT;

constexpr VkDynamicState kExclusive = VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV;
constexpr VkDynamicState kRectangles = VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT;
constexpr VkDynamicState kScissors = VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT;
constexpr VkDynamicState kViewports = VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT;
constexpr VkLineRasterizationMode kBresenham = VK_LINE_RASTERIZATION_MODE_BRESENHAM;
constexpr VkViewportWScalingNV kScaling = {1, 1};
constexpr VkViewportSwizzleNV kSwizzle = {};
constexpr VkShadingRatePaletteEntryNV kRate = VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_PIXEL_NV;
constexpr VkShadingRatePaletteNV kPalette = {1, &kRate};
constexpr VkDepthClampRangeEXT kRanges[] = {{0.25f, 0.5f}, {0.75f, 0.5f}, {-1.0f, 0.5f}, {0.25f, 1.5f}};

// A dynamic state of some version of an extension.
void UseVersion(Setup& w, const char* extension, uint32_t version, VkDynamicState state) {
  With(w, {extension}).SetDynamic(state);
  w.versions[extension] = version;
}
// A dynamic state of extensions of Vulkan 1.2, without its feature.
void UseWithout(Setup& w, const char* feature, VkDynamicState state) {
  w.api_version = VK_API_VERSION_1_2;
  UseRenderPass(w).info.pNext = nullptr;
  UseDynamic(With(w, {"VK_EXT_extended_dynamic_state", "VK_EXT_extended_dynamic_state2"}, {feature}), {state});
}
Setup& UseDynamicInput(Setup& w) {
  return UseDynamic(With(w, {"VK_EXT_vertex_input_dynamic_state"}), {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
}
Setup& UseLines(Setup& w, const Lines& lines) { return Chain(w, w.raster, lines); }
// One structure for the viewports, whose array may be null.
void ScaleW(Setup& w, const VkViewportWScalingNV* scaling = &kScaling) {
  With(w, {"VK_NV_clip_space_w_scaling"})
      .Chain<VkPipelineViewportWScalingStateCreateInfoNV>(
          w.viewport, {.viewportWScalingEnable = VK_TRUE, .viewportCount = 1, .pViewportWScalings = scaling});
}
void ExcludeScissor(Setup& w, const VkRect2D* scissor) {
  With(w, {"VK_NV_scissor_exclusive"})
      .Chain<VkPipelineViewportExclusiveScissorStateCreateInfoNV>(
          w.viewport, {.exclusiveScissorCount = 1, .pExclusiveScissors = scissor});
}
void UseRateImage(Setup& w, VkBool32 is_enabled, const VkShadingRatePaletteNV* palette) {
  With(w, {"VK_NV_shading_rate_image"})
      .Chain<VkPipelineViewportShadingRateImageStateCreateInfoNV>(
          w.viewport, {.shadingRateImageEnable = is_enabled, .viewportCount = 1, .pShadingRatePalettes = palette});
}
void ClampDepth(Setup& w, const VkDepthClampRangeEXT* range = nullptr) {
  With(w, {"VK_EXT_depth_clamp_control"})
      .Chain<VkPipelineViewportDepthClampControlCreateInfoEXT>(
          w.viewport, {.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT, .pDepthClampRange = range});
}
void UseTwoViews(Setup& w, VkDynamicState state) {
  w.subpass_view_mask = 3;
  UseDynamic(With(UseRenderPass(w), {"VK_QCOM_multiview_per_view_viewports"}), {state});
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { (void)w; }),
    Correct([](Setup& w) {
      w.raster.rasterizerDiscardEnable = VK_TRUE;
      w.info.pViewportState = nullptr;
      w.info.pMultisampleState = nullptr;
      w.info.pDepthStencilState = nullptr;
      w.info.pColorBlendState = nullptr;
    }),
    Correct([](Setup& w) {
      UseDynamic(w, {kViewports, kScissors});
      w.viewport.viewportCount = w.viewport.scissorCount = 0;
    }),
    Correct([](Setup& w) { UseNoColor(w); }),
    Correct([](Setup& w) { w.UseRenderPass(); }),
    {"VkVertexInputAttributeDescription-format-00623",
     [](Setup& w) { w.formats = {{VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT}}; }},
    {"VkVertexInputBindingDescription-stride-04456",
     [](Setup& w) { With(w, {"VK_KHR_portability_subset"}).binding.stride = 24; }},
    {"VkVertexInputAttributeDescription-vertexAttributeAccessBeyondStride-04457",
     [](Setup& w) { OfPortability(w, "vertexAttributeAccessBeyondStride").attribute.offset = 4; }},
    {"VkPipelineInputAssemblyStateCreateInfo-triangleFans-04452",
     [](Setup& w) { OfPortability(w, "triangleFans").assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN; }},
    {"topology-08889", [](Setup& w) { UsePatches(w); }},
    {"pStages-08888", [](Setup& w) { Tessellate(w).assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST; }},
    {"conservativePointAndLineRasterization-08892",
     [](Setup& w) { RasterizeConservatively(w).assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST; }},
    {"pDynamicStates-04130", [](Setup& w) { w.viewport.pViewports = nullptr; }},
    {"pDynamicStates-04131", [](Setup& w) { w.viewport.pScissors = nullptr; }},
    {"VkPipelineViewportStateCreateInfo-x-02821", [](Setup& w) { w.scissors[0].offset.x = -1; }},
    {"VkPipelineViewportStateCreateInfo-offset-02822", [](Setup& w) { w.scissors[0] = {{1, 0}, {0x7fffffff, 1}}; }},
    {"VkPipelineViewportStateCreateInfo-offset-02823", [](Setup& w) { w.scissors[0] = {{0, 1}, {1, 0x7fffffff}}; }},
    {"VkPipelineViewportStateCreateInfo-scissorCount-04134", [](Setup& w) { w.viewport.scissorCount = 2; }},
    {"VkPipelineViewportStateCreateInfo-viewportCount-04135", [](Setup& w) { w.viewport.viewportCount = 0; }},
    {"VkPipelineViewportStateCreateInfo-scissorCount-04136", [](Setup& w) { w.viewport.scissorCount = 0; }},
    {"pDynamicStates-03379", [](Setup& w) { w.SetDynamic(kViewports); }},
    {"pDynamicStates-03380", [](Setup& w) { w.SetDynamic(kScissors); }},
    {"VkPipelineViewportStateCreateInfo-viewportWScalingEnable-01726", [](Setup& w) { ScaleW(UseTwoViewports(w)); }},
    {"pDynamicStates-01715", [](Setup& w) { ScaleW(w, nullptr); }},
    {"VkPipelineViewportSwizzleStateCreateInfoNV-viewportCount-01215", By([](Setup& w) {
       Chain<VkPipelineViewportSwizzleStateCreateInfoNV>(With(UseTwoViewports(w), {"VK_NV_viewport_swizzle"}),
                                                         w.viewport,
                                                         {.viewportCount = 1, .pViewportSwizzles = &kSwizzle});
     })},
    {"VkPipelineViewportExclusiveScissorStateCreateInfoNV-exclusiveScissorCount-02029",
     [](Setup& w) { ExcludeScissor(UseTwoViewports(w), w.scissors); }},
    {"pDynamicStates-04056", [](Setup& w) { ExcludeScissor(w, nullptr); }},
    {"VkPipelineViewportShadingRateImageStateCreateInfoNV-shadingRateImageEnable-02056",
     [](Setup& w) { UseRateImage(UseTwoViewports(w), VK_TRUE, &kPalette); }},
    {"pDynamicStates-04057", [](Setup& w) { UseRateImage(w, VK_FALSE, nullptr); }},
    {"pDynamicStates-04058",
     [](Setup& w) { With(w, {"VK_EXT_discard_rectangles"}).Chain<Rectangles>(w.info, {.discardRectangleCount = 1}); }},
    Correct([](Setup& w) { ClampDepth(w, &kRanges[0]); }),
    {"VkPipelineViewportDepthClampControlCreateInfoEXT-pDepthClampRange-09646", [](Setup& w) { ClampDepth(w); }},
    {"VkDepthClampRangeEXT-pDepthClampRange-00999", [](Setup& w) { ClampDepth(w, &kRanges[1]); }},
    {"VkDepthClampRangeEXT-pDepthClampRange-09648", [](Setup& w) { ClampDepth(w, &kRanges[2]); }},
    {"VkDepthClampRangeEXT-pDepthClampRange-09649", [](Setup& w) { ClampDepth(w, &kRanges[3]); }},
    {"pDynamicStates-07730", [](Setup& w) { UseTwoViews(w, VK_DYNAMIC_STATE_SCISSOR); }},
    {"pDynamicStates-07731", [](Setup& w) { UseTwoViews(w, VK_DYNAMIC_STATE_VIEWPORT); }},
    {"pDynamicStates-00749", [](Setup& w) { w.Disable("wideLines"), w.raster.lineWidth = 2; }},
    Correct(
        [](Setup& w) { w.Disable("wideLines"), w.raster.lineWidth = 2, w.SetDynamic(VK_DYNAMIC_STATE_LINE_WIDTH); }),
    {"pDynamicStates-00754",
     [](Setup& w) { w.Disable("depthBiasClamp"), w.raster.depthBiasEnable = VK_TRUE, w.raster.depthBiasClamp = 1; }},
    {"VkPipelineRasterizationStateCreateInfo-pointPolygons-04458",
     [](Setup& w) { OfPortability(w, "pointPolygons").raster.polygonMode = VK_POLYGON_MODE_POINT; }},
    {"VkPipelineRasterizationStateStreamCreateInfoEXT-rasterizationStream-02326",
     [](Setup& w) { Limit(UseSecondStream(w), &Feedback::transformFeedbackRasterizationStreamSelect, VK_FALSE); }},
    {"VkPipelineRasterizationConservativeStateCreateInfoEXT-extraPrimitiveOverestimationSize-01769",
     [](Setup& w) { AddConservativeState(w).extraPrimitiveOverestimationSize = 17; }},
    {"pDynamicState-09639", By([](Setup& w) {
       UseDynamic(With(w, {"VK_EXT_conservative_rasterization", "VK_EXT_extended_dynamic_state3"}),
                  {VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT});
     })},
    {"lineRasterizationMode-02766",
     [](Setup& w) { UseLines(w, {.lineRasterizationMode = kBresenham}).samples.alphaToOneEnable = VK_TRUE; }},
    {"stippledLineEnable-02767",
     [](Setup& w) { UseLines(w, {.lineRasterizationMode = kBresenham, .stippledLineEnable = VK_TRUE}); }},
    {"VkPipelineRasterizationLineStateCreateInfo-stippledLineEnable-02774", By([](Setup& w) {
       UseLines(Without(w, {"stippledRectangularLines"}), {.stippledLineEnable = VK_TRUE, .lineStippleFactor = 1});
     })},
    {"pDynamicStates-03578", By([](Setup& w) {
       With(w, {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", "VK_KHR_ray_tracing_pipeline"})
           .SetDynamic(VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
     })},
    {"pDynamicStates-04807", [](Setup& w) { UseDynamicInput(w).Disable("vertexInputDynamicState"); }},
    Correct([](Setup& w) { UseDynamicInput(w).info.pVertexInputState = nullptr; }),
    {"pDynamicStates-04132",
     [](Setup& w) { UseDynamic(w, {kViewports, VK_DYNAMIC_STATE_VIEWPORT}).viewport.viewportCount = 0; }},
    {"pDynamicStates-04133",
     [](Setup& w) { UseDynamic(w, {kScissors, VK_DYNAMIC_STATE_SCISSOR}).viewport.scissorCount = 0; }},
    Correct([](Setup& w) { w.UseMeshShader(); }),
    {"pDynamicStates-07065", [](Setup& w) { UseMeshShader(w).SetDynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY); }},
    {"pDynamicStates-07066", [](Setup& w) { UseMeshShader(w).SetDynamic(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE); }},
    {"pDynamicStates-07067", [](Setup& w) { UseDynamicInput(UseMeshShader(w)); }},
    Correct([](Setup& w) { UseVersion(w, "VK_NV_scissor_exclusive", 2, kExclusive); }),
    Correct([](Setup& w) { UseVersion(w, "VK_EXT_discard_rectangles", 2, kRectangles); }),
    {"pDynamicStates-07854", [](Setup& w) { UseVersion(w, "VK_NV_scissor_exclusive", 1, kExclusive); }},
    {"pDynamicStates-07855", [](Setup& w) { UseVersion(w, "VK_EXT_discard_rectangles", 1, kRectangles); }},
    {"pDynamicStates-07856",
     [](Setup& w) { UseVersion(w, "VK_EXT_discard_rectangles", 1, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT); }},
    {"pDynamicStates-03378", [](Setup& w) { UseWithout(w, "extendedDynamicState", VK_DYNAMIC_STATE_CULL_MODE); }},
    {"pDynamicStates-04868",
     [](Setup& w) { UseWithout(w, "extendedDynamicState2", VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE); }},
};

}  // namespace

absl::Span<const PipelineCase> StateCases() { return kCases; }

}  // namespace assay::core
