// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The commands that return the layer's properties and extensions.

#include <algorithm>
#include <cstring>
#include <string_view>

#include "absl/types/span.h"
#include "dispatch/chain/intercept.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/extensions/layer_identity.h"

namespace assay::dispatch {
namespace {

bool IsThisLayer(const char* name) {
  return name != nullptr && std::string_view(name) == GetLayerIdentity().properties.layerName;
}

// The specification's two-call idiom. Without out: the count alone. Otherwise as many elements as fit, and
// VK_INCOMPLETE when not all do.
template <class T>
VkResult Enumerate(absl::Span<const T> all, uint32_t* count, T* out) {
  if (count == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  if (out == nullptr) {
    *count = static_cast<uint32_t>(all.size());
    return VK_SUCCESS;
  }
  const size_t written = std::min<size_t>(*count, all.size());
  std::copy_n(all.begin(), written, out);
  *count = static_cast<uint32_t>(written);
  return written < all.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace

VkResult OverrideCall(const vk::EnumerateInstanceExtensionProperties& call) {
  if (!IsThisLayer(call.pLayerName)) return VK_ERROR_LAYER_NOT_PRESENT;
  return Enumerate<VkExtensionProperties>(GetLayerIdentity().instance_extensions, call.pPropertyCount,
                                          call.pProperties);
}

VkResult OverrideCall(const vk::EnumerateInstanceLayerProperties& call) {
  return Enumerate<VkLayerProperties>({&GetLayerIdentity().properties, 1}, call.pPropertyCount, call.pProperties);
}

// The loader implements this command itself. The layer's function runs only when vkGetInstanceProcAddr returned it.
VkResult OverrideCall(const vk::EnumerateInstanceVersion& call) {
  if (call.pApiVersion == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  *call.pApiVersion = GetLayerIdentity().properties.specVersion;
  return VK_SUCCESS;
}

VkResult OverrideCall(const vk::EnumerateDeviceExtensionProperties& call) {
  Slot* const slot = FindDispatchedOn(call);
  if (slot == nullptr) {
    ReportUnknownObject(call.kId, call.physicalDevice);
    return VK_ERROR_VALIDATION_FAILED_EXT;
  }
  // The parameters are checked before the name is read.
  Instance& instance = *slot->instance;
  const CommandHooks& hooks = instance.hooks[call.kId];
  if (!RunPreCall(hooks, call, slot, instance.reporter)) return VK_ERROR_VALIDATION_FAILED_EXT;
  const VkResult result = IsThisLayer(call.pLayerName)
                              ? Enumerate<VkExtensionProperties>(GetLayerIdentity().device_extensions,
                                                                 call.pPropertyCount, call.pProperties)
                              : Forward(call, instance, Next<vk::EnumerateDeviceExtensionProperties>(instance.next));
  RunPostCallRecord(hooks, call, slot, &result);
  return result;
}

VkResult OverrideCall(const vk::EnumerateDeviceLayerProperties& call) {
  if (FindDispatchedOn(call) == nullptr) {
    ReportUnknownObject(call.kId, call.physicalDevice);
    return VK_ERROR_VALIDATION_FAILED_EXT;
  }
  return Enumerate<VkLayerProperties>({&GetLayerIdentity().properties, 1}, call.pPropertyCount, call.pProperties);
}

}  // namespace assay::dispatch
