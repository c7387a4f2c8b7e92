// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_FEATURE_INFO_H_
#define ASSAY_VK_FEATURE_INFO_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vk/extension_id.h"
#include "vk/feature_id.h"
#include "vk/vulkan.h"

// Features, the structures that enable them, and what enables them without a structure.
namespace assay::vk {

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
  FeatureId id;
};
std::span<const FeatureInfo> Features();

// "synchronization2".
std::string_view FeatureName(FeatureId id);
// Of several features with one name, the one whose id has no author's name.
std::optional<FeatureId> FindFeature(std::string_view name);

// A feature that a device has enabled without a structure that names it.
struct ImplicitFeature {
  FeatureId feature;
  // From this version on, such as texelBufferAlignment with Vulkan 1.3, which includes what that feature enables and
  // not the feature's structure; 0 for none.
  uint32_t version;
  // With this extension, such as drawIndirectCount with VK_KHR_draw_indirect_count, which is older than the feature.
  std::optional<ExtensionId> extension;
};
std::span<const ImplicitFeature> ImplicitFeatures();

}  // namespace assay::vk

#endif  // ASSAY_VK_FEATURE_INFO_H_
