// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINE_CREATION_RAY_TRACING_CHECK_H_
#define ASSAY_CORE_PIPELINE_CREATION_RAY_TRACING_CHECK_H_

#include "core/pipeline_creation/creation_rules.h"
#include "core/pipeline_creation/creation_view.h"
#include "vk/vulkan.h"

// Private to the package: the rules of one create info of a ray tracing pipeline.
namespace assay::core {

void CheckRayTracing(const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& report);
void CheckRayTracing(const CreationView& view, const VkRayTracingPipelineCreateInfoNV& info, CreationReport& report);
// Against its libraries.
void CheckRayTracingLibraries(const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info,
                              const HandleMap<RayTracingFacts>& facts, CreationReport& report);
void CheckShaderGroups(const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& report);
void CheckShaderGroups(const VkRayTracingPipelineCreateInfoNV& info, CreationReport& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINE_CREATION_RAY_TRACING_CHECK_H_
