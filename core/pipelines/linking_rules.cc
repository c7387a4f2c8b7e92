// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of pipeline libraries, and of pipelines that are linked from them.

#include <algorithm>

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using Parts = VkGraphicsPipelineLibraryFlagsEXT;
using Flags = VkPipelineCreateFlags2;

Result If(bool is_wrong, std::string_view text) { return is_wrong ? Wrong(std::string(text)) : kFine; }

// The first library that wrong(library) is about.
template <class P>
Result ForLibraries(const View& view, std::string_view text, const P& wrong) {
  for (const LinkedLibrary& library : view.libraries) {
    if (wrong(*library.pipeline)) return Wrong(std::string(text), "", library.index);
  }
  return kFine;
}
bool HasFlag(const state::Pipeline& library, Flags flag) { return (library.flags & flag) != 0; }

// If the pipeline has a flag, its libraries have the other one.
template <Flags kOwn, Flags kLibrary>
Result CheckWith(const View& view) {
  if (!view.HasFlag(kOwn)) return kFine;
  return ForLibraries(view, "was created without a flag that this pipeline's flags need.",
                      [](const state::Pipeline& library) { return !HasFlag(library, kLibrary); });
}
// If the pipeline does not have a flag, no library has it.
template <Flags kFlag>
Result CheckWithout(const View& view) {
  if (view.HasFlag(kFlag)) return kFine;
  return ForLibraries(view, "was created with a flag that this pipeline does not have.",
                      [](const state::Pipeline& library) { return HasFlag(library, kFlag); });
}
// All libraries have a flag, or none has it.
template <Flags kFlag>
Result CheckUniform(const View& view) {
  bool has_one = false;
  for (const LinkedLibrary& library : view.libraries) has_one |= HasFlag(*library.pipeline, kFlag);
  if (!has_one) return kFine;
  return ForLibraries(view, "was created without a flag that another library has.",
                      [](const state::Pipeline& library) { return !HasFlag(library, kFlag); });
}
constexpr Flags kCapture = VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
constexpr Flags kRetain = VK_PIPELINE_CREATE_2_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
constexpr Flags kOptimize = VK_PIPELINE_CREATE_2_LINK_TIME_OPTIMIZATION_BIT_EXT;
constexpr Flags kUnprotected = VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT;
constexpr Flags kProtected = VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT;
constexpr Flags kGraph = VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX;

bool HasOwnParts(const View& view) { return view.library_info != nullptr && view.library_info->flags != 0; }

Result CheckOwnCapture(const View& view) { return HasOwnParts(view) ? CheckWith<kCapture, kCapture>(view) : kFine; }
Result CheckLibraryCapture(const View& view) { return HasOwnParts(view) ? CheckWithout<kCapture>(view) : kFine; }

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
Result CheckIsLibrary(const View& view) {
  return ForLibraries(view, "was created without VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.",
                      [](const state::Pipeline& of) { return !HasFlag(of, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR); });
}
Result CheckOverlap(const View& view) {
  Parts seen = view.parts;
  for (const LinkedLibrary& library : view.libraries) {
    const Parts parts = library.pipeline->graphics->parts;
    if ((seen & parts) != 0) {
      return Wrong(
          absl::StrCat("has parts (0x", absl::Hex(seen & parts), ") that this pipeline or another library has, too."),
          "", library.index);
    }
    seen |= parts;
  }
  return kFine;
}

// The parts with a render pass.
constexpr Parts kTargets = kPreRasterization | kFragmentShader | kFragmentOutput;

bool HasTarget(const state::Pipeline& library) { return (library.graphics->parts & kTargets) != 0; }
// Calls wrong(library) for those that have a render pass where this pipeline has one, too.
template <class P>
Result ForTargets(const View& view, std::string_view text, const P& wrong) {
  if (!view.Requires(kTargets)) return kFine;
  return ForLibraries(view, text, [&](const state::Pipeline& library) { return HasTarget(library) && wrong(library); });
}
// Calls wrong(first, library) for the first library that has a render pass, and each other one.
template <class P>
Result ForTargetPairs(const View& view, std::string_view text, const P& wrong) {
  const state::Pipeline* first = nullptr;
  for (const LinkedLibrary& library : view.libraries) {
    if (!HasTarget(*library.pipeline)) continue;
    if (first == nullptr) first = library.pipeline;
    if (wrong(*first->graphics, *library.pipeline->graphics)) return Wrong(std::string(text), "", library.index);
  }
  return kFine;
}
using State = state::GraphicsState;

Result CheckSubpass(const View& view) {
  return ForTargets(view, "was created for another subpass.", [&](const state::Pipeline& library) {
    return view.has_render_pass() && library.graphics->render_pass && library.graphics->subpass != view.info.subpass;
  });
}
Result CheckSubpasses(const View& view) {
  return ForTargetPairs(
      view, "was created for another subpass than another library.",
      [](const State& a, const State& b) { return a.render_pass && b.render_pass && a.subpass != b.subpass; });
}
Result CheckNoRenderPass(const View& view) {
  return ForTargets(view, "was created with a render pass.", [&](const state::Pipeline& library) {
    return !view.has_render_pass() && library.graphics->render_pass;
  });
}
Result CheckSomeRenderPass(const View& view) {
  return ForTargets(view, "was created without a render pass.", [&](const state::Pipeline& library) {
    return view.render_pass != nullptr && !library.graphics->render_pass;
  });
}
Result CheckViewMask(const View& view) {
  return ForTargets(view, "was created with another view mask.", [&](const state::Pipeline& library) {
    return !view.has_render_pass() && !library.graphics->render_pass && library.graphics->view_mask != view.view_mask;
  });
}
Result CheckViewMasks(const View& view) {
  return ForTargetPairs(
      view, "was created with another view mask than another library.",
      [](const State& a, const State& b) { return !a.render_pass && !b.render_pass && a.view_mask != b.view_mask; });
}
Result CheckRenderPasses(const View& view) {
  return ForTargetPairs(view, "was created with a render pass, and another library without, or the other way round.",
                        [](const State& a, const State& b) { return !a.render_pass != !b.render_pass; });
}

// Null set layouts.
bool HasNullSet(const state::PipelineLayout* layout) {
  if (layout == nullptr) return false;
  for (const auto& set : layout->set_layouts) {
    if (!set) return true;
  }
  return false;
}
const state::PipelineLayout* LayoutOf(const View& view) {
  return view.Requires(kPreRasterization | kFragmentShader)
             ? state::DeviceState::Get<state::PipelineLayout>(view.info.layout)
             : nullptr;
}
constexpr char kNullSet[] = "was created with a VK_NULL_HANDLE among its set layouts.";
Result CheckWholeSets(const View& view) {
  return If(view.library_info != nullptr && view.Requires(kPreRasterization) && view.Requires(kFragmentShader) &&
                HasNullSet(LayoutOf(view)),
            kNullSet);
}
Result CheckDiscardedSets(const View& view) {
  return If(view.library_info != nullptr && view.Requires(kPreRasterization) && !view.Requires(kFragmentShader) &&
                !view.rasterizes() && HasNullSet(LayoutOf(view)),
            kNullSet);
}
bool HasBothNull(const state::PipelineLayout* a, const state::PipelineLayout* b) {
  if (a == nullptr || b == nullptr) return false;
  for (size_t i = 0; i < std::min(a->set_layouts.size(), b->set_layouts.size()); ++i) {
    if (!a->set_layouts[i] && !b->set_layouts[i]) return true;
  }
  return false;
}
// The shader part that is not in `parts`, if exactly one is.
Parts OtherShaderPart(Parts parts) {
  parts &= kPreRasterization | kFragmentShader;
  return parts == 0 ? 0 : parts ^ (kPreRasterization | kFragmentShader);
}
Result CheckNullInBoth(const View& view) {
  const Parts other = view.library_info != nullptr ? OtherShaderPart(view.parts) : 0;
  return ForLibraries(view, "has a layout that is VK_NULL_HANDLE for a set for which this pipeline's is, too.",
                      [&](const state::Pipeline& library) {
                        return (library.graphics->parts & other) != 0 &&
                               HasBothNull(LayoutOf(view), library.layout.get());
                      });
}
Result CheckNullInPair(const View& view) {
  const state::Pipeline* first = nullptr;
  for (const LinkedLibrary& library : view.libraries) {
    const Parts other = OtherShaderPart(library.pipeline->graphics->parts);
    if (other == 0) continue;
    if (first != nullptr && (first->graphics->parts & other) != 0 &&
        HasBothNull(first->layout.get(), library.pipeline->layout.get())) {
      return Wrong("has a layout that is VK_NULL_HANDLE for a set for which another library's is, too.", "",
                   library.index);
    }
    first = library.pipeline;
  }
  return kFine;
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
  return If(view.library_info == nullptr && view.parts == State::kAllParts && view.libraries.empty() &&
                view.info.layout == VK_NULL_HANDLE,
            "is VK_NULL_HANDLE.");
}

constexpr char kLibrary[] = "pNext<VkPipelineLibraryCreateInfoKHR>.pLibraries[]";
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-graphicsPipelineLibrary-06606"), "flags", CheckFeature},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06608"), "flags", CheckNotComplete},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-03381"), kLibrary, CheckIsLibrary},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06611"), kLibrary, CheckOverlap},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06609"), kLibrary, CheckWith<kOptimize, kRetain>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06610"), kLibrary, CheckWith<kRetain, kRetain>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-10191"), kLibrary, CheckWith<kGraph, kGraph>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06645"), kLibrary, CheckOwnCapture},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06646"), kLibrary, CheckUniform<kCapture>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06647"), kLibrary, CheckLibraryCapture},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-08096"), kLibrary,
     CheckUniform<VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT>},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07404"), kLibrary, CheckWith<kUnprotected, kUnprotected>},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07405"), kLibrary, CheckWithout<kUnprotected>},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07406"), kLibrary, CheckWith<kProtected, kProtected>},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07407"), kLibrary, CheckWithout<kProtected>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06684"), kLibrary, CheckSubpass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06623"), kLibrary, CheckSubpasses},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderpass-06625"), kLibrary, CheckNoRenderPass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderpass-06624"), kLibrary, CheckSomeRenderPass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06626"), kLibrary, CheckViewMask},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06627"), kLibrary, CheckViewMasks},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06628"), kLibrary, CheckRenderPasses},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06682"), "layout", CheckWholeSets},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06683"), "layout", CheckDiscardedSets},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06679"), kLibrary, CheckNullInBoth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06681"), kLibrary, CheckNullInPair},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-08901"), "", CheckHasPreRasterization},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-08899"), "", CheckHasVertexInput},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-08909"), "", CheckHasFragments},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06642"), "layout", CheckLayout},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-07826"), "layout", CheckWholeLayout},
};

}  // namespace

absl::Span<const PipelineRule> LinkingRules() { return kRules; }

}  // namespace assay::core
