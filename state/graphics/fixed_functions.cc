// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/graphics/fixed_functions.h"

namespace assay::state {
namespace {

bool Changes(const StencilFace& face, bool can_fail_depth) {
  const bool can_fail = face.compare_op != VK_COMPARE_OP_ALWAYS;
  const bool can_pass = face.compare_op != VK_COMPARE_OP_NEVER;
  return (can_fail && face.fail_op != VK_STENCIL_OP_KEEP) || (can_pass && face.pass_op != VK_STENCIL_OP_KEEP) ||
         (can_pass && can_fail_depth && face.depth_fail_op != VK_STENCIL_OP_KEEP);
}

}  // namespace

bool IsPolygon(VkPrimitiveTopology topology) {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return false;
    default:
      return true;
  }
}

bool FixedFunctions::WritesStencil() const {
  if (!stencil_test) return false;
  // Vulkan, "Basic Polygon Rasterization": points and lines face the front, and only polygons are culled.
  const bool is_polygon = IsPolygon(topology);
  const bool has_front = !is_polygon || (cull_mode & VK_CULL_MODE_FRONT_BIT) == 0;
  const bool has_back = is_polygon && (cull_mode & VK_CULL_MODE_BACK_BIT) == 0;
  const bool can_fail_depth = (depth_test && depth_compare_op != VK_COMPARE_OP_ALWAYS) || depth_bounds_test;
  return (has_front && stencil_write_masks[0] != 0 && Changes(stencil_faces[0], can_fail_depth)) ||
         (has_back && stencil_write_masks[1] != 0 && Changes(stencil_faces[1], can_fail_depth));
}

bool FixedFunctions::ReadsColor(uint32_t attachment) const {
  if (!WritesColor(attachment)) return false;
  // Vulkan, "Logical Operations": they take the place of blending.
  if (!logic_op_enable) return attachment < 32 && (blend_enables >> attachment & 1) != 0;
  switch (logic_op) {
    case VK_LOGIC_OP_CLEAR:
    case VK_LOGIC_OP_COPY:
    case VK_LOGIC_OP_COPY_INVERTED:
    case VK_LOGIC_OP_SET:
      return false;
    default:
      return true;
  }
}

uint32_t FunctionsOf(VkDynamicState state) {
  switch (state) {
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
      return BitOf(FixedFunction::kTopology);
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
      return BitOf(FixedFunction::kPrimitiveRestart);
    case VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE:
      return BitOf(FixedFunction::kRasterizerDiscard);
    case VK_DYNAMIC_STATE_CULL_MODE:
      return BitOf(FixedFunction::kCullMode);
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
      return BitOf(FixedFunction::kDepthTest);
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
      return BitOf(FixedFunction::kDepthWrite);
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
      return BitOf(FixedFunction::kDepthCompareOp);
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE:
      return BitOf(FixedFunction::kDepthBoundsTest);
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
      return BitOf(FixedFunction::kStencilTest);
    case VK_DYNAMIC_STATE_STENCIL_OP:
      return BitOf(FixedFunction::kStencilFaces);
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
      return BitOf(FixedFunction::kStencilCompareMasks);
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
      return BitOf(FixedFunction::kStencilWriteMasks);
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
      return BitOf(FixedFunction::kSamples);
    case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
      return BitOf(FixedFunction::kColorWriteEnables);
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
      return BitOf(FixedFunction::kColorWriteMasks);
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
      return BitOf(FixedFunction::kBlendEnables);
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
      return BitOf(FixedFunction::kLogicOpEnable);
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
      return BitOf(FixedFunction::kLogicOp);
    case VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT:
      return BitOf(FixedFunction::kFeedbackLoopAspects);
    case VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR:
      return BitOf(FixedFunction::kAttachmentRateOp);
    default:
      return 0;
  }
}

}  // namespace assay::state
