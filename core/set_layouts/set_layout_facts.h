// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_FACTS_H_
#define ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_FACTS_H_

#include <cstdint>

#include "vk/vulkan.h"

// Private to the package: what it notes of objects, beyond what the state tracker keeps.
namespace assay::core {

struct SamplerFacts {
  VkSamplerCreateFlags flags;
  VkBorderColor border_color;

  bool has_custom_border() const {
    return border_color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || border_color == VK_BORDER_COLOR_INT_CUSTOM_EXT;
  }
  bool is_subsampled() const {
    return (flags &
            (VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT | VK_SAMPLER_CREATE_SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT)) != 0;
  }
};

struct SetLayoutFacts {
  VkDescriptorSetLayoutCreateFlags flags;
  // Immutable ones.
  uint32_t subsampled_samplers;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_FACTS_H_
