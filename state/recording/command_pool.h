// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RECORDING_COMMAND_POOL_H_
#define ASSAY_STATE_RECORDING_COMMAND_POOL_H_

#include <cstdint>
#include <vector>

#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

class CommandBuffer;

class CommandPool : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_POOL;
  CommandPool(uint64_t handle, const VkCommandPoolCreateInfo& info, VkQueueFlags flags_of_family)
      : Object(kType, handle), flags(info.flags), queue_family(info.queueFamilyIndex), queue_flags(flags_of_family) {}

  const VkCommandPoolCreateFlags flags;
  const uint32_t queue_family;
  const VkQueueFlags queue_flags;
  // The command buffers of the pool, in no order; guarded by the pool's external synchronization.
  std::vector<CommandBuffer*> command_buffers;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RECORDING_COMMAND_POOL_H_
