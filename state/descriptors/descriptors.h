// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_DESCRIPTORS_DESCRIPTORS_H_
#define ASSAY_STATE_DESCRIPTORS_DESCRIPTORS_H_

#include <cstdint>
#include <utility>

#include "state/descriptors/descriptor_contents.h"
#include "state/descriptors/descriptor_set_layout.h"
#include "state/descriptors/sampler.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

// Samplers, descriptor set layouts, pools and sets.
namespace assay::state {

class DescriptorPool : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_POOL;
  explicit DescriptorPool(uint64_t handle, const VkDescriptorPoolCreateInfo& info)
      : Object(kType, handle), flags(info.flags), max_sets(info.maxSets) {}

  const VkDescriptorPoolCreateFlags flags;
  const uint32_t max_sets;
};

class DescriptorSet : public Object, public WithSubState {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET;
  DescriptorSet(uint64_t handle, Ref<DescriptorSetLayout> layout, uint32_t variable_count,
                VkDescriptorPoolCreateFlags flags_of_pool)
      : Object(kType, handle), pool_flags(flags_of_pool), contents(std::move(layout), variable_count) {}

  const VkDescriptorPoolCreateFlags pool_flags;
  DescriptorContents contents;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_DESCRIPTORS_DESCRIPTORS_H_
