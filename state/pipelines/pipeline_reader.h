// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_PIPELINES_PIPELINE_READER_H_
#define ASSAY_STATE_PIPELINES_PIPELINE_READER_H_

#include "state/pipelines/pipeline.h"
#include "vk/vulkan.h"

// Reads the parameters of pipelines. Private to the package.
namespace assay::state {

// Makes the state of a pipeline. Parameters that the specification ignores are not read, since they may be invalid
// pointers.
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkGraphicsPipelineCreateInfo& info, ShaderCodes& codes);
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkComputePipelineCreateInfo& info, ShaderCodes& codes);
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkRayTracingPipelineCreateInfoKHR& info, ShaderCodes& codes);
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkRayTracingPipelineCreateInfoNV& info, ShaderCodes& codes);
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkExecutionGraphPipelineCreateInfoAMDX& info, ShaderCodes& codes);

}  // namespace assay::state

#endif  // ASSAY_STATE_PIPELINES_PIPELINE_READER_H_
