// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

#include <algorithm>

namespace assay::core {

void PipelineSetup::EnableLibraries() {
  if (std::ranges::find(extensions, std::string("VK_EXT_graphics_pipeline_library")) != extensions.end()) return;
  Enable("VK_KHR_pipeline_library");
  Enable("VK_EXT_graphics_pipeline_library");
}

void PipelineSetup::KeepParts(VkGraphicsPipelineLibraryFlagsEXT parts) {
  EnableLibraries();
  if (parts != 0) Chain<VkGraphicsPipelineLibraryCreateInfoEXT>(info, {}).flags = parts;
  const bool has_vertex_input = (parts & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT) != 0;
  const bool has_vertex = (parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) != 0;
  const bool has_fragment = (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) != 0;
  const bool has_output = (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) != 0;
  std::erase_if(stages, [&](VkShaderStageFlagBits stage) {
    return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? !has_fragment : !has_vertex;
  });
  if (!has_vertex_input) {
    info.pVertexInputState = nullptr;
    info.pInputAssemblyState = nullptr;
  }
  if (!has_vertex) {
    info.pRasterizationState = nullptr;
    info.pViewportState = nullptr;
  }
  if (!has_output) info.pColorBlendState = nullptr;
  if (!has_fragment) info.pDepthStencilState = nullptr;
  if (!has_fragment && !has_output) info.pMultisampleState = nullptr;
  if (!has_vertex && !has_fragment) has_layout = false;
}

void PipelineSetup::BeLibrary(VkGraphicsPipelineLibraryFlagsEXT parts) {
  KeepParts(parts);
  info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
}

PipelineSetup& PipelineSetup::AddLibrary(VkGraphicsPipelineLibraryFlagsEXT parts) {
  EnableLibraries();
  PipelineSetup& library = *libraries.emplace_back(std::make_unique<PipelineSetup>());
  library.BeLibrary(parts);
  return library;
}

void PipelineSetup::Link(std::initializer_list<VkGraphicsPipelineLibraryFlagsEXT> parts) {
  KeepParts(0);
  has_layout = true;
  for (const VkGraphicsPipelineLibraryFlagsEXT part : parts) AddLibrary(part);
}

void PipelineSetup::LinkTo(VkGraphicsPipelineLibraryFlagsEXT own,
                           std::initializer_list<VkGraphicsPipelineLibraryFlagsEXT> parts) {
  KeepParts(own);
  has_layout = true;
  for (const VkGraphicsPipelineLibraryFlagsEXT part : parts) AddLibrary(part);
}

}  // namespace assay::core
