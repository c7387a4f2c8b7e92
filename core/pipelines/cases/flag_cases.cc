// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <memory>

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kBefore = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

void SetFlags(Setup& w, VkPipelineCreateFlags2 flags) {
  w.Chain<VkPipelineCreateFlags2CreateInfo>(w.info, {}).flags = flags;
}
void ResolveByShader(Setup& w) {
  w.Enable("VK_QCOM_render_pass_shader_resolve");
  w.UseRenderPass(VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM);
}
void AddGroup(Setup& w) {
  w.Enable("VK_NV_device_generated_commands");
  w.info.flags |= VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
  w.base = std::make_unique<Setup>();
  w.has_group = true;
}

constexpr PipelineCase kCases[] = {
    {"VUID-VkGraphicsPipelineCreateInfo-None-09497", [](Setup& w) { w.info.flags = 0x80000000; }},
    {nullptr, [](Setup& w) { w.info.flags = 0x80000000, SetFlags(w, VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-11000",
     [](Setup& w) {
       w.Enable("VK_EXT_device_generated_commands");
       w.Disable("deviceGeneratedCommands");
       SetFlags(w, VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-10190",
     [](Setup& w) {
       w.Enable("VK_AMDX_shader_enqueue");
       w.BeLibrary(kBefore);
       SetFlags(w, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-10191",
     [](Setup& w) {
       w.Enable("VK_AMDX_shader_enqueue");
       w.LinkTo(kFragment, {kOutput});
       SetFlags(w, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-libraryCount-06648",
     [](Setup& w) { w.LinkTo(kBefore | kFragment | kOutput, {kInput}), AddGroup(w); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-04901",
     [](Setup& w) {
       ResolveByShader(w), w.subpass_count = 2;
       w.has_dependencies = w.is_render_pass_wrong = true;
     }},
    {nullptr, [](Setup& w) { ResolveByShader(w), w.subpass_count = 2, w.info.subpass = 1; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-04902",
     [](Setup& w) {
       ResolveByShader(w);
       w.subpass_samples = w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
       w.has_resolve = w.is_render_pass_wrong = true;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-layout-01688",
     [](Setup& w) {
       w.layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_ALL};
       w.device_limits = [](VkPhysicalDeviceLimits& limits) { limits.maxPerStageResources = 1; };
     }},
    {nullptr,
     [](Setup& w) {
       w.layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_ALL};
       w.layout.set_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
       w.device_limits = [](VkPhysicalDeviceLimits& limits) { limits.maxPerStageResources = 1; };
     }},
    {nullptr,
     [](Setup& w) {
       w.layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_VERTEX_BIT};
       w.device_limits = [](VkPhysicalDeviceLimits& limits) { limits.maxPerStageResources = 1; };
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-06855",
     [](Setup& w) {
       w.Enable("VK_EXT_shader_module_identifier");
       w.LinkTo(kInput | kFragment | kOutput, {kBefore});
       w.libraries[0]->has_identifiers = true;
       w.libraries[0]->info.flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_shader_module_identifier");
       w.LinkTo(kInput | kFragment | kOutput, {kBefore});
       w.libraries[0]->has_identifiers = true;
       w.libraries[0]->info.flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
       w.info.flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
     }},
};

template <class T>
const T* Bad() {
  return reinterpret_cast<const T*>(uintptr_t{1});
}

constexpr PipelineCase kPointerCases[] = {
    {"VUID-VkGraphicsPipelineCreateInfo-pInputAssemblyState-09032",
     [](Setup& w) { w.info.pInputAssemblyState = Bad<VkPipelineInputAssemblyStateCreateInfo>(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pTessellationState-09023",
     [](Setup& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
       w.info.pTessellationState = Bad<VkPipelineTessellationStateCreateInfo>();
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pRasterizationState-09040",
     [](Setup& w) { w.info.pRasterizationState = Bad<VkPipelineRasterizationStateCreateInfo>(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09027",
     [](Setup& w) { w.info.pMultisampleState = Bad<VkPipelineMultisampleStateCreateInfo>(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pViewportState-09025",
     [](Setup& w) { w.info.pViewportState = Bad<VkPipelineViewportStateCreateInfo>(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pColorBlendState-09038",
     [](Setup& w) { w.info.pColorBlendState = Bad<VkPipelineColorBlendStateCreateInfo>(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDepthStencilState-09029",
     [](Setup& w) {
       w.UseRenderPass();
       w.UseDepth();
       w.info.pDepthStencilState = Bad<VkPipelineDepthStencilStateCreateInfo>();
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDepthStencilState-09034",
     [](Setup& w) { w.UseDepth(), w.info.pDepthStencilState = Bad<VkPipelineDepthStencilStateCreateInfo>(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDepthStencilState-09036",
     [](Setup& w) {
       w.BeLibrary(kFragment);
       w.info.pDepthStencilState = Bad<VkPipelineDepthStencilStateCreateInfo>();
     }},
    // What is ignored may be garbage.
    {nullptr,
     [](Setup& w) {
       w.raster.rasterizerDiscardEnable = VK_TRUE;
       w.info.pViewportState = Bad<VkPipelineViewportStateCreateInfo>();
       w.info.pMultisampleState = Bad<VkPipelineMultisampleStateCreateInfo>();
       w.info.pDepthStencilState = Bad<VkPipelineDepthStencilStateCreateInfo>();
       w.info.pColorBlendState = Bad<VkPipelineColorBlendStateCreateInfo>();
       w.info.pTessellationState = Bad<VkPipelineTessellationStateCreateInfo>();
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-06600", [](Setup& w) { w.has_bad_stages = true; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06640",
     [](Setup& w) { w.BeLibrary(kFragment), w.has_bad_stages = true; }},
};

}  // namespace

absl::Span<const PipelineCase> FlagCases() { return kCases; }
absl::Span<const PipelineCase> PointerCases() { return kPointerCases; }

}  // namespace assay::core
