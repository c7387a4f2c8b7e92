// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_ENUM_INFO_H_
#define ASSAY_VK_ENUM_INFO_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vk/enum_id.h"
#include "vk/enum_to_string.h"
#include "vk/vulkan.h"

// Enumerants and flag bits as text. For every enumeration and every 32-bit FlagBits type there is also an overload
//     std::string_view ToString(VkFormat value);
// in vk/enum_to_string.h. It returns "Unhandled VkFormat" for a value that the registry does not have.
namespace assay::vk {

struct EnumValue {
  std::string_view name;
  // A flag bit or enumerant, sign-extended.
  int64_t value;
  // ExtensionId values; empty if core provides the value with its type.
  std::span<const uint16_t> extensions;
  // 0, or the core version that provides the value, VK_API_VERSION_1_1 and so on.
  uint32_t core_version;
};

struct EnumInfo {
  // "VkFormat", or the FlagBits type for a bitmask ("VkAccessFlagBits2").
  std::string_view name;
  // The Flags type for a bitmask ("VkAccessFlags2"), else empty.
  std::string_view flags_name;
  bool is_bitmask;
  uint8_t bit_width;
  // Sorted by value; the preferred (non-alias) name only.
  std::span<const EnumValue> values;
};

const EnumInfo& GetEnumInfo(EnumId id);
const EnumInfo* FindEnumInfo(std::string_view name);

// The enumerant's name; empty if the registry does not have the value.
std::string_view EnumName(EnumId id, int64_t value);

// The bits joined by '|', e.g. "VK_ACCESS_2_TRANSFER_READ_BIT|VK_ACCESS_2_HOST_READ_BIT"; unknown bits in hexadecimal;
// for zero the type's zero-valued name (VK_ACCESS_2_NONE) or "0". Multi-bit names (VK_SHADER_STAGE_ALL_GRAPHICS) are
// used only when value equals them.
std::string FlagsToString(EnumId bitmask, uint64_t value);

}  // namespace assay::vk

#endif  // ASSAY_VK_ENUM_INFO_H_
