// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_BATCH_OPERATIONS_H_
#define ASSAY_STATE_QUEUES_BATCH_OPERATIONS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "state/memory/buffer.h"
#include "state/memory/device_memory.h"
#include "state/memory/execution_layouts.h"
#include "state/memory/image.h"
#include "state/memory/swapchain.h"
#include "state/objects/object.h"
#include "state/objects/semaphore.h"
#include "state/recording/command_buffer.h"
#include "vk/vulkan.h"

// The operations of a batch.
namespace assay::state {

struct BatchWait {
  VkSemaphore handle = VK_NULL_HANDLE;
  // Null if the handle is invalid.
  Ref<Semaphore> semaphore;
  // Of a timeline semaphore.
  uint64_t value = 0;
  // Of the second synchronization scope; 0 for none.
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  uint32_t device_index = 0;
  // Filled in completely when the batch becomes ready.
  SignalSource source;
};

struct BatchSignal {
  VkSemaphore handle = VK_NULL_HANDLE;
  Ref<Semaphore> semaphore;
  uint64_t value = 0;
  // Of the first synchronization scope; 0 for none.
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  uint32_t device_index = 0;
};

struct SubmittedCommandBuffer {
  VkCommandBuffer handle = VK_NULL_HANDLE;
  Ref<CommandBuffer> state;
  uint32_t device_mask = 0;
  // For the observers behind the one that tracks layouts, if CommandBuffer::wants_layouts. Null if nobody tracks them.
  std::shared_ptr<const ExecutionLayouts> layouts;
  // The same of secondary command buffers that it executes and that want them.
  struct Secondary {
    Ref<CommandBuffer> state;
    std::shared_ptr<const ExecutionLayouts> layouts;
  };
  std::vector<Secondary> secondaries;
};

struct PresentedImage {
  VkSwapchainKHR handle = VK_NULL_HANDLE;
  Ref<Swapchain> swapchain;
  uint32_t index = 0;
  // Null until the application has called vkGetSwapchainImagesKHR.
  VkImage image = VK_NULL_HANDLE;
  // VK_KHR_present_id; 0 for none.
  uint64_t present_id = 0;
};

// Memory that vkQueueBindSparse binds to a part of a buffer or an image, or unbinds. SparseMemory records it after the
// observers have seen the batch.
struct SparseBinding {
  // One of the two is not null.
  Ref<Buffer> buffer;
  Ref<Image> image;
  // The member of VkBindSparseInfo, e.g. "pBufferBinds", and the index of its element.
  const char* member = nullptr;
  uint32_t index = 0;
  // Bytes of the resource, as for SparseMemory. Empty for VkSparseImageMemoryBind and for an image's metadata.
  ByteRange bytes{};
  // The same bytes in the AddressSpace. None for an opaque binding of an image: only the driver knows its texels.
  ByteRanges ranges;
  // Null to unbind memory.
  Ref<DeviceMemory> memory;
  VkDeviceSize memory_offset = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_BATCH_OPERATIONS_H_
