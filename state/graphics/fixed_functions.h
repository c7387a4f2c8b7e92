// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_GRAPHICS_FIXED_FUNCTIONS_H_
#define ASSAY_STATE_GRAPHICS_FIXED_FUNCTIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "state/render_pass/render_pass_instance.h"
#include "vk/vulkan.h"

// The fixed functions that decide which memory a draw accesses: what a pipeline has of them statically, and what is set
// dynamically, in the same form.
namespace assay::state {

// Bindings with a number of this or more are not tracked; no device has as many.
inline constexpr size_t kMaxVertexBindings = 32;

// Whether primitives of the topology are polygons; patches are taken for them. What a geometry, tessellation or mesh
// shader makes of them is another matter.
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
  // Aspects of attachments that the shaders may read through descriptors while they are rendered to.
  VkImageAspectFlags feedback_loop_aspects = 0;
  // How the fragment shading rate attachment counts: KEEP takes no notice of it.
  VkFragmentShadingRateCombinerOpKHR attachment_rate_op = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR;

  // Whether polygons leave nothing to rasterize, whichever way they face. Of points and lines nothing is culled.
  bool CullsPolygons() const { return (cull_mode & VK_CULL_MODE_FRONT_AND_BACK) == VK_CULL_MODE_FRONT_AND_BACK; }
  // Whether the stencil test changes what it tests: with an operation that is not KEEP, or where it can be passed or
  // failed, on a face that is not culled and through a mask that is not 0.
  bool WritesStencil() const;
  bool WritesColor(uint32_t attachment) const {
    return attachment >= kMaxColorAttachments ||
           ((color_write_enables >> attachment & 1) != 0 && color_write_masks[attachment] != 0);
  }
  // Whether what the attachment holds counts for what is written to it.
  bool ReadsColor(uint32_t attachment) const;
};

// Names of FixedFunctions' members, each a part of a pipeline that may be dynamic by itself.
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

// Calls f(function, member) for each, `member` being a pointer to a member of FixedFunctions.
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

// Copies those of `from` that are in `functions`, bits of FixedFunction.
inline void CopyFunctions(const FixedFunctions& from, uint32_t functions, FixedFunctions& to) {
  if (functions == 0) return;
  ForEachFixedFunction([&](FixedFunction function, auto member) {
    if ((functions & BitOf(function)) != 0) to.*member = from.*member;
  });
}

// Bits of FixedFunction; 0 for a dynamic state that decides no access.
uint32_t FunctionsOf(VkDynamicState state);

struct VertexBinding {
  // Bytes.
  uint32_t stride = 0;
  VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX;
  // Instances that share an element, with VK_VERTEX_INPUT_RATE_INSTANCE; with 0 all do.
  uint32_t divisor = 1;
};

struct VertexAttribute {
  uint32_t location = 0;
  uint32_t binding = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  // Bytes from the element's start.
  uint32_t offset = 0;
  // Bytes of the format; VertexInput::AddAttribute sets it.
  uint32_t size = 0;
};

// Where vertex attributes come from. Flat, since it may be set dynamically.
struct VertexInput {
  static constexpr size_t kMaxAttributes = 32;

  // A bit for each of the bindings that is described.
  uint32_t described_bindings = 0;
  uint32_t attribute_count = 0;
  std::array<VertexBinding, kMaxVertexBindings> bindings;
  // The first attribute_count.
  std::array<VertexAttribute, kMaxAttributes> attributes;

  void AddBinding(uint32_t binding, const VertexBinding& description);
  void AddAttribute(const VertexAttribute& attribute);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_GRAPHICS_FIXED_FUNCTIONS_H_
