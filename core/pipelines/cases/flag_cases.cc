// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

Setup& ResolveByShader(Setup& w, uint32_t subpass_count = 1) {
  With(w, {"VK_QCOM_render_pass_shader_resolve"}).UseRenderPass(VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM);
  return Set(w, w.subpass_count, subpass_count);
}
void AddGroup(Setup& w) {
  GenerateCommandsNv(w).info.flags |= VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
  w.base = std::make_unique<Setup>();
  w.has_group = true;
}

Setup& BeGraphLibrary(Setup& w) { return SetFlags2(With(w, {"VK_AMDX_shader_enqueue"}), kGraphLibrary); }
void LinkToIdentifier(Setup& w, VkPipelineCreateFlags flags) {
  With(w, {"VK_EXT_shader_module_identifier"}).LinkTo(kInputPart | kFragmentPart | kOutputPart, {kVertexPart});
  w.libraries[0]->has_identifiers = true;
  w.libraries[0]->info.flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  w.info.flags |= flags;
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { w.info.flags = 0x80000000, SetFlags2(w, VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT); }),
    {"flags-11000", [](Setup& w) { BeBindable(Without(w, {"deviceGeneratedCommands"})); }},
    {"flags-10190", [](Setup& w) { BeGraphLibrary(w).BeLibrary(kVertexPart); }},
    {"flags-10191", [](Setup& w) { BeGraphLibrary(w).LinkTo(kFragmentPart, {kOutputPart}); }},
    {"libraryCount-06648",
     [](Setup& w) { w.LinkTo(kVertexPart | kFragmentPart | kOutputPart, {kInputPart}), AddGroup(w); }},
    {"flags-04901", [](Setup& w) { ResolveByShader(w, 2).has_dependencies = w.is_render_pass_wrong = true; }},
    Correct([](Setup& w) { ResolveByShader(w, 2).info.subpass = 1; }),
    {"flags-04902", By([](Setup& w) {
       ResolveByShader(w);
       w.subpass_samples = w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
       w.has_resolve = w.is_render_pass_wrong = true;
     })},
    // Such sets do not count for the limit.
    Correct([](Setup& w) {
      w.layout.sets = {kFragment, VK_SHADER_STAGE_ALL};
      w.layout.set_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
      w.device_limits = [](VkPhysicalDeviceLimits& limits) { limits.maxPerStageResources = 1; };
    }),
    {"VkPipelineLibraryCreateInfoKHR-pLibraries-06855", [](Setup& w) { LinkToIdentifier(w, 0); }},
    Correct([](Setup& w) { LinkToIdentifier(w, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT); }),
};

// An address without a structure, for pointers of all types.
struct BadAddress {
  template <class T>
  operator const T*() const {
    return reinterpret_cast<const T*>(uintptr_t{1});
  }
};
constexpr BadAddress kBad = {};

constexpr PipelineCase kPointerCases[] = {
    {"pInputAssemblyState-09032", [](Setup& w) { w.info.pInputAssemblyState = kBad; }},
    {"pTessellationState-09023", [](Setup& w) { Tessellate(w).info.pTessellationState = kBad; }},
    {"pRasterizationState-09040", [](Setup& w) { w.info.pRasterizationState = kBad; }},
    {"pMultisampleState-09027", [](Setup& w) { w.info.pMultisampleState = kBad; }},
    {"pViewportState-09025", [](Setup& w) { w.info.pViewportState = kBad; }},
    {"pColorBlendState-09038", [](Setup& w) { w.info.pColorBlendState = kBad; }},
    {"pDepthStencilState-09029", [](Setup& w) { UseDepth(UseRenderPass(w)).info.pDepthStencilState = kBad; }},
    {"pDepthStencilState-09034", [](Setup& w) { w.UseDepth(), w.info.pDepthStencilState = kBad; }},
    {"pDepthStencilState-09036", [](Setup& w) { BeLibrary(w, kFragmentPart).info.pDepthStencilState = kBad; }},
    // What is ignored may be garbage.
    Correct([](Setup& w) {
      w.raster.rasterizerDiscardEnable = VK_TRUE;
      w.info.pViewportState = kBad;
      w.info.pMultisampleState = kBad;
      w.info.pDepthStencilState = kBad;
      w.info.pColorBlendState = kBad;
      w.info.pTessellationState = kBad;
    }),
    {"pStages-06600", [](Setup& w) { w.has_bad_stages = true; }},
    {"flags-06640", [](Setup& w) { w.BeLibrary(kFragmentPart), w.has_bad_stages = true; }},
};

}  // namespace

absl::Span<const PipelineCase> FlagCases() { return kCases; }
absl::Span<const PipelineCase> PointerCases() { return kPointerCases; }

}  // namespace assay::core
