// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of pointers to states and stages that are no addresses, where the specification does not ignore them.

#include <algorithm>

#include "core/pipelines/pipeline_rule.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;

Result Check(bool is_read, const void* pointer) {
  return is_read && pointer != nullptr && !vk::IsAddress(pointer) ? Wrong("is no valid pointer.") : kFine;
}

Result CheckAssembly(const View& view) {
  const bool is_read =
      view.Requires(kVertexInput) && (view.all_stages & VK_SHADER_STAGE_MESH_BIT_EXT) == 0 &&
      !view.AreDynamic({VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE});
  return Check(is_read, view.info.pInputAssemblyState);
}
Result CheckTessellation(const View& view) {
  const bool is_read = view.Requires(kPreRasterization) && view.HasStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) &&
                       !view.IsDynamic(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
  return Check(is_read, view.info.pTessellationState);
}
Result CheckRasterization(const View& view) {
  return Check(view.Requires(kPreRasterization), view.info.pRasterizationState);
}
Result CheckMultisample(const View& view) {
  const bool is_read = view.requires_fragment_output() || (view.requires_fragment_shader() && view.has_render_pass());
  return Check(is_read, view.info.pMultisampleState);
}
Result CheckViewport(const View& view) {
  const bool is_read = view.rasterization != nullptr && view.rasterizes() &&
                       !view.AreDynamic({VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT});
  return Check(is_read, view.info.pViewportState);
}
Result CheckBlend(const View& view) {
  const bool has_colors = std::ranges::any_of(view.colors, [](const ColorTarget& c) { return c.format != 0; });
  return Check(view.requires_fragment_output() && has_colors, view.info.pColorBlendState);
}
// Of a subpass, of dynamic rendering, and of a fragment shader without known attachments.
Result CheckSubpassDepth(const View& view) {
  const bool is_used = view.subpass != nullptr && view.subpass->depth_stencil.is_used();
  return Check(is_used && view.requires_fragment_shader(), view.info.pDepthStencilState);
}
Result CheckRenderingDepth(const View& view) {
  const bool is_used = view.depth_format != VK_FORMAT_UNDEFINED || view.stencil_format != VK_FORMAT_UNDEFINED;
  return Check(is_used && !view.has_render_pass() && view.requires_fragment_shader() && view.requires_fragment_output(),
               view.info.pDepthStencilState);
}
Result CheckShaderDepth(const View& view) {
  return Check(!view.has_render_pass() && view.requires_fragment_shader() && !view.Requires(kFragmentOutput),
               view.info.pDepthStencilState);
}

bool LacksStages(const View& view) {
  return view.Requires(kPreRasterization | kFragmentShader) && view.info.stageCount != 0 &&
         !vk::IsAddress(view.info.pStages);
}
Result CheckStages(const View& view) {
  return LacksStages(view) && view.library_info == nullptr ? Wrong("is no valid pointer, but stageCount is not 0.")
                                                           : kFine;
}
Result CheckLibraryStages(const View& view) {
  return LacksStages(view) && view.library_info != nullptr ? Wrong("is no valid pointer, but stageCount is not 0.")
                                                           : kFine;
}

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pInputAssemblyState-09032"), "pInputAssemblyState", CheckAssembly},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pTessellationState-09023"), "pTessellationState", CheckTessellation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pRasterizationState-09040"), "pRasterizationState", CheckRasterization},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09027"), "pMultisampleState", CheckMultisample},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pViewportState-09025"), "pViewportState", CheckViewport},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pColorBlendState-09038"), "pColorBlendState", CheckBlend},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDepthStencilState-09029"), "pDepthStencilState", CheckSubpassDepth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDepthStencilState-09034"), "pDepthStencilState", CheckRenderingDepth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDepthStencilState-09036"), "pDepthStencilState", CheckShaderDepth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-06600"), "pStages", CheckStages},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06640"), "pStages", CheckLibraryStages},
};

}  // namespace

absl::Span<const PipelineRule> PointerRules() { return kRules; }

}  // namespace assay::core
