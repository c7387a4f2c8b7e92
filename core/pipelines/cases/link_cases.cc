// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

using Sets = std::vector<VkShaderStageFlags>;

constexpr VkPipelineLayoutCreateFlags kIndependent = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;

// Pre-rasterization shaders and the fragment shader in two libraries, and in the pipeline and a library.
Setup& LinkShaders(Setup& w) { return Link(w, {kInputPart | kVertexPart, kFragmentPart | kOutputPart}); }
Setup& LinkToShaders(Setup& w) { return LinkTo(w, kInputPart | kVertexPart, {kFragmentPart | kOutputPart}); }
// The fragment output apart.
Setup& LinkOutput(Setup& w) { return Link(w, {kInputPart | kVertexPart | kFragmentPart, kOutputPart}); }
Setup& LinkToOutput(Setup& w) { return LinkTo(w, kInputPart | kVertexPart | kFragmentPart, {kOutputPart}); }

// The two that are linked: two libraries, or the pipeline itself and its library.
Setup& First(Setup& w) { return w.libraries.size() == 1 ? w : *w.libraries[0]; }
Setup& Second(Setup& w) { return *w.libraries.back(); }
void ChangeBoth(Setup& w, void (*change)(Setup&)) {
  change(First(w));
  change(Second(w));
}
// Both have a layout with sets of their own.
void SetSets(Setup& w, VkPipelineLayoutCreateFlags flags, const Sets& first, const Sets& second) {
  First(w).layout = {flags, first, {}};
  Second(w).layout = {flags, second, {}};
}
// Both have a layout like that, with push constants of different sizes.
void DifferInRange(Setup& w, const Setup::Layout& layout) {
  First(w).layout = Second(w).layout = layout;
  First(w).layout.ranges = {{kBoth, 0, 16}};
  Second(w).layout.ranges = {{kBoth, 0, 32}};
}
// The pipeline itself and its libraries have a layout like that.
void ShareLayout(Setup& w, const Setup::Layout& layout) { w.layout = First(w).layout = Second(w).layout = layout; }
Setup& UseRenderPasses(Setup& w, uint32_t subpass_count = 1) {
  UseRenderPass(w).subpass_count = subpass_count;
  for (const auto& library : w.libraries) UseRenderPass(*library).subpass_count = subpass_count;
  return w;
}
void UseSubpasses(Setup& w, uint32_t first, uint32_t second) {
  First(UseRenderPasses(w, 2)).info.subpass = first;
  Second(w).info.subpass = second;
}
void ShadeSamplesOfSecond(Setup& w) {
  First(w).info.pMultisampleState = nullptr;
  ShadeSamples(Second(w));
}
void SetRates(Setup& w, uint32_t first, uint32_t second) {
  w.Enable("VK_KHR_fragment_shading_rate");
  First(w).Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(First(w).info, {.fragmentSize = {first, 1}});
  Second(w).Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(Second(w).info, {.fragmentSize = {second, 1}});
}
// The first one has per-view attributes, perhaps only that of X.
void SetPerView(Setup& w, VkBool32 is_x_only) {
  w.Enable("VK_NVX_multiview_per_view_attributes");
  First(w).Chain<VkMultiviewPerViewAttributesInfoNVX>(
      First(w).info, {.perViewAttributes = VK_TRUE, .perViewAttributesPositionXOnly = is_x_only});
}
void SetBothPerView(Setup& w) {
  SetPerView(w, VK_TRUE);
  Second(w).Chain<VkMultiviewPerViewAttributesInfoNVX>(Second(w).info, {.perViewAttributes = VK_TRUE});
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { LinkShaders(w); }),
    Correct([](Setup& w) { UseRenderPasses(LinkShaders(w)); }),
    Correct([](Setup& w) { LinkToShaders(w); }),
    Correct([](Setup& w) { UseRenderPasses(LinkToShaders(w)); }),
    Correct([](Setup& w) { LinkOutput(w); }),
    Correct([](Setup& w) { UseRenderPasses(LinkOutput(w)); }),
    Correct([](Setup& w) { LinkOwnOutput(w); }),
    Correct([](Setup& w) { LinkToOutput(w); }),
    Correct([](Setup& w) { w.Link({kInputPart, kVertexPart, kFragmentPart, kOutputPart}); }),
    Correct([](Setup& w) { w.Link({kInputPart, kVertexPart, kFragmentPart, kOutputPart}), UseRenderPasses(w); }),
    {"pLibraries-06611", [](Setup& w) { LinkShaders(w).AddLibrary(kOutputPart); }},
    {"pLibraries-06611", [](Setup& w) { LinkToShaders(w).AddLibrary(kInputPart); }},
    {"flags-06684", [](Setup& w) { UseSubpasses(LinkToOutput(w), 0, 1); }},
    Correct([](Setup& w) { UseSubpasses(LinkToOutput(w), 1, 1); }),
    {"pLibraries-06623", [](Setup& w) { UseSubpasses(LinkOutput(w), 0, 1); }},
    Correct([](Setup& w) { UseSubpasses(LinkOutput(w), 1, 1); }),
    {"flags-06626", [](Setup& w) { Second(LinkToOutput(w)).rendering.viewMask = 1; }},
    Correct([](Setup& w) { ChangeBoth(LinkToOutput(w), [](Setup& one) { one.rendering.viewMask = 1; }); }),
    {"pLibraries-06627", [](Setup& w) { Second(LinkOutput(w)).rendering.viewMask = 1; }},
    Correct([](Setup& w) { ChangeBoth(LinkOutput(w), [](Setup& one) { one.rendering.viewMask = 1; }); }),
    {"renderpass-06624", [](Setup& w) { LinkToOutput(w).UseRenderPass(); }},
    {"renderpass-06624",
     [](Setup& w) { Second(UseRenderPasses(LinkToOutput(w))).formats_of_colors[0] = VK_FORMAT_R16G16B16A16_SFLOAT; }},
    {"renderpass-06625", [](Setup& w) { Second(LinkToOutput(w)).UseRenderPass(); }},
    {"pLibraries-06628", [](Setup& w) { Second(LinkOutput(w)).UseRenderPass(); }},
    {"pLibraries-06628", [](Setup& w) { Second(UseRenderPasses(LinkOutput(w))).UseDepth(); }},
    {"flags-06633", [](Setup& w) { LinkToOutput(w).samples.alphaToCoverageEnable = VK_TRUE; }},
    Correct(
        [](Setup& w) { ChangeBoth(LinkToOutput(w), [](Setup& one) { one.samples.alphaToCoverageEnable = VK_TRUE; }); }),
    {"pLibraries-06634", [](Setup& w) { LinkOwnOutput(w).samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; }},
    {"pLibraries-06635", [](Setup& w) { First(LinkOutput(w)).samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; }},
    {"pLibraries-06636", [](Setup& w) { ShadeSamplesOfSecond(LinkOutput(w)); }},
    Correct([](Setup& w) { First(LinkOutput(w)).info.pMultisampleState = nullptr; }),
    {"flags-06637", [](Setup& w) { Second(ShadeSamples(LinkOwnOutput(w))).info.pMultisampleState = nullptr; }},
    Correct([](Setup& w) { ChangeBoth(LinkOwnOutput(w), [](Setup& one) { ShadeSamples(one); }); }),
    {"pLibraries-09567", [](Setup& w) { ShadeSamplesOfSecond(LinkToOutput(w)); }},
    {"flags-06638", [](Setup& w) { SetRates(LinkToShaders(w), 1, 2); }},
    Correct([](Setup& w) { SetRates(LinkToShaders(w), 2, 2); }),
    {"pLibraries-06639", [](Setup& w) { SetRates(LinkShaders(w), 1, 2); }},
    Correct([](Setup& w) { SetRates(LinkShaders(w), 2, 2); }),
    {"flags-06596", [](Setup& w) { SetPerView(LinkToShaders(w), VK_FALSE); }},
    {"pLibraries-06597", [](Setup& w) { SetPerView(LinkShaders(w), VK_FALSE); }},
    {"flags-06598", [](Setup& w) { SetBothPerView(LinkToShaders(w)); }},
    {"pLibraries-06599", [](Setup& w) { SetBothPerView(LinkShaders(w)); }},
    {"flags-06614", [](Setup& w) { LinkToShaders(w).layout.flags = kIndependent; }},
    {"pLibraries-06615", [](Setup& w) { First(LinkShaders(w)).layout.flags = kIndependent; }},
    {"flags-06612", [](Setup& w) { SetSets(LinkToShaders(w), 0, {kBoth}, {kBoth, kBoth}); }},
    Correct([](Setup& w) { ShareLayout(LinkToShaders(w), {0, {kBoth}, {{kBoth, 0, 16}}}); }),
    {"flags-06612", [](Setup& w) { DifferInRange(LinkToShaders(w), {0, {kBoth}, {}}); }},
    {"pLibraries-06613", [](Setup& w) { SetSets(LinkShaders(w), 0, {kBoth}, {kBoth, kBoth}); }},
    Correct([](Setup& w) { ShareLayout(LinkShaders(w), {0, {kBoth}, {{kBoth, 0, 16}}}); }),
    {"pLibraries-06613", [](Setup& w) { DifferInRange(LinkShaders(w), {0, {kBoth}, {}}); }},
    {"flags-06616", [](Setup& w) { SetSets(LinkToShaders(w), kIndependent, {kBoth}, {kFragment}); }},
    Correct([](Setup& w) { ShareLayout(LinkToShaders(w), {kIndependent, {kBoth}, {}}); }),
    {"pLibraries-06617", [](Setup& w) { SetSets(LinkShaders(w), kIndependent, {kBoth}, {kFragment}); }},
    Correct([](Setup& w) { ShareLayout(LinkShaders(w), {kIndependent, {kBoth}, {}}); }),
    {"flags-06620", [](Setup& w) { DifferInRange(LinkToShaders(w), {kIndependent, {}, {}}); }},
    {"pLibraries-06621", [](Setup& w) { DifferInRange(LinkShaders(w), {kIndependent, {}, {}}); }},
    {"flags-06679", [](Setup& w) { SetSets(LinkToShaders(w), kIndependent, {0, kVertex}, {0}); }},
    {"pLibraries-06681", [](Setup& w) { SetSets(LinkShaders(w), kIndependent, {0, kVertex}, {0}); }},
    {"flags-06756", [](Setup& w) { SetSets(LinkToShaders(w), kIndependent, {0}, {kBoth}); }},
    Correct([](Setup& w) { SetSets(LinkToShaders(w), kIndependent, {0}, {kFragment}); }),
    {"pLibraries-06758", [](Setup& w) { SetSets(LinkShaders(w), kIndependent, {0}, {kBoth}); }},
    Correct([](Setup& w) { SetSets(LinkShaders(w), kIndependent, {0}, {kFragment}); }),
    {"flags-06757", [](Setup& w) { SetSets(LinkToShaders(w), kIndependent, {kBoth}, {0}); }},
};

}  // namespace

absl::Span<const PipelineCase> LinkCases() { return kCases; }

}  // namespace assay::core
