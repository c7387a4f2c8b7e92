// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_LIMIT_INFO_H_
#define ASSAY_VK_RULES_LIMIT_INFO_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "vk/vulkan.h"

namespace assay::vk {

// What a limit bounds: values are at most it, or at least it (a multiple of it, for alignments).
enum class LimitKind : uint8_t { kMost, kLeast, kOther };

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
  LimitKind kind;
  // What the specification requires of every device: at least this for kMost, at most this for kLeast. 0 where that is
  // not known; registry/emit_explicit_rules.py names the source.
  uint64_t required;
};

// The limits that rules compare with.
std::span<const LimitInfo> Limits();
// Its index, by its name; Limits().size() if there is none. Searches a list.
size_t FindLimit(std::string_view name);

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_LIMIT_INFO_H_
