// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_GRAPHICS_GRAPHICS_STATE_H_
#define ASSAY_STATE_GRAPHICS_GRAPHICS_STATE_H_

#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "state/graphics/draw_state.h"
#include "state/graphics/fixed_functions.h"
#include "state/graphics/raster_area.h"
#include "state/graphics/vertex_input.h"
#include "state/objects/object.h"
#include "state/render_pass/render_pass.h"
#include "vk/dynamic_state_rules.h"
#include "vk/rules/dynamic_state_index.h"
#include "vk/vulkan.h"

// The state of a graphics pipeline besides its shaders.
namespace assay::state {

// A set of VkDynamicState.
class DynamicStates {
 public:
  // Ignores a state that the registry does not have.
  void Add(VkDynamicState state) {
    if (const uint8_t index = vk::DynamicStateIndex(state); index < bits_.size()) bits_.set(index);
  }
  bool Has(VkDynamicState state) const {
    const uint8_t index = vk::DynamicStateIndex(state);
    return index < bits_.size() && bits_[index];
  }
  void AddAll(const DynamicStates& others) { bits_ |= others.bits_; }
  friend bool operator==(const DynamicStates&, const DynamicStates&) = default;

 private:
  // By vk::DynamicStateIndex().
  std::bitset<vk::kDynamicStateCount> bits_;
};

struct GraphicsState {
  static constexpr VkGraphicsPipelineLibraryFlagsEXT kAllParts =
      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

  // The pipeline's own parts and those of its libraries: kAllParts for a pipeline that can be bound.
  VkGraphicsPipelineLibraryFlagsEXT parts = 0;
  // The dynamic states of all parts.
  DynamicStates dynamic_states;
  FixedFunctions functions;
  // Bits of FixedFunction: the functions that are dynamic. `functions` does not count for them.
  uint32_t dynamic_functions = 0;
  VertexInput vertex_input;
  bool has_dynamic_vertex_input = false;
  bool has_dynamic_strides = false;
  // The viewports and scissors that are not dynamic, and their numbers.
  RasterArea raster_area;
  bool has_dynamic_viewports = false;
  bool has_dynamic_viewport_count = false;
  bool has_dynamic_scissors = false;
  bool has_dynamic_scissor_count = false;
  // Whether a polygon may have no fragment, or not all samples of one, at a place that is inside of it, its viewport
  // and its scissor. Reasons are lines instead of polygons, sample masks, alpha to coverage, discard rectangles and
  // such.
  bool may_lack_fragments = false;
  // 0 without tessellation.
  uint32_t patch_control_points = 0;
  // Of the blend state.
  uint32_t color_attachment_count = 0;
  // Whether the blend state or the depth stencil state has a flag for rasterization order attachment access.
  bool has_rasterization_order_access = false;

  // The render pass to draw in; null for dynamic rendering.
  Ref<RenderPass> render_pass;
  uint32_t subpass = 0;
  // Of the subpass or of dynamic rendering.
  uint32_t view_mask = 0;
  std::vector<VkFormat> color_formats;
  VkFormat depth_format = VK_FORMAT_UNDEFINED;
  VkFormat stencil_format = VK_FORMAT_UNDEFINED;

  // Adds the parts of a library.
  void Link(const GraphicsState& library);
};

// The functions that parts of a pipeline (VkGraphicsPipelineLibraryFlagsEXT) decide, as bits of FixedFunction. No two
// parts decide the same function.
uint32_t FunctionsOfParts(VkGraphicsPipelineLibraryFlagsEXT parts);

// The state of a draw: that of the pipeline and the dynamic state, merged. It refers to both, which must outlive it.
class ResolvedDrawState {
  // The merged functions, if neither side has all of them. It is declared before `functions`, which may refer to it.
  std::optional<FixedFunctions> merged_;
  const FixedFunctions& Merge(const GraphicsState* pipeline, const DrawState& set);

 public:
  // A null pipeline stands for shader objects: all state is dynamic.
  ResolvedDrawState(const GraphicsState* of, const DrawState& set);
  ResolvedDrawState(const ResolvedDrawState&) = delete;
  ResolvedDrawState& operator=(const ResolvedDrawState&) = delete;

  // Bytes from one element of a vertex binding to the next.
  VkDeviceSize StrideOf(uint32_t binding) const {
    return has_dynamic_strides ? draw->vertex_buffer(binding).stride : vertex_input->bindings[binding].stride;
  }

  // Whether all viewports and scissors are known to contain the area.
  bool RasterAreaContains(const VkRect2D& area) const;

  // Null with shader objects.
  const GraphicsState* pipeline;
  const FixedFunctions& functions;
  const VertexInput* vertex_input;
  const DrawState* draw;
  bool has_dynamic_strides;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_GRAPHICS_GRAPHICS_STATE_H_
