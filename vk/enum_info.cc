// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/enum_info.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>

#include "vk/enum_tables.h"

namespace assay::vk {

const EnumInfo& GetEnumInfo(EnumId id) { return tables::kEnums[static_cast<size_t>(id)]; }

const EnumInfo* FindEnumInfo(std::string_view name) {
  const std::span<const EnumInfo> enums(tables::kEnums, kEnumCount);
  auto found = std::ranges::lower_bound(enums, name, {}, &EnumInfo::name);
  return found == enums.end() || found->name != name ? nullptr : &*found;
}

std::string_view EnumName(EnumId id, int64_t value) {
  const auto values = GetEnumInfo(id).values;
  auto found = std::ranges::lower_bound(values, value, {}, &EnumValue::value);
  return found == values.end() || found->value != value ? std::string_view() : found->name;
}

std::string FlagsToString(EnumId bitmask, uint64_t value) {
  const auto whole = EnumName(bitmask, static_cast<int64_t>(value));
  if (!whole.empty()) return std::string(whole);
  if (value == 0) return "0";
  std::string text;
  uint64_t unknown = 0;
  for (uint64_t rest = value; rest != 0; rest &= rest - 1) {
    const uint64_t bit = uint64_t{1} << std::countr_zero(rest);
    const auto name = EnumName(bitmask, static_cast<int64_t>(bit));
    if (name.empty()) {
      unknown |= bit;
      continue;
    }
    if (!text.empty()) text += '|';
    text += name;
  }
  if (unknown != 0) {
    char hexadecimal[19];
    std::snprintf(hexadecimal, sizeof(hexadecimal), "0x%" PRIx64, unknown);
    if (!text.empty()) text += '|';
    text += hexadecimal;
  }
  return text;
}

}  // namespace assay::vk
