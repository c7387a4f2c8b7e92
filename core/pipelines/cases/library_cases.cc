// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

constexpr VkPipelineLayoutCreateFlags kIndependent = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
constexpr VkPipelineCreateFlags kOptimize = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
constexpr VkPipelineCreateFlags kRetain = VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
constexpr VkPipelineCreateFlags kCapture = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
constexpr VkPipelineCreateFlags kBuffer = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr VkPipelineCreateFlags kUnprotected = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT;
constexpr VkPipelineCreateFlags kProtected = VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT;

Setup& LinkThree(Setup& w) { return Link(w, {kInputPart | kVertexPart, kFragmentPart, kOutputPart}); }
Setup& LinkToVertex(Setup& w) { return LinkTo(w, kOutputPart, {kInputPart | kVertexPart}); }
Setup& WithExecutables(Setup& w) { return With(w, {"VK_KHR_pipeline_executable_properties"}); }
Setup& WithBuffer(Setup& w) { return With(w, {"VK_EXT_descriptor_buffer"}); }
Setup& LinkProtected(Setup& w) { return LinkOwnOutput(With(w, {"VK_EXT_pipeline_protected_access"})); }
// The pipeline and its libraries have flags, but for one library where `but` is its index.
void SetFlags(Setup& w, VkPipelineCreateFlags own, VkPipelineCreateFlags of_libraries, size_t but = SIZE_MAX) {
  w.info.flags = own;
  for (size_t i = 0; i < w.libraries.size(); ++i)
    if (i != but) w.libraries[i]->info.flags |= of_libraries;
}
Setup& BeIndependentLibrary(Setup& w, Parts parts) {
  BeLibrary(w, parts).layout.flags = kIndependent;
  w.layout.sets = {0, kVertex};
  return w;
}
// Libraries with one layout; that of the pipeline differs.
Setup& LinkWithLayouts(Setup& w, VkPipelineLayoutCreateFlags flags) {
  w.Link({kInputPart | kVertexPart, kFragmentPart | kOutputPart});
  for (const auto& library : w.libraries) library->layout = {flags, {kBoth}, {}};
  w.layout = {flags, {kVertex}, {}};
  return w;
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { w.BeLibrary(kInputPart); }),
    Correct([](Setup& w) { w.BeLibrary(kVertexPart); }),
    Correct([](Setup& w) { w.BeLibrary(kFragmentPart); }),
    Correct([](Setup& w) { w.BeLibrary(kOutputPart); }),
    {"pStages-06894", [](Setup& w) { w.BeLibrary(kVertexPart), w.stages = {kVertex, kFragment}; }},
    {"pStages-06895", [](Setup& w) { w.BeLibrary(kFragmentPart), w.stages = {kVertex, kFragment}; }},
    {"stageCount-09587", [](Setup& w) { w.BeLibrary(kOutputPart), w.stages = {kVertex, kFragment}; }},
    {"flags-06644", [](Setup& w) { w.BeLibrary(kFragmentPart), w.stages.clear(); }},
    {"renderPass-09035", [](Setup& w) { w.BeLibrary(kFragmentPart), w.info.pDepthStencilState = nullptr; }},
    {"renderpass-06631", [](Setup& w) { UseRenderPass(BeLibrary(w, kFragmentPart)).info.pMultisampleState = nullptr; }},
    {"flags-06642", [](Setup& w) { w.BeLibrary(kVertexPart), w.has_layout = false; }},
    {"None-07826", [](Setup& w) { w.has_layout = false; }},
    Correct([](Setup& w) { w.BeLibrary(kOutputPart), w.has_layout = false; }),
    {"graphicsPipelineLibrary-06606", [](Setup& w) { w.Disable("graphicsPipelineLibrary"), w.BeLibrary(kInputPart); }},
    {"flags-06608", [](Setup& w) { w.BeLibrary(kInputPart | kVertexPart | kFragmentPart | kOutputPart); }},
    {"flags-08901", [](Setup& w) { w.KeepParts(kOutputPart); }},
    {"flags-08899", [](Setup& w) { w.KeepParts(kVertexPart | kFragmentPart | kOutputPart); }},
    {"flags-08909", [](Setup& w) { w.KeepParts(kInputPart | kVertexPart); }},
    Correct([](Setup& w) { BeIndependentLibrary(w, kVertexPart); }),
    {"flags-06682", [](Setup& w) { BeIndependentLibrary(w, kVertexPart | kFragmentPart); }},
    {"flags-06683", [](Setup& w) { BeIndependentLibrary(w, kVertexPart).raster.rasterizerDiscardEnable = VK_TRUE; }},
    {"VkPipelineLibraryCreateInfoKHR-pLibraries-03381",
     [](Setup& w) { w.Link({}), w.libraries.push_back(std::make_unique<Setup>()); }},
    {"flags-06609", [](Setup& w) { SetFlags(LinkThree(w), kOptimize, kRetain, 1); }},
    Correct([](Setup& w) { SetFlags(LinkThree(w), kOptimize, kRetain); }),
    {"flags-06610", [](Setup& w) { SetFlags(LinkToVertex(w), VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | kRetain, 0); }},
    Correct([](Setup& w) { SetFlags(LinkToVertex(w), VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | kRetain, kRetain); }),
    {"flags-06645", [](Setup& w) { SetFlags(LinkOwnOutput(WithExecutables(w)), kCapture, 0); }},
    Correct([](Setup& w) { SetFlags(LinkOwnOutput(WithExecutables(w)), kCapture, kCapture); }),
    {"pLibraries-06646", [](Setup& w) { SetFlags(LinkThree(WithExecutables(w)), 0, kCapture, 0); }},
    Correct([](Setup& w) { SetFlags(LinkThree(WithExecutables(w)), 0, kCapture); }),
    {"pLibraries-06647", [](Setup& w) { SetFlags(LinkOwnOutput(WithExecutables(w)), 0, kCapture); }},
    {"VkPipelineLibraryCreateInfoKHR-pLibraries-08096",
     [](Setup& w) { SetFlags(LinkThree(WithBuffer(w)), kBuffer, kBuffer, 2); }},
    Correct([](Setup& w) { SetFlags(LinkThree(WithBuffer(w)), kBuffer, kBuffer); }),
    {"VkPipelineLibraryCreateInfoKHR-pipeline-07404", [](Setup& w) { SetFlags(LinkProtected(w), kUnprotected, 0); }},
    {"VkPipelineLibraryCreateInfoKHR-pipeline-07405", [](Setup& w) { SetFlags(LinkProtected(w), 0, kUnprotected); }},
    Correct([](Setup& w) { SetFlags(LinkProtected(w), kUnprotected, kUnprotected); }),
    {"VkPipelineLibraryCreateInfoKHR-pipeline-07406", [](Setup& w) { SetFlags(LinkProtected(w), kProtected, 0); }},
    {"VkPipelineLibraryCreateInfoKHR-pipeline-07407", [](Setup& w) { SetFlags(LinkProtected(w), 0, kProtected); }},
    Correct([](Setup& w) { SetFlags(LinkProtected(w), kProtected, kProtected); }),
    {"layout-07827", [](Setup& w) { LinkWithLayouts(w, 0); }},
    Correct([](Setup& w) { LinkWithLayouts(w, 0).layout.sets = {kBoth}; }),
    {"flags-06730", [](Setup& w) { LinkWithLayouts(w, kIndependent); }},
    {"flags-06729", [](Setup& w) { SetFlags(LinkWithLayouts(w, kIndependent), kOptimize, kRetain); }},
    Correct([](Setup& w) { LinkWithLayouts(w, kIndependent).layout.sets = {kBoth}; }),
};

}  // namespace

absl::Span<const PipelineCase> LibraryCases() { return kCases; }

}  // namespace assay::core
