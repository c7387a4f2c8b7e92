// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_PHYSICAL_DEVICE_H_
#define ASSAY_DISPATCH_HOOKS_PHYSICAL_DEVICE_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "dispatch/hooks/next_table.h"
#include "vk/extension_info.h"
#include "vk/rules/limit_info.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

using ExtensionSet = std::bitset<vk::kExtensionCount>;

// Whether the version, or one of the extensions that are in the set, provides something: a structure, a command, an
// enumerant (vk/struct_info.h, vk/command_info.h). True for what no version and no extension provides.
bool IsProvided(uint32_t core_version, std::span<const uint16_t> extensions, uint32_t api_version,
                const ExtensionSet& set);

// What the driver says of a physical device. It is asked once, at the first call for the physical device.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory_properties{};
  std::vector<VkQueueFamilyProperties> queue_families;
  // The extensions that the driver and the layers below support.
  ExtensionSet supported_extensions;
  // properties.limits, but those that the driver does not report allow everything.
  VkPhysicalDeviceLimits limits{};

  // A structure that extends VkPhysicalDeviceProperties2. Null if the physical device does not have it, and for
  // structures with pointers to what the application provides.
  template <class T>
  const T* Find() const {
    return static_cast<const T*>(Find(vk::kStructureTypeOf<T>));
  }
  const void* Find(VkStructureType type) const;

  // The limit. Nothing if the physical device does not have it, or says what the specification does not allow, such as
  // 0 for maxBufferSize: that is the driver's fault, and no rule for applications.
  std::optional<uint64_t> Limit(const vk::LimitInfo& limit) const;
  // The limit as the driver says it.
  std::optional<uint64_t> ReportedLimit(const vk::LimitInfo& limit) const;

  // By sType.
  absl::flat_hash_map<VkStructureType, std::unique_ptr<std::byte[]>> chained_properties;
};

// Asks the driver. instance_version and extensions are the instance's; they decide what may be asked.
PhysicalDevice QueryPhysicalDevice(const NextTable& next, VkPhysicalDevice handle, uint32_t instance_version,
                                   const ExtensionSet& extensions);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HOOKS_PHYSICAL_DEVICE_H_
