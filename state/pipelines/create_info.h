// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_PIPELINES_CREATE_INFO_H_
#define ASSAY_STATE_PIPELINES_CREATE_INFO_H_

// What the specification says of a pipeline's create info as a whole.

#include <algorithm>

#include "state/objects/items.h"
#include "vk/chain.h"
#include "vk/vulkan.h"
#include "vk/walk/load_store.h"

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
  auto flags = static_cast<VkPipelineCreateFlags2>(info.flags);
  bool links_libraries = false;
  for (auto* link = static_cast<const VkBaseInStructure*>(info.pNext); link != nullptr; link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT)
      return reinterpret_cast<const VkGraphicsPipelineLibraryCreateInfoEXT*>(link)->flags;
    if (link->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO)
      flags = reinterpret_cast<const VkPipelineCreateFlags2CreateInfo*>(link)->flags;
    if (link->sType == VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR)
      links_libraries = reinterpret_cast<const VkPipelineLibraryCreateInfoKHR*>(link)->libraryCount > 0;
  }
  if (links_libraries || (flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0) return 0;
  return VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
}

// Whether a state of a graphics pipeline is dynamic.
inline bool IsDynamic(const VkGraphicsPipelineCreateInfo& info, VkDynamicState state) {
  if (info.pDynamicState == nullptr) return false;
  const auto states = Items(info.pDynamicState->pDynamicStates, info.pDynamicState->dynamicStateCount);
  return std::ranges::find(states, state) != states.end();
}

// Which stages of its create info a graphics pipeline uses, which may be a library: those of its parts, without the
// fragment shader if rasterization is switched off for good.
class UsedStages {
 public:
  explicit UsedStages(const VkGraphicsPipelineCreateInfo& info) : UsedStages(info, OwnParts(info)) {}

  bool Has(VkShaderStageFlagBits stage) const {
    return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? has_fragment_ : has_rasterization_;
  }

 private:
  UsedStages(const VkGraphicsPipelineCreateInfo& info, VkGraphicsPipelineLibraryFlagsEXT parts)
      : has_rasterization_((parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) != 0) {
    const bool is_discarded = has_rasterization_ && vk::IsAddress(info.pRasterizationState) &&
                              info.pRasterizationState->rasterizerDiscardEnable == VK_TRUE &&
                              !IsDynamic(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    has_fragment_ = (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) != 0 && !is_discarded;
  }

  bool has_rasterization_;
  bool has_fragment_;
};

// Whether a pipeline with this chain comes from binaries, so that its modules may be anything.
inline bool HasBinaries(const void* chain) {
  const auto* binaries = vk::FindInChain<VkPipelineBinaryInfoKHR>(chain);
  return binaries != nullptr && binaries->binaryCount > 0;
}

}  // namespace assay::state

#endif  // ASSAY_STATE_PIPELINES_CREATE_INFO_H_
