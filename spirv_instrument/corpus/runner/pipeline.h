// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_PIPELINE_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_PIPELINE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/runner/resources.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {

// A shader of a pipeline, as it is to run.
struct ShaderStage {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  absl::Span<const uint32_t> words;
};

struct PipelineDescription {
  std::vector<ShaderStage> stages;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  const Setup* setup = nullptr;
  const Resources* resources = nullptr;
  std::vector<SpecializationConstant> specialization;
};

struct Pipeline {
  VkPipelineBindPoint bind_point = VK_PIPELINE_BIND_POINT_COMPUTE;
  VkPipeline handle = VK_NULL_HANDLE;
};

// The compute, graphics or ray tracing pipeline that the stages make. A graphics pipeline renders dynamically to the
// targets of the setup. A ray tracing pipeline has a group for each shader, as ray_tracing.h says.
absl::StatusOr<Pipeline> MakePipeline(Objects& objects, const PipelineDescription& description);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_PIPELINE_H_
