// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_EXTENSIONS_LAYER_IDENTITY_H_
#define ASSAY_DISPATCH_EXTENSIONS_LAYER_IDENTITY_H_

#include <span>
#include <string_view>

#include "dispatch/settings/settings.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// What the layer says of itself, the same as its manifest, which is made of it (layer/manifest.cc).
struct LayerIdentity {
  LoadedAs loaded_as = LoadedAs::kAssay;
  // Its name is kLayerName or, as a drop-in, kDropInName.
  VkLayerProperties properties;
  std::span<const VkExtensionProperties> instance_extensions;
  // Those that the layer has whatever the driver does; layer_extensions.cc implements them.
  std::span<const VkExtensionProperties> device_extensions;
};

const LayerIdentity& GetLayerIdentity(LoadedAs loaded_as);

// What this library is loaded as. The loader does not tell a layer by which manifest it found it, so each library that
// is linked says it of itself at the first vkNegotiateLoaderLayerInterfaceVersion (layer/entry.cc).
void SetLoadedAs(LoadedAs loaded_as);
const LayerIdentity& GetLayerIdentity();

bool IsLayerDeviceExtension(std::string_view name);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_LAYER_IDENTITY_H_
