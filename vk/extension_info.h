// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_EXTENSION_INFO_H_
#define ASSAY_VK_EXTENSION_INFO_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vk/extension_id.h"
#include "vk/vulkan.h"

// Extensions and features, with the version that promotes an extension and the structure that enables a feature.
namespace assay::vk {

struct ExtensionInfo {
  std::string_view name;
  uint32_t spec_version;
  bool instance;
  // The registry's dependency expression: '+' is and, ',' is or, e.g.
  // "VK_KHR_get_physical_device_properties2,VK_VERSION_1_1".
  std::string_view depends;
  // The core version or extension that the extension was promoted to; empty when it was not.
  std::string_view promoted_to;
  // VK_API_VERSION_1_1 and so on when promoted_to is (or leads to) a core version, else 0.
  uint32_t promoted_to_version;
  bool provisional;
};

const ExtensionInfo& GetExtensionInfo(ExtensionId id);
std::optional<ExtensionId> FindExtension(std::string_view name);

// One VkBool32 member of a feature structure (VkPhysicalDeviceFeatures or one that extends VkPhysicalDeviceFeatures2
// and VkDeviceCreateInfo).
struct FeatureInfo {
  // "synchronization2".
  std::string_view name;
  // "VkPhysicalDeviceVulkan13Features"; the same feature is listed once for each structure that holds it.
  std::string_view struct_name;
  VkStructureType structure_type;
  // Bytes from the beginning of the structure.
  uint32_t offset;
};
std::span<const FeatureInfo> Features();

}  // namespace assay::vk

#endif  // ASSAY_VK_EXTENSION_INFO_H_
