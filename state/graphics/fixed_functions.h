// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_GRAPHICS_FIXED_FUNCTIONS_H_
#define ASSAY_STATE_GRAPHICS_FIXED_FUNCTIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "state/render_pass/dynamic_rendering.h"
#include "vk/vulkan.h"

// The fixed functions that decide which memory a draw accesses. Static state of a pipeline and dynamic state have the
// same form.
namespace assay::state {

// Whether primitives of the topology are polygons. Patches count as polygons. The primitives that a geometry,
// tessellation or mesh shader makes of them are not regarded.
bool IsPolygon(VkPrimitiveTopology topology);

struct StencilFace {
  VkStencilOp fail_op = VK_STENCIL_OP_KEEP;
  VkStencilOp pass_op = VK_STENCIL_OP_KEEP;
  VkStencilOp depth_fail_op = VK_STENCIL_OP_KEEP;
  VkCompareOp compare_op = VK_COMPARE_OP_ALWAYS;

  friend bool operator==(const StencilFace&, const StencilFace&) = default;
};

// Front, back.
using StencilFaces = std::array<StencilFace, 2>;
using StencilMasks = std::array<uint32_t, 2>;

// VkColorComponentFlags for each color attachment.
using ColorWriteMasks = std::array<uint8_t, kMaxColorAttachments>;

constexpr ColorWriteMasks AllColorWrites() {
  ColorWriteMasks masks = {};
  masks.fill(VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT);
  return masks;
}

struct FixedFunctions {
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  bool primitive_restart = false;
  bool rasterizer_discard = false;
  VkCullModeFlags cull_mode = VK_CULL_MODE_NONE;
  bool depth_test = false;
  bool depth_write = false;
  VkCompareOp depth_compare_op = VK_COMPARE_OP_NEVER;
  bool depth_bounds_test = false;
  bool stencil_test = false;
  StencilFaces stencil_faces;
  StencilMasks stencil_compare_masks = {};
  StencilMasks stencil_write_masks = {};
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  // A bit for each color attachment.
  uint32_t color_write_enables = ~0u;
  ColorWriteMasks color_write_masks = AllColorWrites();
  // A bit for each color attachment.
  uint32_t blend_enables = 0;
  bool logic_op_enable = false;
  VkLogicOp logic_op = VK_LOGIC_OP_COPY;
  // Aspects of attachments that shaders may read through descriptors while they are attachments.
  VkImageAspectFlags feedback_loop_aspects = 0;
  // The combiner for the fragment shading rate attachment: KEEP ignores the attachment.
  VkFragmentShadingRateCombinerOpKHR attachment_rate_op = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR;

  // Whether all polygons are culled, whichever way they face. Points and lines are never culled.
  bool CullsPolygons() const { return (cull_mode & VK_CULL_MODE_FRONT_AND_BACK) == VK_CULL_MODE_FRONT_AND_BACK; }
  // Whether the stencil test writes the stencil aspect: an operation other than KEEP can happen, on a face that is not
  // culled, with a write mask other than 0.
  bool WritesStencil() const;
  bool WritesColor(uint32_t attachment) const {
    return attachment >= kMaxColorAttachments ||
           ((color_write_enables >> attachment & 1) != 0 && color_write_masks[attachment] != 0);
  }
  // Whether the written color depends on the attachment's contents.
  bool ReadsColor(uint32_t attachment) const;
};

// Names of FixedFunctions' members. Each can be dynamic by itself.
enum class FixedFunction : uint8_t {
  kTopology,
  kPrimitiveRestart,
  kRasterizerDiscard,
  kCullMode,
  kDepthTest,
  kDepthWrite,
  kDepthCompareOp,
  kDepthBoundsTest,
  kStencilTest,
  kStencilFaces,
  kStencilCompareMasks,
  kStencilWriteMasks,
  kSamples,
  kColorWriteEnables,
  kColorWriteMasks,
  kBlendEnables,
  kLogicOpEnable,
  kLogicOp,
  kFeedbackLoopAspects,
  kAttachmentRateOp,
};
inline constexpr size_t kFixedFunctions = 20;

constexpr uint32_t BitOf(FixedFunction function) { return 1u << static_cast<uint32_t>(function); }
inline constexpr uint32_t kAllFixedFunctions = (1u << kFixedFunctions) - 1;

// Calls f(function, member) for each function; `member` is a pointer to a member of FixedFunctions.
template <class F>
constexpr void ForEachFixedFunction(F&& f) {
  f(FixedFunction::kTopology, &FixedFunctions::topology);
  f(FixedFunction::kPrimitiveRestart, &FixedFunctions::primitive_restart);
  f(FixedFunction::kRasterizerDiscard, &FixedFunctions::rasterizer_discard);
  f(FixedFunction::kCullMode, &FixedFunctions::cull_mode);
  f(FixedFunction::kDepthTest, &FixedFunctions::depth_test);
  f(FixedFunction::kDepthWrite, &FixedFunctions::depth_write);
  f(FixedFunction::kDepthCompareOp, &FixedFunctions::depth_compare_op);
  f(FixedFunction::kDepthBoundsTest, &FixedFunctions::depth_bounds_test);
  f(FixedFunction::kStencilTest, &FixedFunctions::stencil_test);
  f(FixedFunction::kStencilFaces, &FixedFunctions::stencil_faces);
  f(FixedFunction::kStencilCompareMasks, &FixedFunctions::stencil_compare_masks);
  f(FixedFunction::kStencilWriteMasks, &FixedFunctions::stencil_write_masks);
  f(FixedFunction::kSamples, &FixedFunctions::samples);
  f(FixedFunction::kColorWriteEnables, &FixedFunctions::color_write_enables);
  f(FixedFunction::kColorWriteMasks, &FixedFunctions::color_write_masks);
  f(FixedFunction::kBlendEnables, &FixedFunctions::blend_enables);
  f(FixedFunction::kLogicOpEnable, &FixedFunctions::logic_op_enable);
  f(FixedFunction::kLogicOp, &FixedFunctions::logic_op);
  f(FixedFunction::kFeedbackLoopAspects, &FixedFunctions::feedback_loop_aspects);
  f(FixedFunction::kAttachmentRateOp, &FixedFunctions::attachment_rate_op);
}

// Copies the members of `from` that are in `functions`, bits of FixedFunction.
inline void CopyFunctions(const FixedFunctions& from, uint32_t functions, FixedFunctions& to) {
  if (functions == 0) return;
  ForEachFixedFunction([&](FixedFunction function, auto member) {
    if ((functions & BitOf(function)) != 0) to.*member = from.*member;
  });
}

// The functions that a dynamic state sets, as bits of FixedFunction; 0 if it decides no access.
uint32_t FunctionsOf(VkDynamicState state);

}  // namespace assay::state

#endif  // ASSAY_STATE_GRAPHICS_FIXED_FUNCTIONS_H_
