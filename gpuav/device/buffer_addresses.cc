// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/device/buffer_addresses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/layout.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

bool SupportsAddresses(const dispatch::Instance& instance, VkPhysicalDevice physical_device) {
  const auto get = dispatch::Next<vk::GetPhysicalDeviceFeatures2>(instance.next);
  if (get == nullptr) return false;
  VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &addresses};
  get(physical_device, &features);
  return addresses.bufferDeviceAddress == VK_TRUE;
}

// Several physical devices need bufferDeviceAddressMultiDevice: VUID-vkGetBufferDeviceAddress-device-03325. And there
// is an older extension, which excludes the newer one: VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-03328.
bool MayHaveAddresses(const VkDeviceCreateInfo& info) {
  const auto* group = vk::FindInChain<VkDeviceGroupDeviceCreateInfo>(info.pNext);
  if (group != nullptr && group->physicalDeviceCount > 1) return false;
  const auto names = absl::MakeSpan(info.ppEnabledExtensionNames, info.enabledExtensionCount);
  return std::ranges::find(names, std::string_view(VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME)) == names.end();
}

}  // namespace

bool MayUseEverySet(const dispatch::Settings& settings, const VkPhysicalDeviceLimits& limits) {
  return !settings.gpuav_reserve_binding_slot || limits.maxBoundDescriptorSets > spirv_instrument::kMaxSets;
}

const char* EnableBufferAddresses(const dispatch::Instance& instance, const dispatch::PhysicalDevice& physical_device,
                                  VkDeviceCreateInfo& info, dispatch::Rewriter& rewriter) {
  constexpr auto kExtension = static_cast<size_t>(vk::ExtensionId::kKhrBufferDeviceAddress);
  const uint32_t version = std::min(instance.api_version, physical_device.properties.apiVersion);
  const bool is_core = version >= VK_API_VERSION_1_2;
  if (version < VK_API_VERSION_1_1 || (!is_core && !physical_device.supported_extensions[kExtension])) return nullptr;
  if (!MayHaveAddresses(info) || !SupportsAddresses(instance, physical_device.handle)) return nullptr;
  if (auto* core = rewriter.CopyLinked<VkPhysicalDeviceVulkan12Features>(info)) {
    core->bufferDeviceAddress = VK_TRUE;
  } else if (auto* own = rewriter.CopyLinked<VkPhysicalDeviceBufferDeviceAddressFeatures>(info)) {
    own->bufferDeviceAddress = VK_TRUE;
  } else if (vk::FindInChain<VkPhysicalDeviceVulkan12Features>(info.pNext) == nullptr &&
             vk::FindInChain<VkPhysicalDeviceBufferDeviceAddressFeatures>(info.pNext) == nullptr) {
    rewriter.Link(info, VkPhysicalDeviceBufferDeviceAddressFeatures{
                            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
                            .bufferDeviceAddress = VK_TRUE});
  }
  return is_core ? nullptr : VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME;
}

bool HasBufferAddresses(const dispatch::Device& device) {
  return device.features_below[static_cast<size_t>(vk::FeatureId::kBufferDeviceAddress)] &&
         dispatch::HasNext<vk::GetBufferDeviceAddress>(device);
}

}  // namespace assay::gpuav
