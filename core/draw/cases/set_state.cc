// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/set_state.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "vk/commands.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using test::Functions;

// Calls a command whose one parameter is the value.
template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
void SetNumber(void(VKAPI_PTR* set)(VkCommandBuffer, T), VkCommandBuffer commands, uint32_t value) {
  set(commands, static_cast<T>(value));
}
// vkCmdSetCullMode for VK_DYNAMIC_STATE_CULL_MODE: most commands have the name of the state.
void SetNumber(const Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value) {
  constexpr std::string_view kPrefix = "VK_DYNAMIC_STATE_";
  const std::string words = absl::StrReplaceAll(vk::ToString(state).substr(kPrefix.size()), {{"_", ""}});
  bool is_set = false;
  vk::ForEachCommand([&, name = absl::StrCat("vkCmdSet", words)](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (requires(typename C::Function set) { SetNumber(set, commands, value); }) {
      if (!absl::EqualsIgnoreCase(C::kName, name)) return;
      SetNumber(reinterpret_cast<typename C::Function>(vk.Find(C::kId)), commands, value);
      is_set = true;
    }
  });
  EXPECT_TRUE(is_set) << state;
}

constexpr VkExtent2D kSize = {1, 1};
constexpr VkFragmentShadingRateCombinerOpKHR kKeepRates[2] = {};
constexpr VkStencilFaceFlags kFaces = VK_STENCIL_FACE_FRONT_AND_BACK;
constexpr VkSampleMask kMask = 1;
constexpr VkSampleLocationEXT kLocation = {0.5f, 0.5f};
constexpr VkSampleLocationsInfoEXT kLocations = {
    VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, {1, 1}, 1, &kLocation};
constexpr float kZeros[4] = {};
// With the blend constants.
constexpr VkColorBlendEquationEXT kEquation = {
    VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
    VK_BLEND_FACTOR_ZERO,           VK_BLEND_OP_ADD};
constexpr VkColorBlendAdvancedEXT kAdvanced = {VK_BLEND_OP_MULTIPLY_EXT, VK_TRUE, VK_TRUE,
                                               VK_BLEND_OVERLAP_UNCORRELATED_EXT, VK_FALSE};
constexpr VkColorComponentFlags kComponents = VK_COLOR_COMPONENT_R_BIT;

struct SettableState {
  VkDynamicState state;
  SetFunction set;
};
// The states that are more than a number, and those with one value. They are in the order of the specification.
const SettableState kStates[] = {
    {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, Calls(&Functions::CmdSetVertexInputEXT, 0, nullptr, 0, nullptr)},
    {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT, Calls(&Functions::CmdSetPatchControlPointsEXT, 3)},
    {VK_DYNAMIC_STATE_VIEWPORT, Calls(&Functions::CmdSetViewport, 0, 1, kViewports)},
    {VK_DYNAMIC_STATE_SCISSOR, Calls(&Functions::CmdSetScissor, 0, 1, kScissors)},
    {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, Calls(&Functions::CmdSetViewportWithCount, 1, kViewports)},
    {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, Calls(&Functions::CmdSetScissorWithCount, 1, kScissors)},
    {VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV, Calls(&Functions::CmdSetViewportWScalingNV, 0, 1, kScalings)},
    {VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV, Calls(&Functions::CmdSetViewportSwizzleNV, 0, 1, kSwizzles)},
    {VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV,
     Calls(&Functions::CmdSetViewportShadingRatePaletteNV, 0, 1, kPalettes)},
    {VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV,
     Calls(&Functions::CmdSetCoarseSampleOrderNV, VK_COARSE_SAMPLE_ORDER_TYPE_DEFAULT_NV, 0, nullptr)},
    {VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV, Calls(&Functions::CmdSetExclusiveScissorNV, 0, 1, kScissors)},
    {VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT,
     Calls(&Functions::CmdSetDepthClampRangeEXT, VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, nullptr)},
    {VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR, Calls(&Functions::CmdSetFragmentShadingRateKHR, &kSize, kKeepRates)},
    {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT, Calls(&Functions::CmdSetDiscardRectangleEXT, 0, 1, kScissors)},
    {VK_DYNAMIC_STATE_LINE_WIDTH, Calls(&Functions::CmdSetLineWidth, 1)},
    {VK_DYNAMIC_STATE_DEPTH_BIAS, Calls(&Functions::CmdSetDepthBias, 0, 0, 0)},
    {VK_DYNAMIC_STATE_LINE_STIPPLE, Calls(&Functions::CmdSetLineStipple, 1, 1)},
    {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT, Calls(&Functions::CmdSetRasterizationStreamEXT, 0)},
    {VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT,
     Calls(&Functions::CmdSetExtraPrimitiveOverestimationSizeEXT, 0)},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS, Calls(&Functions::CmdSetDepthBounds, 0, 1)},
    {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, Calls(&Functions::CmdSetStencilCompareMask, kFaces, 1)},
    {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, Calls(&Functions::CmdSetStencilWriteMask, kFaces, 1)},
    {VK_DYNAMIC_STATE_STENCIL_REFERENCE, Calls(&Functions::CmdSetStencilReference, kFaces, 1)},
    {VK_DYNAMIC_STATE_STENCIL_OP, Calls(&Functions::CmdSetStencilOp, kFaces, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
                                        VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS)},
    {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, Calls(&Functions::CmdSetSampleMaskEXT, VK_SAMPLE_COUNT_1_BIT, &kMask)},
    {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT, Calls(&Functions::CmdSetSampleLocationsEXT, &kLocations)},
    {VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV, Calls(&Functions::CmdSetCoverageToColorLocationNV, 0)},
    {VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV, Calls(&Functions::CmdSetCoverageModulationTableNV, 1, kZeros)},
    {VK_DYNAMIC_STATE_BLEND_CONSTANTS, Calls(&Functions::CmdSetBlendConstants, kZeros)},
    {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, Calls(&Functions::CmdSetColorBlendEquationEXT, 0, 1, &kEquation)},
    {VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, Calls(&Functions::CmdSetColorBlendAdvancedEXT, 0, 1, &kAdvanced)},
    {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, Calls(&Functions::CmdSetColorWriteMaskEXT, 0, 1, &kComponents)},
    {VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR, Calls(&Functions::CmdSetRayTracingPipelineStackSizeKHR, 64)},
};

}  // namespace

void SetState(const Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value, VkBuffer buffer) {
  const VkDeviceSize zero = 0;
  if (state == VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE)
    return vk.CmdBindVertexBuffers2(commands, 0, 1, &buffer, &zero, nullptr, &zero);
  if (state == VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV)
    return vk.CmdSetExclusiveScissorEnableNV(commands, 0, 1, &value);
  if (state == VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) return vk.CmdSetColorBlendEnableEXT(commands, 0, 1, &value);
  if (state == VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT) return vk.CmdSetColorWriteEnableEXT(commands, 1, &value);
  const auto* const plain = std::ranges::find(kStates, state, &SettableState::state);
  plain != std::end(kStates) ? plain->set(vk, commands) : SetNumber(vk, commands, state, value);
}

uint32_t PlainValue(VkDynamicState state) {
  if (state == VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT) return VK_SAMPLE_COUNT_1_BIT;
  return state == VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : 0;
}

}  // namespace assay::core
