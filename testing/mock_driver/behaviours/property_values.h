// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_PROPERTY_VALUES_H_
#define ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_PROPERTY_VALUES_H_

#include "vk/vulkan.h"

namespace assay::test {

// Fills one structure of vkGetPhysicalDeviceProperties2's chain with valid and generous values, which it tells from the
// members' names: a limit is large if it is a maximum and small if it is a minimum, an alignment is 16, a choice is
// supported. sType and pNext stay, and so do arrays that the application gave, whose count becomes zero.
void FillPropertyStruct(VkBaseOutStructure* properties);

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_PROPERTY_VALUES_H_
