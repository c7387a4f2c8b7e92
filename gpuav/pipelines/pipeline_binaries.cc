// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/pipeline_binaries.h"

#include "gpuav/pipelines/pipeline_layouts.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

template <class I>
void UseOriginalLayout(const VkPipelineCreateInfoKHR& info, VkPipelineCreateInfoKHR& down,
                       dispatch::Rewriter& rewriter) {
  const auto* given = vk::FindInChain<I>(info.pNext);
  const VkPipelineLayout layout = given != nullptr ? OriginalLayout(given->layout) : VkPipelineLayout{VK_NULL_HANDLE};
  if (layout == VK_NULL_HANDLE) return;
  // Its own pNext is no pointer to const.
  auto& chain = reinterpret_cast<VkBaseInStructure&>(down);
  if (I* const copy = rewriter.CopyLinked<I>(chain)) copy->layout = layout;
}

void UseOriginalLayout(const VkPipelineCreateInfoKHR* info, const VkPipelineCreateInfoKHR*& down,
                       dispatch::Rewriter& rewriter) {
  if (info == nullptr) return;
  VkPipelineCreateInfoKHR& copy = *rewriter.Copy(down);
  UseOriginalLayout<VkComputePipelineCreateInfo>(*info, copy, rewriter);
  UseOriginalLayout<VkGraphicsPipelineCreateInfo>(*info, copy, rewriter);
  UseOriginalLayout<VkRayTracingPipelineCreateInfoKHR>(*info, copy, rewriter);
}

}  // namespace

void PipelineBinaries::Rewrite(const vk::GetPipelineKeyKHR& call, vk::GetPipelineKeyKHR& down,
                               dispatch::Rewriter& rewriter) const {
  UseOriginalLayout(call.pPipelineCreateInfo, down.pPipelineCreateInfo, rewriter);
}

void PipelineBinaries::Rewrite(const vk::CreatePipelineBinariesKHR& call, vk::CreatePipelineBinariesKHR& down,
                               dispatch::Rewriter& rewriter) const {
  if (call.pCreateInfo->pPipelineCreateInfo == nullptr) return;
  VkPipelineBinaryCreateInfoKHR& info = *rewriter.Copy(down.pCreateInfo);
  UseOriginalLayout(call.pCreateInfo->pPipelineCreateInfo, info.pPipelineCreateInfo, rewriter);
}

}  // namespace assay::gpuav
