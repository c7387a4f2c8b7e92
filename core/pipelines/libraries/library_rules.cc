// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of pipeline libraries: each with the pipeline that links it.

#include <algorithm>

#include "core/pipelines/libraries/layout_links.h"
#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;

// The first library of which it is true.
template <class F>
Result FirstWith(const View& view, const F& is_wrong, std::string_view text) {
  for (const LinkedLibrary& library : view.libraries) {
    if (is_wrong(library)) return Wrong(std::string(text), "", library.index);
  }
  return kFine;
}
bool Has(const LinkedLibrary& library, VkPipelineCreateFlags2 flag) { return (library.pipeline->flags & flag) != 0; }
bool SomeHas(const View& view, VkPipelineCreateFlags2 flag) {
  return std::ranges::any_of(view.libraries, [&](const LinkedLibrary& library) { return Has(library, flag); });
}
Result AllNeed(const View& view, bool is_needed, VkPipelineCreateFlags2 flag, std::string_view text) {
  return FirstWith(view, [&](const LinkedLibrary& library) { return is_needed && !Has(library, flag); }, text);
}

Result CheckIsLibrary(const View& view) {
  return AllNeed(view, true, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR,
                 "was created without VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.");
}
constexpr VkPipelineCreateFlags2 kRetain = VK_PIPELINE_CREATE_2_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
Result CheckOptimized(const View& view) {
  return AllNeed(view, view.HasFlag(VK_PIPELINE_CREATE_2_LINK_TIME_OPTIMIZATION_BIT_EXT), kRetain,
                 "was created without VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT, which "
                 "VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT needs.");
}
Result CheckRetained(const View& view) {
  return AllNeed(view, view.HasFlag(kRetain), kRetain,
                 "was created without VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT, which the "
                 "pipeline has.");
}

Result CheckIdentifiers(const View& view) {
  if (view.HasFlag(VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)) return kFine;
  return FirstWith(
      view,
      [](const LinkedLibrary& library) {
        return library.facts != nullptr && std::ranges::any_of(library.facts->parts, &PartFacts::has_module_identifier);
      },
      "has a shader that is given by a module identifier, but flags does not have "
      "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT.");
}

constexpr VkPipelineCreateFlags2 kCapture = VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
bool HasOwnParts(const View& view) { return view.library_info != nullptr && view.library_info->flags != 0; }
Result CheckOwnCapture(const View& view) {
  return AllNeed(view, HasOwnParts(view) && view.HasFlag(kCapture), kCapture,
                 "was created without VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, which the pipeline "
                 "has.");
}
Result CheckLibrariesCapture(const View& view) {
  return AllNeed(view, !HasOwnParts(view) && SomeHas(view, kCapture), kCapture,
                 "was created without VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, which another "
                 "library has.");
}
Result CheckCaptureOfLibraries(const View& view) {
  return HasOwnParts(view) && !view.HasFlag(kCapture) && SomeHas(view, kCapture)
             ? Wrong("has no VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, which a library has.")
             : kFine;
}

Result CheckDescriptorBuffers(const View& view) {
  constexpr VkPipelineCreateFlags2 kFlag = VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT;
  return AllNeed(view, SomeHas(view, kFlag), kFlag,
                 "was created without VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, which another library has.");
}
template <VkPipelineCreateFlags2 kFlag>
Result CheckWithFlag(const View& view) {
  if (!view.HasFlag(kFlag)) return kFine;
  return AllNeed(view, true, kFlag,
                 absl::StrCat("was created without ",
                              kFlag == VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT
                                  ? "VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT"
                                  : "VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT",
                              ", which the pipeline has."));
}
template <VkPipelineCreateFlags2 kFlag>
Result CheckWithoutFlag(const View& view) {
  if (view.HasFlag(kFlag)) return kFine;
  return FirstWith(
      view, [](const LinkedLibrary& library) { return Has(library, kFlag); },
      absl::StrCat("was created with ",
                   kFlag == VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT
                       ? "VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT"
                       : "VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT",
                   ", which the pipeline does not have."));
}
// Of layouts that are complete: no set is left open.
Result CheckNoOpenSet(const View& view, bool is_complete, std::string_view why) {
  if (!is_complete || view.layout == nullptr) return kFine;
  for (size_t i = 0; i < view.layout->sets.size(); ++i) {
    if (view.layout->sets[i].handle == VK_NULL_HANDLE) {
      return Wrong(absl::StrCat("was created with VK_NULL_HANDLE as pSetLayouts[", i, "], but the pipeline ", why));
    }
  }
  return kFine;
}
Result CheckSetsOfShaders(const View& view) {
  return CheckNoOpenSet(
      view, view.library_info != nullptr && view.Requires(kPreRasterization) && view.Requires(kFragmentShader),
      "has both pre-rasterization shader state and fragment shader state.");
}
Result CheckSetsOfDiscard(const View& view) {
  return CheckNoOpenSet(view,
                        view.library_info != nullptr && view.Requires(kPreRasterization) && !view.rasterizes() &&
                            !view.Requires(kFragmentShader),
                        "has rasterizerDiscardEnable VK_TRUE.");
}

// The layout of a pipeline that has all its parts from libraries.
Result CheckLinkedLayout(const View& view, bool is_independent) {
  if (view.parts != 0 || view.all_parts != state::GraphicsState::kAllParts || view.layout == nullptr) return kFine;
  const auto has_kind = [&](const PartFacts& part) {
    return !part.Has(kPreRasterization | kFragmentShader) ||
           (part.layout != nullptr && part.layout->has_independent_sets() == is_independent);
  };
  for (const LinkedLibrary& library : view.libraries) {
    if (library.facts == nullptr || !std::ranges::all_of(library.facts->parts, has_kind)) return kFine;
  }
  for (const LinkedLibrary& library : view.libraries) {
    for (const PartFacts& part : library.facts->parts) {
      if (part.layout == nullptr) continue;
      if (const Mismatch found = CompareSets(*view.layout, *part.layout))
        return Wrong(absl::StrCat("is not compatible with that of pLibraries[", library.index, "]: ", *found, "."));
    }
  }
  return kFine;
}
Result CheckLayout(const View& view) { return CheckLinkedLayout(view, false); }
bool IsOptimized(const View& view) { return view.HasFlag(VK_PIPELINE_CREATE_2_LINK_TIME_OPTIMIZATION_BIT_EXT); }
Result CheckOptimizedLayout(const View& view) { return IsOptimized(view) ? CheckLinkedLayout(view, true) : kFine; }
Result CheckFastLayout(const View& view) { return IsOptimized(view) ? kFine : CheckLinkedLayout(view, true); }

constexpr char kLibraries[] = "pNext<VkPipelineLibraryCreateInfoKHR>.pLibraries[]";
constexpr VkPipelineCreateFlags2 kUnprotected = VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT;
constexpr VkPipelineCreateFlags2 kProtected = VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT;
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-03381"), kLibraries, CheckIsLibrary},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-06855"), kLibraries, CheckIdentifiers},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06609"), kLibraries, CheckOptimized},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06610"), kLibraries, CheckRetained},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06645"), kLibraries, CheckOwnCapture},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06646"), kLibraries, CheckLibrariesCapture},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06647"), "flags", CheckCaptureOfLibraries},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-08096"), kLibraries, CheckDescriptorBuffers},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07404"), kLibraries, CheckWithFlag<kUnprotected>},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07405"), kLibraries, CheckWithoutFlag<kUnprotected>},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07406"), kLibraries, CheckWithFlag<kProtected>},
    {Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07407"), kLibraries, CheckWithoutFlag<kProtected>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-layout-07827"), "layout", CheckLayout},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06729"), "layout", CheckOptimizedLayout},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06730"), "layout", CheckFastLayout},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06682"), "layout", CheckSetsOfShaders},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06683"), "layout", CheckSetsOfDiscard},
};

}  // namespace

absl::Span<const PipelineRule> LibraryRules() { return kRules; }

}  // namespace assay::core
