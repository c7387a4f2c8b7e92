// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_PROC_ADDR_H_
#define ASSAY_DISPATCH_CHAIN_PROC_ADDR_H_

#include "vk/vulkan.h"

namespace assay::dispatch {

// The loader's question for physical-device commands, those unknown to the loader included: our function for a command
// of the registry that is dispatched on a physical device and that the next layer supports; null for other known
// commands, which tells the loader to dispatch them otherwise; the next layer's answer for unknown ones.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetPhysicalDeviceProcAddr(VkInstance instance, const char* name);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_PROC_ADDR_H_
