// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of which parts a pipeline has.

#include <string>
#include <string_view>

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using Parts = VkGraphicsPipelineLibraryFlagsEXT;

Result If(bool is_wrong, std::string_view text) { return is_wrong ? Wrong(std::string(text)) : kFine; }

Result CheckFeature(const View& view) {
  return If(view.HasFlag(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) && !view.Has(vk::FeatureId::kGraphicsPipelineLibrary) &&
                !view.Has(vk::FeatureId::kShaderMeshEnqueue),
            "has VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, but the feature graphicsPipelineLibrary is not enabled.");
}
Result CheckNotComplete(const View& view) {
  return If(view.HasFlag(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) && !view.Has(vk::FeatureId::kShaderMeshEnqueue) &&
                view.parts == state::GraphicsState::kAllParts,
            "has VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, but the pipeline has all parts.");
}
// Parts that are missing.
bool IsLibrary(const View& view) { return view.HasFlag(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR); }
Result CheckHasPreRasterization(const View& view) {
  return If(!IsLibrary(view) && (view.all_parts & kPreRasterization) == 0,
            "has no pre-rasterization shader state, and is no library.");
}
Result CheckHasVertexInput(const View& view) {
  return If(!IsLibrary(view) && (view.all_parts & kPreRasterization) != 0 &&
                (view.all_stages & VK_SHADER_STAGE_VERTEX_BIT) != 0 && (view.all_parts & kVertexInput) == 0,
            "has a vertex shader, but no vertex input state, and is no library.");
}
Result CheckHasFragments(const View& view) {
  const Parts needed = kFragmentShader | kFragmentOutput;
  return If(!IsLibrary(view) && (view.all_parts & kPreRasterization) != 0 && view.rasterizes() &&
                (view.all_parts & needed) != needed,
            "rasterizes, but has no fragment shader state or no fragment output state, and is no library.");
}
// Of layouts that are no valid handles.
Result CheckLayout(const View& view) {
  return If(view.library_info != nullptr && view.Requires(kPreRasterization | kFragmentShader) &&
                view.info.layout == VK_NULL_HANDLE,
            "is VK_NULL_HANDLE.");
}
Result CheckWholeLayout(const View& view) {
  return If(view.library_info == nullptr && view.parts == state::GraphicsState::kAllParts && view.libraries.empty() &&
                view.info.layout == VK_NULL_HANDLE,
            "is VK_NULL_HANDLE, but the pipeline has all parts itself.");
}
// Shader groups need a pipeline with all parts of its own.
constexpr char kGroups[] = "pNext<VkGraphicsPipelineShaderGroupsCreateInfoNV>";
Result CheckGroups(const View& view) {
  const auto* groups = view.Chained<VkGraphicsPipelineShaderGroupsCreateInfoNV>();
  return If(groups != nullptr && view.parts == state::GraphicsState::kAllParts && view.libraries.empty() &&
                groups->groupCount == 0,
            "has no groups, but the pipeline has all parts.");
}
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-graphicsPipelineLibrary-06606"), "flags", CheckFeature},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06608"), "flags", CheckNotComplete},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-08901"), "", CheckHasPreRasterization},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-08899"), "", CheckHasVertexInput},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-08909"), "", CheckHasFragments},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-libraryCount-06649"), kGroups, CheckGroups},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06642"), "layout", CheckLayout},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-07826"), "layout", CheckWholeLayout},
};

}  // namespace

absl::Span<const PipelineRule> PartRules() { return kRules; }

}  // namespace assay::core
