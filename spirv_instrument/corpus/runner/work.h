// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_WORK_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_WORK_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/descriptors.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/runner/pipeline.h"
#include "spirv_instrument/corpus/runner/resources.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {

// All that the command of a run needs.
struct BoundWork {
  const Setup* setup = nullptr;
  const Resources* resources = nullptr;
  Pipeline pipeline;
  // Of its shaders, in the order of the program.
  std::vector<VkShaderStageFlagBits> stages;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<DescriptorSet> sets;
  // From offset 0.
  std::vector<uint8_t> push_constants;
};

// Executes the command and waits. What it wrote is visible to the host, if it is OK.
absl::Status Execute(Objects& objects, const BoundWork& work);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_WORK_H_
