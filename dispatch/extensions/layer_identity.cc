// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/extensions/layer_identity.h"

#include <algorithm>
#include <atomic>
#include <string_view>

namespace assay::dispatch {
namespace {

constexpr VkExtensionProperties kInstanceExtensions[] = {
    {VK_EXT_DEBUG_REPORT_EXTENSION_NAME, VK_EXT_DEBUG_REPORT_SPEC_VERSION},
    {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_DEBUG_UTILS_SPEC_VERSION},
    {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME, VK_EXT_LAYER_SETTINGS_SPEC_VERSION},
    {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_SPEC_VERSION},
    {VK_EXT_VALIDATION_FLAGS_EXTENSION_NAME, VK_EXT_VALIDATION_FLAGS_SPEC_VERSION},
};

constexpr VkExtensionProperties kDeviceExtensions[] = {
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, VK_EXT_DEBUG_MARKER_SPEC_VERSION},
    {VK_EXT_TOOLING_INFO_EXTENSION_NAME, VK_EXT_TOOLING_INFO_SPEC_VERSION},
    {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME, VK_EXT_VALIDATION_CACHE_SPEC_VERSION},
};

constexpr LayerIdentity kAssay = {
    LoadedAs::kAssay,
    {"VK_LAYER_ASSAY_validation", VK_HEADER_VERSION_COMPLETE, 1, "Assay validation layer"},
    kInstanceExtensions,
    kDeviceExtensions};
constexpr LayerIdentity kDropIn = {LoadedAs::kDropIn,
                                   {"VK_LAYER_KHRONOS_validation", VK_HEADER_VERSION_COMPLETE, 1,
                                    "Assay validation layer in place of the Khronos one"},
                                   kInstanceExtensions,
                                   kDeviceExtensions};
static_assert(kAssay.properties.layerName == kLayerName);
static_assert(kDropIn.properties.layerName == kDropInName);

std::atomic<LoadedAs> g_loaded_as = LoadedAs::kAssay;

}  // namespace

const LayerIdentity& GetLayerIdentity(LoadedAs loaded_as) { return loaded_as == LoadedAs::kDropIn ? kDropIn : kAssay; }

void SetLoadedAs(LoadedAs loaded_as) { g_loaded_as.store(loaded_as, std::memory_order_relaxed); }
const LayerIdentity& GetLayerIdentity() { return GetLayerIdentity(g_loaded_as.load(std::memory_order_relaxed)); }

bool IsLayerDeviceExtension(std::string_view name) {
  return std::ranges::any_of(
      kDeviceExtensions, [name](const VkExtensionProperties& extension) { return extension.extensionName == name; });
}

}  // namespace assay::dispatch
