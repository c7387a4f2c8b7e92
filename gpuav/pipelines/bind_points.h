// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_BIND_POINTS_H_
#define ASSAY_GPUAV_PIPELINES_BIND_POINTS_H_

#include "vk/vulkan.h"

namespace assay::gpuav {

// The bind point of pipelines with such stages.
constexpr VkPipelineBindPoint BindPointOf(VkShaderStageFlags stages) {
  constexpr VkShaderStageFlags kGraphics =
      VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
  if ((stages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) return VK_PIPELINE_BIND_POINT_COMPUTE;
  return (stages & kGraphics) != 0 ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
}

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_BIND_POINTS_H_
