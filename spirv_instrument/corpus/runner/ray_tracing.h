// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RAY_TRACING_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RAY_TRACING_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/vulkan.h"

// The shader groups of ray tracing pipelines. The ray generation shader is a group, so is each miss and each callable
// shader. The closest hit, any hit and intersection shaders, of which there may be one each, are one hit group.
namespace assay::spirv_instrument::corpus {

// The groups of these stages: ray generation, then miss, hit and callable.
std::vector<VkRayTracingShaderGroupCreateInfoKHR> ShaderGroups(absl::Span<const VkShaderStageFlagBits> stages);

struct ShaderBindingTable {
  VkStridedDeviceAddressRegionKHR generation = {};
  VkStridedDeviceAddressRegionKHR miss = {};
  VkStridedDeviceAddressRegionKHR hit = {};
  VkStridedDeviceAddressRegionKHR callable = {};
};

// The table of a pipeline with these groups.
absl::StatusOr<ShaderBindingTable> MakeShaderBindingTable(Objects& objects, VkPipeline pipeline,
                                                          absl::Span<const VkShaderStageFlagBits> stages);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RAY_TRACING_H_
