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
#include "state/objects/object.h"
#include "state/render_pass/render_pass.h"
#include "vk/vulkan.h"

// The parts of a graphics pipeline that are no shaders.
namespace assay::state {

// A set of VkDynamicState.
class DynamicStates {
 public:
  // A state that the registry has not is left out.
  void Add(VkDynamicState state);
  bool Has(VkDynamicState state) const;
  void AddAll(const DynamicStates& others) { bits_ |= others.bits_; }

 private:
  // By position among the registry's values.
  std::bitset<128> bits_;
};

struct GraphicsState {
  static constexpr VkGraphicsPipelineLibraryFlagsEXT kAllParts =
      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

  // Its own and those of the libraries that it is linked from: kAllParts for a pipeline that can be bound.
  VkGraphicsPipelineLibraryFlagsEXT parts = 0;
  // Those of all parts.
  DynamicStates dynamic_states;
  FixedFunctions functions;
  // Bits of FixedFunction: those for which what is set counts instead.
  uint32_t dynamic_functions = 0;
  VertexInput vertex_input;
  bool has_dynamic_vertex_input = false;
  bool has_dynamic_strides = false;
  // 0 without tessellation.
  uint32_t patch_control_points = 0;
  // Of the blend state.
  uint32_t color_attachment_count = 0;

  // What it is drawn in: a render pass, or, without one, dynamic rendering.
  Ref<RenderPass> render_pass;
  uint32_t subpass = 0;
  // Of the subpass or of dynamic rendering.
  uint32_t view_mask = 0;
  std::vector<VkFormat> color_formats;
  VkFormat depth_format = VK_FORMAT_UNDEFINED;
  VkFormat stencil_format = VK_FORMAT_UNDEFINED;

  // Takes over the parts of a library.
  void Link(const GraphicsState& library);
};

// Bits of FixedFunction: what parts of a pipeline (VkGraphicsPipelineLibraryFlagsEXT) decide. No function is decided by
// two of them.
uint32_t FunctionsOfParts(VkGraphicsPipelineLibraryFlagsEXT parts);

// What a draw is made with: the pipeline's and the dynamic state, put together. Refers to both.
class ResolvedDrawState {
  // Of both put together, where neither has all. It stands before what may refer to it.
  std::optional<FixedFunctions> merged_;
  const FixedFunctions& Merge(const GraphicsState* pipeline, const DrawState& set);

 public:
  // A null pipeline stands for shader objects, with which everything is dynamic.
  ResolvedDrawState(const GraphicsState* pipeline, const DrawState& set);
  ResolvedDrawState(const ResolvedDrawState&) = delete;
  ResolvedDrawState& operator=(const ResolvedDrawState&) = delete;

  // Bytes between the elements of a vertex binding.
  VkDeviceSize StrideOf(uint32_t binding) const {
    return has_dynamic_strides ? draw->vertex_buffer(binding).stride : vertex_input->bindings[binding].stride;
  }

  const FixedFunctions& functions;
  const VertexInput* vertex_input;
  const DrawState* draw;
  bool has_dynamic_strides;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_GRAPHICS_GRAPHICS_STATE_H_
