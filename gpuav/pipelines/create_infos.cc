// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/create_infos.h"

#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

// A library whose layout has sets of other libraries left out, and one without shaders, need no layout.
VkGraphicsPipelineLibraryFlagsEXT LibraryPartsOf(const VkGraphicsPipelineCreateInfo& info) {
  const auto* library = vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(info.pNext);
  if (library != nullptr) return library->flags;
  // What is linked brings all parts with it.
  const auto* linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext);
  if (linked != nullptr && linked->libraryCount != 0) return 0;
  return VK_GRAPHICS_PIPELINE_LIBRARY_FLAG_BITS_MAX_ENUM_EXT;
}

absl::Span<const VkPipeline> Libraries(const VkPipelineLibraryCreateInfoKHR* info) {
  return info == nullptr ? absl::Span<const VkPipeline>() : absl::MakeSpan(info->pLibraries, info->libraryCount);
}

}  // namespace

std::shared_ptr<state::ShaderCode> CodeOf(const VkPipelineShaderStageCreateInfo& stage) {
  if (stage.module != VK_NULL_HANDLE) {
    const auto* module = state::DeviceState::Get<state::ShaderModule>(stage.module);
    return module != nullptr ? module->code : nullptr;
  }
  const auto* info = vk::FindInChain<VkShaderModuleCreateInfo>(stage.pNext);
  if (info == nullptr || info->pCode == nullptr) return nullptr;
  return std::make_shared<state::ShaderCode>(absl::MakeSpan(info->pCode, info->codeSize / sizeof(uint32_t)));
}

VkPipelineCreateFlags2 FlagsOf(VkPipelineCreateFlags flags, const void* chain) {
  const auto* more = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(chain);
  return more != nullptr ? more->flags : flags;
}

bool HasShaders(const VkGraphicsPipelineCreateInfo& info) {
  constexpr VkGraphicsPipelineLibraryFlagsEXT kWithShaders =
      VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
  return (LibraryPartsOf(info) & kWithShaders) != 0;
}

bool HasRobustBuffers(const dispatch::Device& device, const void* stage_chain, const void* pipeline_chain) {
  for (const void* chain : {stage_chain, pipeline_chain}) {
    const auto* info = vk::FindInChain<VkPipelineRobustnessCreateInfo>(chain);
    if (info == nullptr) continue;
    if (info->storageBuffers == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED) return false;
    if (info->storageBuffers != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT) return true;
  }
  return device.HasFeature(vk::FeatureId::kRobustBufferAccess);
}

bool HasRobustVertexInputs(const dispatch::Device& device, const void* pipeline_chain) {
  const auto* info = vk::FindInChain<VkPipelineRobustnessCreateInfo>(pipeline_chain);
  if (info != nullptr && info->vertexInputs != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT) {
    return info->vertexInputs != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED;
  }
  return device.HasFeature(vk::FeatureId::kRobustBufferAccess);
}

absl::Span<const VkPipeline> LibrariesOf(const VkGraphicsPipelineCreateInfo& info) {
  return Libraries(vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext));
}
absl::Span<const VkPipeline> LibrariesOf(const VkRayTracingPipelineCreateInfoKHR& info) {
  return Libraries(info.pLibraryInfo);
}

bool IsOneForBinaries(const VkRayTracingPipelineCreateInfoKHR& info) {
  constexpr VkPipelineCreateFlags2 kFlags =
      VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR | VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
  return (FlagsOf(info.flags, info.pNext) & kFlags) != 0 || !LibrariesOf(info).empty();
}

}  // namespace assay::gpuav
