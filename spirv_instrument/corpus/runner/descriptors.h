// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DESCRIPTORS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DESCRIPTORS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/runner/resources.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {

// A descriptor set of a run, with its number.
struct DescriptorSet {
  uint32_t number = 0;
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  // In the order that vkCmdBindDescriptorSets wants.
  std::vector<uint32_t> dynamic_offsets;
};

// Makes and writes the descriptor sets of a setup, ordered by number. Every binding is partially bound. Views of what
// is doomed belong to `doomed`.
absl::StatusOr<std::vector<DescriptorSet>> MakeDescriptorSets(Objects& objects, Objects& doomed, const Setup& setup,
                                                              const Resources& resources);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DESCRIPTORS_H_
