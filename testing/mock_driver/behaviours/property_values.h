// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_PROPERTY_VALUES_H_
#define ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_PROPERTY_VALUES_H_

#include "vk/vulkan.h"

namespace assay::test {

// Fills one structure of vkGetPhysicalDeviceProperties2's chain with valid and generous values. The members' names give
// the values: a maximum is large, a minimum is small, an alignment is 16, and a choice is supported. sType and pNext
// stay. Arrays of the application stay too, and their count becomes zero.
void FillPropertyStruct(VkBaseOutStructure* properties);

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_PROPERTY_VALUES_H_
