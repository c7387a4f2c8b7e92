// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr PipelineCase kCases[] = {
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
       w.stages.clear();
       w.has_layout = false;
       w.info.pRasterizationState = nullptr;
       w.info.pViewportState = nullptr;
       w.info.pColorBlendState = nullptr;
       w.info.pMultisampleState = nullptr;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
       w.stages = {VK_SHADER_STAGE_VERTEX_BIT};
       w.info.pVertexInputState = nullptr;
       w.info.pInputAssemblyState = nullptr;
       w.info.pColorBlendState = nullptr;
       w.info.pMultisampleState = nullptr;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
       w.stages = {VK_SHADER_STAGE_FRAGMENT_BIT};
       w.info.pRasterizationState = nullptr;
       w.info.pColorBlendState = nullptr;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
       w.stages.clear();
       w.has_layout = false;
       w.info.pRasterizationState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-06894",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-06895",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-stageCount-09587",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06644",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
       w.stages.clear();
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09035",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
       w.stages = {VK_SHADER_STAGE_FRAGMENT_BIT};
       w.info.pDepthStencilState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderpass-06631",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
       w.stages = {VK_SHADER_STAGE_FRAGMENT_BIT};
       w.UseRenderPass();
       w.info.pMultisampleState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06642",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
       w.stages = {VK_SHADER_STAGE_VERTEX_BIT};
       w.has_layout = false;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-graphicsPipelineLibrary-06606",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.Disable("graphicsPipelineLibrary");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
       w.stages.clear();
       w.has_layout = false;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06608",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-08901",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
       w.stages.clear();
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-08899",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-08909",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_library");
       w.Enable("VK_EXT_graphics_pipeline_library");
       w.Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(w.info, {}).flags =
           VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
       w.stages = {VK_SHADER_STAGE_VERTEX_BIT};
     }},
};

}  // namespace

absl::Span<const PipelineCase> LibraryCases() { return kCases; }

}  // namespace assay::core
