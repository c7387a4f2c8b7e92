// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SPIRV_SPIRV_INFO_H_
#define ASSAY_VK_SPIRV_SPIRV_INFO_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vk/extension_info.h"
#include "vk/vulkan.h"

// What a device must have for a SPIR-V module to declare a capability or an extension ("SPIR-V Environment").
namespace assay::vk {

// One of: a version, an extension, a feature, a property that has bits of a value.
struct SpirvAlternative {
  // VK_API_VERSION_1_1 and so on; 0 for the others.
  uint32_t version;
  std::optional<ExtensionId> extension;
  std::optional<FeatureId> feature;
  // Of a property: the structure, and bytes in it; VK_STRUCTURE_TYPE_MAX_ENUM for the others.
  VkStructureType structure_type;
  uint32_t offset;
  uint32_t size;
  uint64_t value;
  // Which version or extension provides the property: "VK_VERSION_1_2,VK_KHR_shader_float_controls".
  std::string_view requires_one_of;
  // "geometryShader", "VK_KHR_multiview", "Vulkan 1.1".
  std::string_view text;
};

// One alternative is enough.
struct SpirvRequirement {
  // "Geometry", "SPV_KHR_multiview".
  std::string_view name;
  // Of a capability.
  uint32_t value;
  std::span<const SpirvAlternative> alternatives;
};

// Null for what no Vulkan device supports.
const SpirvRequirement* FindSpirvCapability(uint32_t capability);
const SpirvRequirement* FindSpirvExtension(std::string_view name);

}  // namespace assay::vk

#endif  // ASSAY_VK_SPIRV_SPIRV_INFO_H_
