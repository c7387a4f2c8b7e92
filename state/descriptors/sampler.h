// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_DESCRIPTORS_SAMPLER_H_
#define ASSAY_STATE_DESCRIPTORS_SAMPLER_H_

#include <cstdint>
#include <optional>

#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

// What a sampler was created with. The pNext members of its structures are null.
class Sampler : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SAMPLER;
  Sampler(uint64_t handle, const VkSamplerCreateInfo& info);

  const VkSamplerCreateInfo create_info;
  // WEIGHTED_AVERAGE without VkSamplerReductionModeCreateInfo.
  const VkSamplerReductionMode reduction_mode;
  // CATMULL_ROM_QCOM without VkSamplerCubicWeightsCreateInfoQCOM.
  const VkCubicFilterWeightsQCOM cubic_weights;
  const std::optional<VkSamplerBlockMatchWindowCreateInfoQCOM> block_match_window;
  // Whether it has a sampler Y'CBCR conversion.
  const bool is_converting;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_DESCRIPTORS_SAMPLER_H_
