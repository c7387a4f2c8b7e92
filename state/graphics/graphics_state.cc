// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/graphics/graphics_state.h"

namespace assay::state {
namespace {

template <class... F>
constexpr uint32_t Bits(F... functions) {
  return (BitOf(functions) | ...);
}

}  // namespace

uint32_t FunctionsOfParts(VkGraphicsPipelineLibraryFlagsEXT parts) {
  using F = FixedFunction;
  uint32_t functions = 0;
  if ((parts & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT) != 0)
    functions |= Bits(F::kTopology, F::kPrimitiveRestart);
  if ((parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) != 0)
    functions |= Bits(F::kRasterizerDiscard, F::kCullMode, F::kAttachmentRateOp);
  if ((parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) != 0) {
    functions |= Bits(F::kDepthTest, F::kDepthWrite, F::kDepthCompareOp, F::kDepthBoundsTest, F::kStencilTest,
                      F::kStencilFaces, F::kStencilCompareMasks, F::kStencilWriteMasks, F::kFeedbackLoopAspects);
  }
  if ((parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) != 0) {
    functions |=
        Bits(F::kSamples, F::kColorWriteEnables, F::kColorWriteMasks, F::kBlendEnables, F::kLogicOpEnable, F::kLogicOp);
  }
  return functions;
}

void GraphicsState::Link(const GraphicsState& library) {
  // The library adds only parts that the pipeline does not have yet.
  const VkGraphicsPipelineLibraryFlagsEXT added = library.parts & ~parts;
  const uint32_t added_functions = FunctionsOfParts(added);
  parts |= added;
  dynamic_states.AddAll(library.dynamic_states);
  dynamic_functions |= library.dynamic_functions & added_functions;
  has_rasterization_order_access |= library.has_rasterization_order_access;
  may_lack_fragments |= library.may_lack_fragments;
  CopyFunctions(library.functions, added_functions, functions);
  if ((added & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT) != 0) {
    vertex_input = library.vertex_input;
    has_dynamic_vertex_input = library.has_dynamic_vertex_input;
    has_dynamic_strides = library.has_dynamic_strides;
  }
  if ((added & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) != 0) {
    patch_control_points = library.patch_control_points;
    raster_area = library.raster_area;
    has_dynamic_viewports = library.has_dynamic_viewports;
    has_dynamic_viewport_count = library.has_dynamic_viewport_count;
    has_dynamic_scissors = library.has_dynamic_scissors;
    has_dynamic_scissor_count = library.has_dynamic_scissor_count;
  }
  if ((added & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) != 0) {
    color_attachment_count = library.color_attachment_count;
    color_formats = library.color_formats;
    depth_format = library.depth_format;
    stencil_format = library.stencil_format;
  }
  // All parts with this state have the same.
  constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexInput =
      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
  if ((added & ~kVertexInput) != 0) {
    render_pass = library.render_pass;
    subpass = library.subpass;
    view_mask = library.view_mask;
  }
}

const FixedFunctions& ResolvedDrawState::Merge(const GraphicsState* pipeline, const DrawState& set) {
  if (pipeline == nullptr) return set.dynamic();
  if (pipeline->dynamic_functions == 0) return pipeline->functions;
  merged_ = pipeline->functions;
  CopyFunctions(set.dynamic(), pipeline->dynamic_functions, *merged_);
  return *merged_;
}

ResolvedDrawState::ResolvedDrawState(const GraphicsState* of, const DrawState& set)
    : pipeline(of),
      functions(Merge(of, set)),
      vertex_input(of == nullptr || of->has_dynamic_vertex_input ? &set.dynamic_vertex_input() : &of->vertex_input),
      draw(&set),
      has_dynamic_strides(of == nullptr || of->has_dynamic_strides) {}

bool ResolvedDrawState::RasterAreaContains(const VkRect2D& area) const {
  const RasterArea& set = draw->dynamic_raster_area();
  const auto of = [&](bool GraphicsState::* is_dynamic) -> const RasterArea& {
    return pipeline == nullptr || pipeline->*is_dynamic ? set : pipeline->raster_area;
  };
  const uint32_t viewports = of(&GraphicsState::has_dynamic_viewport_count).viewport_count();
  const uint32_t scissors = of(&GraphicsState::has_dynamic_scissor_count).scissor_count();
  return of(&GraphicsState::has_dynamic_viewports).ViewportsContain(area, viewports) &&
         of(&GraphicsState::has_dynamic_scissors).ScissorsContain(area, scissors);
}

}  // namespace assay::state
