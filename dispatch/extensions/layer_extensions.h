// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_EXTENSIONS_LAYER_EXTENSIONS_H_
#define ASSAY_DISPATCH_EXTENSIONS_LAYER_EXTENSIONS_H_

#include <vector>

#include "dispatch/hooks/instance.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// The device extensions that the layer implements (LayerIdentity::device_extensions). When the next layer or driver has
// such an extension too, the layer forwards its commands. Otherwise the layer is the end of the layer chain for them.
namespace assay::dispatch {

// Whether the layer implements the command on the device: the device has enabled an extension that provides it.
bool IsProvidedByLayer(vk::CommandId id, const Device& device);
// The same for commands of physical devices.
bool IsProvidedByLayer(vk::CommandId id);

// The extensions to enable in the next layer or driver: those of create_info without those that the layer alone has.
std::vector<const char*> ExtensionsForNext(Instance& instance, VkPhysicalDevice physical_device,
                                           const VkDeviceCreateInfo& create_info);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_LAYER_EXTENSIONS_H_
