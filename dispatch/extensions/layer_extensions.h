// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_EXTENSIONS_LAYER_EXTENSIONS_H_
#define ASSAY_DISPATCH_EXTENSIONS_LAYER_EXTENSIONS_H_

#include <vector>

#include "dispatch/hooks/instance.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// The device extensions that the layer itself brings (LayerIdentity::device_extensions). Where the next layer or driver
// has one too its commands are passed on; where not, the layer is the end of the chain for them.
namespace assay::dispatch {

// Whether the command is there on the device without the driver having it.
bool IsProvidedByLayer(vk::CommandId id, const Device& device);
// The same for commands of physical devices.
bool IsProvidedByLayer(vk::CommandId id);

// The extensions to enable further down: without those that the layer alone has.
std::vector<const char*> ExtensionsForNext(Instance& instance, VkPhysicalDevice physical_device,
                                           const VkDeviceCreateInfo& create_info);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_LAYER_EXTENSIONS_H_
