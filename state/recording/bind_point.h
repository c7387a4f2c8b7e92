// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RECORDING_BIND_POINT_H_
#define ASSAY_STATE_RECORDING_BIND_POINT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "state/descriptors/descriptor_contents.h"
#include "vk/vulkan.h"

// The pipelines and descriptors that are bound in a command buffer.
namespace assay::state {

// The descriptor set that is bound to a set number of a bind point.
struct BoundSet {
  VkDescriptorSet set = VK_NULL_HANDLE;
  // With which it was bound or pushed. Null where that is not known.
  VkPipelineLayout layout = VK_NULL_HANDLE;
  // Most sets have few. As many as vkCmdBindDescriptorSets had for the set.
  absl::InlinedVector<uint32_t, 8> dynamic_offsets;
  // Pushed descriptors, if there are some instead of a set.
  std::unique_ptr<DescriptorContents> pushed;
  // This set's part of BindPointState::sets_key; 0 while nothing is bound.
  uint64_t key = 0;

  // By index among the set's dynamic descriptors; 0 where the application gave none.
  uint32_t DynamicOffset(uint32_t index) const { return index < dynamic_offsets.size() ? dynamic_offsets[index] : 0; }
};

// The place of a set number's descriptors in a descriptor buffer, instead of a set (VK_EXT_descriptor_buffer).
struct DescriptorBufferOffset {
  // Has the layout of the set.
  VkPipelineLayout layout = VK_NULL_HANDLE;
  // Null where it is not known.
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
  // Equal to BoundSet::key until something else is bound to the set number.
  uint64_t key = 0;
};

// The pipeline and descriptor sets of one bind point. They are handles, since an object may be destroyed while a
// command buffer with its handle exists.
struct BindPointState {
  // Equal when the same sets are bound with the same offsets, and practically never otherwise.
  uint64_t sets_key = 0;
  // The same of the layouts with which they were bound.
  uint64_t layouts_key = 0;
  VkPipeline pipeline = VK_NULL_HANDLE;
  std::vector<BoundSet> sets;
  // By set number; no longer than `sets`. Kept apart, so that binding a set does not touch it.
  std::vector<DescriptorBufferOffset> descriptor_buffer_offsets;

  // Null if the set number has no descriptors in a descriptor buffer.
  const DescriptorBufferOffset* FindDescriptorBufferOffset(uint32_t set) const {
    if (set >= descriptor_buffer_offsets.size()) [[likely]]
      return nullptr;
    const DescriptorBufferOffset& found = descriptor_buffer_offsets[set];
    return found.key == sets[set].key && found.key != 0 ? &found : nullptr;
  }
};

// A descriptor buffer, which was bound by its address.
struct DescriptorBufferBinding {
  VkDeviceAddress address = 0;
  // Null where it is not known.
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RECORDING_BIND_POINT_H_
