// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_MEMORY_H_
#define ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_MEMORY_H_

#include "vk/vulkan.h"

namespace assay::test {

// The bytes that all subresources of an image take one after another, without padding.
VkDeviceSize ImageSize(const VkImageCreateInfo& info);

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_MEMORY_H_
