// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_WRITE_ARRAY_H_
#define ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_WRITE_ARRAY_H_

#include <algorithm>
#include <cstdint>

#include "vk/vulkan.h"

namespace assay::test {

// Vulkan's way to return an array. Without output, *count becomes the number of elements. With output, write(Out&
// element, uint32_t index) writes at most *count elements, and *count becomes the number of written elements. Returns
// VK_INCOMPLETE if that was not all.
template <class Out, class Write>
VkResult WriteArray(uint32_t* count, Out* output, size_t size, Write write) {
  uint32_t available = static_cast<uint32_t>(size);
  if (output == nullptr) {
    *count = available;
    return VK_SUCCESS;
  }
  *count = std::min(*count, available);
  for (uint32_t i = 0; i < *count; ++i) write(output[i], i);
  return *count < available ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_WRITE_ARRAY_H_
