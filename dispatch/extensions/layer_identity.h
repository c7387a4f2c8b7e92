// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_EXTENSIONS_LAYER_IDENTITY_H_
#define ASSAY_DISPATCH_EXTENSIONS_LAYER_IDENTITY_H_

#include <span>
#include <string_view>

#include "dispatch/settings/settings.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// The layer's name, version and extensions. The manifest is made from it (layer/manifest.cc).
struct LayerIdentity {
  LoadedAs loaded_as = LoadedAs::kAssay;
  // The name is kLayerName or, as a drop-in, kDropInName.
  VkLayerProperties properties;
  std::span<const VkExtensionProperties> instance_extensions;
  // The layer has these even when the driver does not; layer_extensions.cc implements them.
  std::span<const VkExtensionProperties> device_extensions;
};

const LayerIdentity& GetLayerIdentity(LoadedAs loaded_as);

// The name under which this library is loaded. The loader does not report by which manifest it found a layer. So each
// library sets it in vkNegotiateLoaderLayerInterfaceVersion (layer/entry.cc).
void SetLoadedAs(LoadedAs loaded_as);
const LayerIdentity& GetLayerIdentity();

bool IsLayerDeviceExtension(std::string_view name);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_LAYER_IDENTITY_H_
