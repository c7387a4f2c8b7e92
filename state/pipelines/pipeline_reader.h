// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_PIPELINES_PIPELINE_READER_H_
#define ASSAY_STATE_PIPELINES_PIPELINE_READER_H_

#include "state/pipelines/pipeline.h"
#include "vk/vulkan.h"

// How pipelines are read. Private to the package.
namespace assay::state {

// What is ignored where its parameters stand is not looked at: it may point anywhere.
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkGraphicsPipelineCreateInfo& info);
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkComputePipelineCreateInfo& info);
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkRayTracingPipelineCreateInfoKHR& info);
Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkRayTracingPipelineCreateInfoNV& info);

}  // namespace assay::state

#endif  // ASSAY_STATE_PIPELINES_PIPELINE_READER_H_
