// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/rewriting/internal_calls.h"

#include <cstdint>

namespace assay::dispatch {

VkResult AllocateInternalCommandBuffers(const Device& device, const VkCommandBufferAllocateInfo& info,
                                        VkCommandBuffer* command_buffers) {
  VkResult result = CallNext(device, vk::AllocateCommandBuffers{device.handle, &info, command_buffers});
  if (result != VK_SUCCESS || device.set_loader_data == nullptr) return result;
  for (uint32_t i = 0; i < info.commandBufferCount && result == VK_SUCCESS; ++i) {
    result = device.set_loader_data(device.handle, command_buffers[i]);
  }
  if (result != VK_SUCCESS) {
    CallNext(device, vk::FreeCommandBuffers{device.handle, info.commandPool, info.commandBufferCount, command_buffers});
  }
  return result;
}

}  // namespace assay::dispatch
