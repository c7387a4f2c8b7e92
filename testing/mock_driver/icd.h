// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_ICD_H_
#define ASSAY_TESTING_MOCK_DRIVER_ICD_H_

#include "vk/vulkan.h"

// The driver's interface to the Vulkan loader: the functions that libassay_mock_icd.so exports. The in-process loader
// calls them too.
extern "C" {
__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version);
__attribute__((visibility("default"))) VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char* name);
__attribute__((visibility("default"))) VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name);
}

#endif  // ASSAY_TESTING_MOCK_DRIVER_ICD_H_
