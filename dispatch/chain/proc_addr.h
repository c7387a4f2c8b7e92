// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_PROC_ADDR_H_
#define ASSAY_DISPATCH_CHAIN_PROC_ADDR_H_

#include "vk/vulkan.h"

namespace assay::dispatch {

// Answers the loader's question for physical-device commands, which may be unknown to the loader. The result is
// - the layer's function, for a command of the registry that is dispatched on a physical device and that the next layer
//   or driver has;
// - null, for other commands of the registry: the loader dispatches them otherwise;
// - the next layer's answer, for names that the registry does not have.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetPhysicalDeviceProcAddr(VkInstance instance, const char* name);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_PROC_ADDR_H_
