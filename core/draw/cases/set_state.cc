// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/set_state.h"

#include "gtest/gtest.h"

namespace assay::core {
namespace {

const VkViewport kViewport = {0, 0, 64, 64, 0, 1};
const VkRect2D kArea = {{0, 0}, {64, 64}};

// False if the state is of another kind. The three functions have the states in the order of the specification.
bool SetVertexState(const test::Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value,
                    VkBuffer buffer) {
  const VkDeviceSize zero = 0;
  const VkViewportWScalingNV scaling = {1, 1};
  const VkViewportSwizzleNV swizzle = {
      VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_X_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Y_NV,
      VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Z_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_W_NV};
  const VkShadingRatePaletteEntryNV entry = VK_SHADING_RATE_PALETTE_ENTRY_NO_INVOCATIONS_NV;
  const VkShadingRatePaletteNV palette = {1, &entry};
  const VkExtent2D size = {1, 1};
  const VkFragmentShadingRateCombinerOpKHR combiners[] = {VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR,
                                                          VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR};
  switch (state) {
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
      vk.CmdSetVertexInputEXT(commands, 0, nullptr, 0, nullptr);
      return true;
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
      vk.CmdBindVertexBuffers2(commands, 0, 1, &buffer, &zero, nullptr, &zero);
      return true;
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
      vk.CmdSetPrimitiveTopology(commands, static_cast<VkPrimitiveTopology>(value));
      return true;
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
      vk.CmdSetPrimitiveRestartEnable(commands, value);
      return true;
    case VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT:
      vk.CmdSetPatchControlPointsEXT(commands, 3);
      return true;
    case VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT:
      vk.CmdSetTessellationDomainOriginEXT(commands, static_cast<VkTessellationDomainOrigin>(value));
      return true;
    case VK_DYNAMIC_STATE_VIEWPORT:
      vk.CmdSetViewport(commands, 0, 1, &kViewport);
      return true;
    case VK_DYNAMIC_STATE_SCISSOR:
      vk.CmdSetScissor(commands, 0, 1, &kArea);
      return true;
    case VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT:
      vk.CmdSetViewportWithCount(commands, 1, &kViewport);
      return true;
    case VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT:
      vk.CmdSetScissorWithCount(commands, 1, &kArea);
      return true;
    case VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV:
      vk.CmdSetViewportWScalingNV(commands, 0, 1, &scaling);
      return true;
    case VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV:
      vk.CmdSetViewportWScalingEnableNV(commands, value);
      return true;
    case VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV:
      vk.CmdSetViewportSwizzleNV(commands, 0, 1, &swizzle);
      return true;
    case VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV:
      vk.CmdSetViewportShadingRatePaletteNV(commands, 0, 1, &palette);
      return true;
    case VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV:
      vk.CmdSetShadingRateImageEnableNV(commands, value);
      return true;
    case VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV:
      vk.CmdSetCoarseSampleOrderNV(commands, VK_COARSE_SAMPLE_ORDER_TYPE_DEFAULT_NV, 0, nullptr);
      return true;
    case VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV:
      vk.CmdSetExclusiveScissorNV(commands, 0, 1, &kArea);
      return true;
    case VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV:
      vk.CmdSetExclusiveScissorEnableNV(commands, 0, 1, &value);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT:
      vk.CmdSetDepthClipNegativeOneToOneEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT:
      vk.CmdSetDepthClampRangeEXT(commands, VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, nullptr);
      return true;
    case VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR:
      vk.CmdSetFragmentShadingRateKHR(commands, &size, combiners);
      return true;
    default:
      return false;
  }
}

bool SetRasterState(const test::Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value) {
  switch (state) {
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT:
      vk.CmdSetDiscardRectangleEXT(commands, 0, 1, &kArea);
      return true;
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT:
      vk.CmdSetDiscardRectangleEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT:
      vk.CmdSetDiscardRectangleModeEXT(commands, static_cast<VkDiscardRectangleModeEXT>(value));
      return true;
    case VK_DYNAMIC_STATE_LINE_WIDTH:
      vk.CmdSetLineWidth(commands, 1);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_BIAS:
      vk.CmdSetDepthBias(commands, 0, 0, 0);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE:
      vk.CmdSetDepthBiasEnable(commands, value);
      return true;
    case VK_DYNAMIC_STATE_CULL_MODE:
      vk.CmdSetCullMode(commands, value);
      return true;
    case VK_DYNAMIC_STATE_FRONT_FACE:
      vk.CmdSetFrontFace(commands, static_cast<VkFrontFace>(value));
      return true;
    case VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE:
      vk.CmdSetRasterizerDiscardEnable(commands, value);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT:
      vk.CmdSetDepthClampEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_POLYGON_MODE_EXT:
      vk.CmdSetPolygonModeEXT(commands, static_cast<VkPolygonMode>(value));
      return true;
    case VK_DYNAMIC_STATE_LINE_STIPPLE:
      vk.CmdSetLineStipple(commands, 1, 1);
      return true;
    case VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT:
      vk.CmdSetLineStippleEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT:
      vk.CmdSetLineRasterizationModeEXT(commands, static_cast<VkLineRasterizationMode>(value));
      return true;
    case VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT:
      vk.CmdSetRasterizationStreamEXT(commands, 0);
      return true;
    case VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT:
      vk.CmdSetConservativeRasterizationModeEXT(commands, static_cast<VkConservativeRasterizationModeEXT>(value));
      return true;
    case VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT:
      vk.CmdSetExtraPrimitiveOverestimationSizeEXT(commands, 0);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT:
      vk.CmdSetDepthClipEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT:
      vk.CmdSetProvokingVertexModeEXT(commands, static_cast<VkProvokingVertexModeEXT>(value));
      return true;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS:
      vk.CmdSetDepthBounds(commands, 0, 1);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE:
      vk.CmdSetDepthBoundsTestEnable(commands, value);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
      vk.CmdSetDepthTestEnable(commands, value);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
      vk.CmdSetDepthWriteEnable(commands, value);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
      vk.CmdSetDepthCompareOp(commands, static_cast<VkCompareOp>(value));
      return true;
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
      vk.CmdSetStencilTestEnable(commands, value);
      return true;
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
      vk.CmdSetStencilCompareMask(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
      return true;
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
      vk.CmdSetStencilWriteMask(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
      return true;
    case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
      vk.CmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
      return true;
    case VK_DYNAMIC_STATE_STENCIL_OP:
      vk.CmdSetStencilOp(commands, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
                         VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS);
      return true;
    case VK_DYNAMIC_STATE_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV:
      vk.CmdSetRepresentativeFragmentTestEnableNV(commands, value);
      return true;
    default:
      return false;
  }
}

bool SetOutputState(const test::Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value) {
  const VkSampleMask mask = 1;
  const VkSampleLocationEXT location = {0.5f, 0.5f};
  const VkSampleLocationsInfoEXT locations = {
      VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, {1, 1}, 1, &location};
  const float zeros[4] = {};
  // With the blend constants.
  const VkColorBlendEquationEXT equation = {
      VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
      VK_BLEND_FACTOR_ZERO,           VK_BLEND_OP_ADD};
  const VkColorBlendAdvancedEXT advanced = {VK_BLEND_OP_MULTIPLY_EXT, VK_TRUE, VK_TRUE,
                                            VK_BLEND_OVERLAP_UNCORRELATED_EXT, VK_FALSE};
  const VkColorComponentFlags components = VK_COLOR_COMPONENT_R_BIT;
  switch (state) {
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
      vk.CmdSetRasterizationSamplesEXT(commands, static_cast<VkSampleCountFlagBits>(value));
      return true;
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
      vk.CmdSetSampleMaskEXT(commands, VK_SAMPLE_COUNT_1_BIT, &mask);
      return true;
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
      vk.CmdSetAlphaToCoverageEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT:
      vk.CmdSetAlphaToOneEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT:
      vk.CmdSetSampleLocationsEXT(commands, &locations);
      return true;
    case VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT:
      vk.CmdSetSampleLocationsEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV:
      vk.CmdSetCoverageToColorEnableNV(commands, value);
      return true;
    case VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV:
      vk.CmdSetCoverageToColorLocationNV(commands, 0);
      return true;
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_MODE_NV:
      vk.CmdSetCoverageModulationModeNV(commands, static_cast<VkCoverageModulationModeNV>(value));
      return true;
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV:
      vk.CmdSetCoverageModulationTableEnableNV(commands, value);
      return true;
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV:
      vk.CmdSetCoverageModulationTableNV(commands, 1, zeros);
      return true;
    case VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV:
      vk.CmdSetCoverageReductionModeNV(commands, static_cast<VkCoverageReductionModeNV>(value));
      return true;
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
      vk.CmdSetBlendConstants(commands, zeros);
      return true;
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
      vk.CmdSetLogicOpEXT(commands, static_cast<VkLogicOp>(value));
      return true;
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
      vk.CmdSetLogicOpEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
      vk.CmdSetColorBlendEnableEXT(commands, 0, 1, &value);
      return true;
    case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
      vk.CmdSetColorBlendEquationEXT(commands, 0, 1, &equation);
      return true;
    case VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT:
      vk.CmdSetColorBlendAdvancedEXT(commands, 0, 1, &advanced);
      return true;
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
      vk.CmdSetColorWriteMaskEXT(commands, 0, 1, &components);
      return true;
    case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
      vk.CmdSetColorWriteEnableEXT(commands, 1, &value);
      return true;
    case VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT:
      vk.CmdSetAttachmentFeedbackLoopEnableEXT(commands, value);
      return true;
    case VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR:
      vk.CmdSetRayTracingPipelineStackSizeKHR(commands, 64);
      return true;
    default:
      return false;
  }
}

}  // namespace

void SetState(const test::Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value,
              VkBuffer buffer) {
  EXPECT_TRUE(SetVertexState(vk, commands, state, value, buffer) || SetRasterState(vk, commands, state, value) ||
              SetOutputState(vk, commands, state, value));
}

uint32_t PlainValue(VkDynamicState state) {
  if (state == VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT) return VK_SAMPLE_COUNT_1_BIT;
  return state == VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : 0;
}

}  // namespace assay::core
