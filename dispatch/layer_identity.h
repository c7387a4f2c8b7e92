// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_LAYER_IDENTITY_H_
#define ASSAY_DISPATCH_LAYER_IDENTITY_H_

#include "dispatch/settings/settings.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// What the layer says of itself, the same as its manifest (//:layer, which a test compares). kLayerName is of the settings.
inline constexpr VkLayerProperties kLayerProperties = {"VK_LAYER_ASSAY_validation", VK_HEADER_VERSION_COMPLETE, 1,
                                                       "Assay validation layer"};
inline constexpr VkExtensionProperties kInstanceExtensions[] = {
    {VK_EXT_DEBUG_REPORT_EXTENSION_NAME, VK_EXT_DEBUG_REPORT_SPEC_VERSION},
    {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_DEBUG_UTILS_SPEC_VERSION},
    {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME, VK_EXT_LAYER_SETTINGS_SPEC_VERSION},
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_LAYER_IDENTITY_H_
