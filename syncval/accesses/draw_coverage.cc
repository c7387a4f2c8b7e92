// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/accesses/draw_coverage.h"

#include "vk/vulkan.h"

namespace assay::syncval {
namespace {

using state::FixedFunctions;

// Whether the draw is of one or two triangles, from vertex 0 on.
bool DrawsFewTriangles(const DrawArguments& arguments, VkPrimitiveTopology topology) {
  if (!arguments.is_known || arguments.is_indexed || !arguments.has_vertices) return false;
  if (arguments.elements.first != 0 || arguments.instances.first != 0 || arguments.instances.count != 1) return false;
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
      return arguments.elements.count == 3 || arguments.elements.count == 6;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
      return arguments.elements.count == 3 || arguments.elements.count == 4;
    default:
      return false;
  }
}

// Whether nothing but a vertex's index decides where it is.
bool PlacesByIndex(const state::PipelineStage& vertex) {
  const state::EntryPointInterface& interface = *vertex.interface;
  return interface.found && interface.input_locations == 0 && interface.descriptors.empty() &&
         !interface.has_push_constants && !vertex.accesses_device_addresses;
}

// Whether the tests after rasterization pass for each fragment.
bool PassesTests(const FixedFunctions& functions) {
  if (functions.rasterizer_discard || functions.CullsPolygons() || functions.depth_bounds_test) return false;
  if (functions.depth_test && functions.depth_compare_op != VK_COMPARE_OP_ALWAYS) return false;
  return !functions.stencil_test || (functions.stencil_faces[0].compare_op == VK_COMPARE_OP_ALWAYS &&
                                     functions.stencil_faces[1].compare_op == VK_COMPARE_OP_ALWAYS);
}

bool FillsViewport(const DrawStages& stages, const state::ResolvedDrawState& state, const DrawArguments& arguments) {
  // Of shader objects it is unknown what else may take fragments away.
  if (stages.graphics == nullptr || stages.graphics->may_lack_fragments || stages.count != 2) return false;
  if (!DrawsFewTriangles(arguments, state.functions.topology) || !PassesTests(state.functions)) return false;
  // Conditional rendering may leave out the draw.
  if (state.draw->predicate().buffer != VK_NULL_HANDLE) return false;
  const state::PipelineStage* const vertex = stages.Find(VK_SHADER_STAGE_VERTEX_BIT);
  const state::PipelineStage* const fragment = stages.Find(VK_SHADER_STAGE_FRAGMENT_BIT);
  return vertex != nullptr && fragment != nullptr && PlacesByIndex(*vertex) && fragment->interface->found &&
         !fragment->interface->may_discard_fragments;
}

}  // namespace

bool CoversRenderArea(const DrawStages& stages, const state::ResolvedDrawState& state, const DrawArguments& arguments,
                      const state::RenderPassInstance& rendering, bool assumes_primitives) {
  if (!assumes_primitives && !FillsViewport(stages, state, arguments)) return false;
  if (rendering.is_inherited() || (rendering.layer_count() > 1 && rendering.view_mask() == 0)) return false;
  return state.RasterAreaContains(rendering.render_area());
}

}  // namespace assay::syncval
