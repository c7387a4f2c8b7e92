// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_CREATE_INFOS_H_
#define ASSAY_GPUAV_PIPELINES_CREATE_INFOS_H_

#include <memory>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/vulkan.h"

// What the create infos of pipelines say.
namespace assay::gpuav {

// Null if the application's words are not there.
std::shared_ptr<state::ShaderCode> CodeOf(const VkPipelineShaderStageCreateInfo& stage);

// VkPipelineCreateFlags2CreateInfo counts before the flags.
VkPipelineCreateFlags2 FlagsOf(VkPipelineCreateFlags flags, const void* chain);

// Whether it has shaders itself: a library may have none.
inline bool HasShaders(const VkComputePipelineCreateInfo&) { return true; }
inline bool HasShaders(const VkRayTracingPipelineCreateInfoKHR&) { return true; }
bool HasShaders(const VkGraphicsPipelineCreateInfo& info);

// What the stage says counts before what the pipeline says, and that before the feature.
bool HasRobustBuffers(const dispatch::Device& device, const void* stage_chain, const void* pipeline_chain);
bool HasRobustVertexInputs(const dispatch::Device& device, const void* pipeline_chain);

inline absl::Span<const VkPipeline> LibrariesOf(const VkComputePipelineCreateInfo&) { return {}; }
absl::Span<const VkPipeline> LibrariesOf(const VkGraphicsPipelineCreateInfo& info);
absl::Span<const VkPipeline> LibrariesOf(const VkRayTracingPipelineCreateInfoKHR& info);

// Whether the one pipeline that there is may come to be in binaries, itself or in what it is linked with.
inline bool IsOneForBinaries(const VkComputePipelineCreateInfo&) { return false; }
inline bool IsOneForBinaries(const VkGraphicsPipelineCreateInfo&) { return false; }
bool IsOneForBinaries(const VkRayTracingPipelineCreateInfoKHR& info);

constexpr VkPipelineBindPoint BindPointOf(const VkComputePipelineCreateInfo&) { return VK_PIPELINE_BIND_POINT_COMPUTE; }
constexpr VkPipelineBindPoint BindPointOf(const VkGraphicsPipelineCreateInfo&) {
  return VK_PIPELINE_BIND_POINT_GRAPHICS;
}
constexpr VkPipelineBindPoint BindPointOf(const VkRayTracingPipelineCreateInfoKHR&) {
  return VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
}

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_CREATE_INFOS_H_
