// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kVertex = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

constexpr VkShaderStageFlags kBoth = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
// Libraries with one layout; that of the pipeline differs.
void LinkWithLayouts(Setup& w, VkPipelineLayoutCreateFlags flags) {
  w.Link({kInput | kVertex, kFragment | kOutput});
  for (const auto& library : w.libraries) library->layout = {flags, {kBoth}, {}};
  w.layout = {flags, {VK_SHADER_STAGE_VERTEX_BIT}, {}};
}

constexpr PipelineCase kCases[] = {
    {nullptr, [](Setup& w) { w.BeLibrary(kInput); }},
    {nullptr, [](Setup& w) { w.BeLibrary(kVertex); }},
    {nullptr, [](Setup& w) { w.BeLibrary(kFragment); }},
    {nullptr, [](Setup& w) { w.BeLibrary(kOutput); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-06894",
     [](Setup& w) { w.BeLibrary(kVertex), w.stages = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT}; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-06895",
     [](Setup& w) { w.BeLibrary(kFragment), w.stages = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT}; }},
    {"VUID-VkGraphicsPipelineCreateInfo-stageCount-09587",
     [](Setup& w) { w.BeLibrary(kOutput), w.stages = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT}; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06644", [](Setup& w) { w.BeLibrary(kFragment), w.stages.clear(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09035",
     [](Setup& w) { w.BeLibrary(kFragment), w.info.pDepthStencilState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderpass-06631",
     [](Setup& w) { w.BeLibrary(kFragment), w.UseRenderPass(), w.info.pMultisampleState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06642", [](Setup& w) { w.BeLibrary(kVertex), w.has_layout = false; }},
    {"VUID-VkGraphicsPipelineCreateInfo-None-07826", [](Setup& w) { w.has_layout = false; }},
    {nullptr, [](Setup& w) { w.BeLibrary(kOutput), w.has_layout = false; }},
    {"VUID-VkGraphicsPipelineCreateInfo-graphicsPipelineLibrary-06606",
     [](Setup& w) { w.Disable("graphicsPipelineLibrary"), w.BeLibrary(kInput); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06608",
     [](Setup& w) { w.BeLibrary(kInput | kVertex | kFragment | kOutput); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-08901", [](Setup& w) { w.KeepParts(kOutput); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-08899", [](Setup& w) { w.KeepParts(kVertex | kFragment | kOutput); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-08909", [](Setup& w) { w.KeepParts(kInput | kVertex); }},
    {nullptr,
     [](Setup& w) {
       w.BeLibrary(kVertex);
       w.layout.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
       w.layout.sets = {0, VK_SHADER_STAGE_VERTEX_BIT};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06682",
     [](Setup& w) {
       w.BeLibrary(kVertex | kFragment);
       w.layout.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
       w.layout.sets = {0, VK_SHADER_STAGE_VERTEX_BIT};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06683",
     [](Setup& w) {
       w.BeLibrary(kVertex);
       w.raster.rasterizerDiscardEnable = VK_TRUE;
       w.layout.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
       w.layout.sets = {0, VK_SHADER_STAGE_VERTEX_BIT};
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-03381",
     [](Setup& w) { w.Link({}), w.libraries.push_back(std::make_unique<Setup>()); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06609",
     [](Setup& w) {
       w.Link({kInput | kVertex, kFragment, kOutput});
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
       w.libraries[1]->info.flags &= ~VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
       w.info.flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
     }},
    {nullptr,
     [](Setup& w) {
       w.Link({kInput | kVertex, kFragment, kOutput});
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
       w.info.flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06610",
     [](Setup& w) {
       w.LinkTo(kOutput, {kInput | kVertex});
       w.info.flags =
           VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
     }},
    {nullptr,
     [](Setup& w) {
       w.LinkTo(kOutput, {kInput | kVertex});
       w.info.flags =
           VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06645",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_executable_properties");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       w.info.flags = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_executable_properties");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       w.info.flags = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06646",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_executable_properties");
       w.Link({kInput | kVertex, kFragment, kOutput});
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
       w.libraries[0]->info.flags &= ~VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_executable_properties");
       w.Link({kInput | kVertex, kFragment, kOutput});
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pLibraries-06647",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_executable_properties");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-08096",
     [](Setup& w) {
       w.Enable("VK_EXT_descriptor_buffer");
       w.Link({kInput | kVertex, kFragment, kOutput});
       for (const auto& library : w.libraries) library->info.flags |= VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
       w.libraries[2]->info.flags &= ~VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
       w.info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_descriptor_buffer");
       w.Link({kInput | kVertex, kFragment, kOutput});
       for (const auto& library : w.libraries) library->info.flags |= VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
       w.info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07404",
     [](Setup& w) {
       w.Enable("VK_EXT_pipeline_protected_access");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       w.info.flags = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT;
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07405",
     [](Setup& w) {
       w.Enable("VK_EXT_pipeline_protected_access");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       for (const auto& library : w.libraries) library->info.flags |= VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_pipeline_protected_access");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       for (const auto& library : w.libraries) library->info.flags |= VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT;
       w.info.flags = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT;
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07406",
     [](Setup& w) {
       w.Enable("VK_EXT_pipeline_protected_access");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       w.info.flags = VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT;
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07407",
     [](Setup& w) {
       w.Enable("VK_EXT_pipeline_protected_access");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       for (const auto& library : w.libraries) library->info.flags |= VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_pipeline_protected_access");
       w.LinkTo(kOutput, {kInput | kVertex | kFragment});
       for (const auto& library : w.libraries) library->info.flags |= VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT;
       w.info.flags = VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-layout-07827", [](Setup& w) { LinkWithLayouts(w, 0); }},
    {nullptr, [](Setup& w) { LinkWithLayouts(w, 0), w.layout.sets = {kBoth}; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06730",
     [](Setup& w) { LinkWithLayouts(w, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06729",
     [](Setup& w) {
       LinkWithLayouts(w, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
       for (const auto& library : w.libraries)
         library->info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
       w.info.flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
     }},
    {nullptr,
     [](Setup& w) {
       LinkWithLayouts(w, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
       w.layout.sets = {kBoth};
     }},
};

}  // namespace

absl::Span<const PipelineCase> LibraryCases() { return kCases; }

}  // namespace assay::core
