// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr VkPipelineLayoutCreateFlags kIndependent = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
constexpr VkShaderStageFlags kBoth = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kVertex = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// The pipeline itself and its libraries have a layout like that.
void SetLayouts(Setup& w, const Setup::Layout& layout) {
  w.layout = layout;
  for (const auto& library : w.libraries) library->layout = layout;
}
void UseRenderPasses(Setup& w, uint32_t subpass_count = 1) {
  w.UseRenderPass();
  w.subpass_count = subpass_count;
  for (const auto& library : w.libraries) {
    library->UseRenderPass();
    library->subpass_count = subpass_count;
  }
}
void SetRate(Setup& w, uint32_t width) {
  w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {width, 1};
}
void SetPerView(Setup& w, bool has_x_only) {
  auto& info = w.Chain<VkMultiviewPerViewAttributesInfoNVX>(w.info, {});
  info.perViewAttributes = VK_TRUE;
  info.perViewAttributesPositionXOnly = has_x_only ? VK_TRUE : VK_FALSE;
}
// Pre-rasterization shaders and the fragment shader in two libraries, and in the pipeline and a library.
void LinkShaders(Setup& w) { w.Link({kInput | kVertex, kFragment | kOutput}); }
void LinkToShaders(Setup& w) { w.LinkTo(kInput | kVertex, {kFragment | kOutput}); }
// The fragment output apart.
void LinkOutput(Setup& w) { w.Link({kInput | kVertex | kFragment, kOutput}); }
void LinkOwnOutput(Setup& w) { w.LinkTo(kOutput, {kInput | kVertex | kFragment}); }
void LinkToOutput(Setup& w) { w.LinkTo(kInput | kVertex | kFragment, {kOutput}); }

constexpr PipelineCase kCases[] = {
    {nullptr, [](Setup& w) { LinkShaders(w); }},
    {nullptr, [](Setup& w) { LinkShaders(w), UseRenderPasses(w); }},
    {nullptr, [](Setup& w) { LinkToShaders(w); }},
    {nullptr, [](Setup& w) { LinkToShaders(w), UseRenderPasses(w); }},
    {nullptr, [](Setup& w) { LinkOutput(w); }},
    {nullptr, [](Setup& w) { LinkOutput(w), UseRenderPasses(w); }},
    {nullptr, [](Setup& w) { LinkOwnOutput(w); }},
    {nullptr, [](Setup& w) { LinkToOutput(w); }},
    {nullptr, [](Setup& w) { w.Link({kInput, kVertex, kFragment, kOutput}); }},
    {nullptr, [](Setup& w) { w.Link({kInput, kVertex, kFragment, kOutput}), UseRenderPasses(w); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06611",
     [](Setup& w) { w.Link({kInput | kVertex, kFragment | kOutput, kOutput}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06611",
     [](Setup& w) { w.LinkTo(kInput | kVertex, {kFragment | kOutput, kInput}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06684",
     [](Setup& w) { LinkToOutput(w), UseRenderPasses(w, 2), w.libraries[0]->info.subpass = 1; }},
    {nullptr,
     [](Setup& w) {
       LinkToOutput(w);
       UseRenderPasses(w, 2);
       w.info.subpass = 1;
       w.libraries[0]->info.subpass = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06623",
     [](Setup& w) { LinkOutput(w), UseRenderPasses(w, 2), w.libraries[1]->info.subpass = 1; }},
    {nullptr,
     [](Setup& w) {
       LinkOutput(w);
       UseRenderPasses(w, 2);
       w.libraries[0]->info.subpass = 1;
       w.libraries[1]->info.subpass = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06626",
     [](Setup& w) { LinkToOutput(w), w.libraries[0]->rendering.viewMask = 1; }},
    {nullptr, [](Setup& w) { LinkToOutput(w), w.rendering.viewMask = 1, w.libraries[0]->rendering.viewMask = 1; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06627",
     [](Setup& w) { LinkOutput(w), w.libraries[1]->rendering.viewMask = 1; }},
    {nullptr,
     [](Setup& w) { LinkOutput(w), w.libraries[0]->rendering.viewMask = 1, w.libraries[1]->rendering.viewMask = 1; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderpass-06624", [](Setup& w) { LinkToOutput(w), w.UseRenderPass(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderpass-06624",
     [](Setup& w) {
       LinkToOutput(w);
       UseRenderPasses(w);
       w.libraries[0]->formats_of_colors[0] = VK_FORMAT_R16G16B16A16_SFLOAT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderpass-06625",
     [](Setup& w) { LinkToOutput(w), w.libraries[0]->UseRenderPass(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06628",
     [](Setup& w) { LinkOutput(w), w.libraries[1]->UseRenderPass(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06628",
     [](Setup& w) { LinkOutput(w), UseRenderPasses(w), w.libraries[1]->UseDepth(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06633",
     [](Setup& w) { LinkToOutput(w), w.samples.alphaToCoverageEnable = VK_TRUE; }},
    {nullptr,
     [](Setup& w) {
       LinkToOutput(w);
       w.samples.alphaToCoverageEnable = VK_TRUE;
       w.libraries[0]->samples.alphaToCoverageEnable = VK_TRUE;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06634",
     [](Setup& w) { LinkOwnOutput(w), w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06635",
     [](Setup& w) { LinkOutput(w), w.libraries[0]->samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06636",
     [](Setup& w) {
       LinkOutput(w);
       w.libraries[0]->info.pMultisampleState = nullptr;
       w.libraries[1]->samples.sampleShadingEnable = VK_TRUE;
     }},
    {nullptr, [](Setup& w) { LinkOutput(w), w.libraries[0]->info.pMultisampleState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06637",
     [](Setup& w) {
       LinkOwnOutput(w);
       w.libraries[0]->info.pMultisampleState = nullptr;
       w.samples.sampleShadingEnable = VK_TRUE;
     }},
    {nullptr,
     [](Setup& w) {
       LinkOwnOutput(w);
       w.libraries[0]->samples.sampleShadingEnable = VK_TRUE;
       w.samples.sampleShadingEnable = VK_TRUE;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-09567",
     [](Setup& w) {
       LinkToOutput(w);
       w.libraries[0]->samples.sampleShadingEnable = VK_TRUE;
       w.info.pMultisampleState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06638",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       LinkToShaders(w);
       SetRate(w, 1);
       SetRate(*w.libraries[0], 2);
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       LinkToShaders(w);
       SetRate(w, 2);
       SetRate(*w.libraries[0], 2);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06639",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       LinkShaders(w);
       SetRate(*w.libraries[0], 1);
       SetRate(*w.libraries[1], 2);
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       LinkShaders(w);
       SetRate(*w.libraries[0], 2);
       SetRate(*w.libraries[1], 2);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06596",
     [](Setup& w) { w.Enable("VK_NVX_multiview_per_view_attributes"), LinkToShaders(w), SetPerView(w, false); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06597",
     [](Setup& w) {
       w.Enable("VK_NVX_multiview_per_view_attributes");
       LinkShaders(w);
       SetPerView(*w.libraries[0], false);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06598",
     [](Setup& w) {
       w.Enable("VK_NVX_multiview_per_view_attributes");
       LinkToShaders(w);
       SetPerView(w, true);
       SetPerView(*w.libraries[0], false);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06599",
     [](Setup& w) {
       w.Enable("VK_NVX_multiview_per_view_attributes");
       LinkShaders(w);
       SetPerView(*w.libraries[0], true);
       SetPerView(*w.libraries[1], false);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06614",
     [](Setup& w) { LinkToShaders(w), w.layout.flags = kIndependent; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06615",
     [](Setup& w) { LinkShaders(w), w.libraries[0]->layout.flags = kIndependent; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06612",
     [](Setup& w) { LinkToShaders(w), SetLayouts(w, {0, {kBoth}, {}}), w.libraries[0]->layout.sets = {kBoth, kBoth}; }},
    {nullptr, [](Setup& w) { LinkToShaders(w), SetLayouts(w, {0, {kBoth}, {{kBoth, 0, 16}}}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06612",
     [](Setup& w) {
       LinkToShaders(w);
       SetLayouts(w, {0, {kBoth}, {{kBoth, 0, 16}}});
       w.libraries[0]->layout.ranges[0].size = 32;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06613",
     [](Setup& w) {
       LinkShaders(w);
       SetLayouts(w, {0, {kBoth}, {}});
       w.libraries[1]->layout.sets = {kBoth, kBoth};
       w.layout = {};
     }},
    {nullptr, [](Setup& w) { LinkShaders(w), SetLayouts(w, {0, {kBoth}, {{kBoth, 0, 16}}}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06613",
     [](Setup& w) {
       LinkShaders(w);
       SetLayouts(w, {0, {kBoth}, {{kBoth, 0, 16}}});
       w.libraries[1]->layout.ranges[0].size = 32;
       w.layout = {};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06616",
     [](Setup& w) {
       LinkToShaders(w);
       SetLayouts(w, {kIndependent, {kBoth}, {}});
       w.libraries[0]->layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT};
     }},
    {nullptr, [](Setup& w) { LinkToShaders(w), SetLayouts(w, {kIndependent, {kBoth}, {}}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06617",
     [](Setup& w) {
       LinkShaders(w);
       SetLayouts(w, {kIndependent, {kBoth}, {}});
       w.libraries[1]->layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT};
       w.layout = {};
     }},
    {nullptr, [](Setup& w) { LinkShaders(w), SetLayouts(w, {kIndependent, {kBoth}, {}}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06620",
     [](Setup& w) {
       LinkToShaders(w);
       SetLayouts(w, {kIndependent, {}, {{kBoth, 0, 16}}});
       w.libraries[0]->layout.ranges[0].size = 32;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06621",
     [](Setup& w) {
       LinkShaders(w);
       SetLayouts(w, {kIndependent, {}, {{kBoth, 0, 16}}});
       w.libraries[1]->layout.ranges[0].size = 32;
       w.layout = {};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06679",
     [](Setup& w) {
       LinkToShaders(w);
       w.layout = {kIndependent, {0, VK_SHADER_STAGE_VERTEX_BIT}, {}};
       w.libraries[0]->layout = {kIndependent, {0}, {}};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06681",
     [](Setup& w) {
       LinkShaders(w);
       w.libraries[0]->layout = {kIndependent, {0, VK_SHADER_STAGE_VERTEX_BIT}, {}};
       w.libraries[1]->layout = {kIndependent, {0}, {}};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06756",
     [](Setup& w) {
       LinkToShaders(w);
       w.layout = {kIndependent, {0}, {}};
       w.libraries[0]->layout = {kIndependent, {kBoth}, {}};
     }},
    {nullptr,
     [](Setup& w) {
       LinkToShaders(w);
       w.layout = {kIndependent, {0}, {}};
       w.libraries[0]->layout = {kIndependent, {VK_SHADER_STAGE_FRAGMENT_BIT}, {}};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06758",
     [](Setup& w) {
       LinkShaders(w);
       w.libraries[0]->layout = {kIndependent, {0}, {}};
       w.libraries[1]->layout = {kIndependent, {kBoth}, {}};
     }},
    {nullptr,
     [](Setup& w) {
       LinkShaders(w);
       w.libraries[0]->layout = {kIndependent, {0}, {}};
       w.libraries[1]->layout = {kIndependent, {VK_SHADER_STAGE_FRAGMENT_BIT}, {}};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06757",
     [](Setup& w) {
       LinkToShaders(w);
       w.layout = {kIndependent, {kBoth}, {}};
       w.libraries[0]->layout = {kIndependent, {0}, {}};
     }},
};

}  // namespace

absl::Span<const PipelineCase> LinkCases() { return kCases; }

}  // namespace assay::core
