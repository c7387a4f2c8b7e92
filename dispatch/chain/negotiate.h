// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_NEGOTIATE_H_
#define ASSAY_DISPATCH_CHAIN_NEGOTIATE_H_

#include "vk/vulkan.h"

// After vk/vulkan.h, which configures vulkan_core.h.
#include <vulkan/vk_layer.h>

namespace assay::dispatch {

// The loader's layer interface, version 2. Lowers the version to one that both sides know, and fills in the three
// functions through which the loader reaches all others. VK_ERROR_INITIALIZATION_FAILED when the structure is null or
// of another type, or when the loader knows only version 1, whose layers export functions by name.
VkResult NegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_NEGOTIATE_H_
