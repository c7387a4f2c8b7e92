// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_LIMIT_INFO_H_
#define ASSAY_VK_RULES_LIMIT_INFO_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "vk/vulkan.h"

namespace assay::vk {

// A member of VkPhysicalDeviceLimits, or of a structure that extends VkPhysicalDeviceProperties2.
struct LimitInfo {
  // "VkPhysicalDeviceLimits::maxViewports".
  std::string_view name;
  std::string_view struct_name;
  // VK_STRUCTURE_TYPE_MAX_ENUM for VkPhysicalDeviceLimits.
  VkStructureType structure_type;
  // Bytes.
  uint32_t offset;
  uint8_t size;
  // The index in an array member.
  uint8_t index;
  bool is_array;
};

// The limits that explicit rules compare with.
std::span<const LimitInfo> Limits();

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_LIMIT_INFO_H_
