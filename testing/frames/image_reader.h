// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_FRAMES_IMAGE_READER_H_
#define ASSAY_TESTING_FRAMES_IMAGE_READER_H_

#include <cstdint>
#include <vector>

#include "testing/functions.h"
#include "vk/vulkan.h"

namespace assay::test {

// Reads images that are about to be presented. Where Vulkan fails, it says so and ends the process: a test must not
// take that for frames that are equal.
class ImageReader {
 public:
  ImageReader(VkDevice device, const Functions& functions, const VkPhysicalDeviceMemoryProperties& memory);

  VkDevice device() const { return device_; }
  const Functions& functions() const { return functions_; }

  // The texels of the first layer of an image, row by row without padding. The image is in
  // VK_IMAGE_LAYOUT_PRESENT_SRC_KHR before and after, and was made with VK_IMAGE_USAGE_TRANSFER_SRC_BIT. All that was
  // submitted must be able to complete: the device becomes idle first. No other thread uses the device's queues.
  std::vector<uint8_t> Read(VkQueue queue, uint32_t queue_family, VkImage image, VkFormat format,
                            VkExtent2D extent) const;

 private:
  struct HostBuffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const uint8_t* mapped = nullptr;
  };

  HostBuffer MakeBuffer(VkDeviceSize size) const;
  uint32_t FindMemoryType(uint32_t allowed_types) const;
  void RecordCopy(VkCommandBuffer commands, VkImage image, VkExtent2D extent, VkBuffer buffer) const;
  void RecordTransition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) const;

  VkDevice device_;
  Functions functions_;
  VkPhysicalDeviceMemoryProperties memory_;
};

// Ends the process with a message unless the result of the command is VK_SUCCESS.
void RequireSuccess(VkResult result, const char* command);

}  // namespace assay::test

#endif  // ASSAY_TESTING_FRAMES_IMAGE_READER_H_
