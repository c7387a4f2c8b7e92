// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_PIPELINES_CREATE_INFO_H_
#define ASSAY_STATE_PIPELINES_CREATE_INFO_H_

// What the specification says of a pipeline's create info as a whole.

#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::state {

// Those of VkPipelineCreateFlags2CreateInfo, if the chain has one.
template <class I>
VkPipelineCreateFlags2 PipelineFlags(const I& info) {
  const auto* flags = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(info.pNext);
  return flags != nullptr ? flags->flags : static_cast<VkPipelineCreateFlags2>(info.flags);
}

// The parts that a graphics pipeline has itself, without its libraries ("Graphics Pipelines"): those of
// VkGraphicsPipelineLibraryCreateInfoEXT or, without one, all parts of a pipeline that neither is a library nor links
// one.
inline VkGraphicsPipelineLibraryFlagsEXT OwnParts(const VkGraphicsPipelineCreateInfo& info) {
  if (const auto* library = vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(info.pNext)) return library->flags;
  const auto* linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext);
  const bool is_library = (PipelineFlags(info) & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0;
  if (is_library || (linked != nullptr && linked->libraryCount > 0)) return 0;
  return VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
}

}  // namespace assay::state

#endif  // ASSAY_STATE_PIPELINES_CREATE_INFO_H_
