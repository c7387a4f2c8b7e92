// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_NEGOTIATE_H_
#define ASSAY_DISPATCH_CHAIN_NEGOTIATE_H_

#include "vk/vulkan.h"

// After vk/vulkan.h, which says what vulkan_core.h declares.
#include <vulkan/vk_layer.h>

namespace assay::dispatch {

// The loader's layer interface, version 2: lowers the version to what both sides know and fills in the three functions
// that everything else is reached through. VK_ERROR_INITIALIZATION_FAILED when the structure is null, of another type,
// or of a loader that knows only version 1 (whose layers export functions by name).
VkResult NegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_NEGOTIATE_H_
