// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/format_info.h"

#include "vk/format_tables.h"

namespace assay::vk {

const FormatInfo* GetFormatInfo(VkFormat format) {
  const uint16_t index = tables::kFormatByValue.Find(format);
  return index == ValueIndex::kNone ? nullptr : &tables::kFormats[index];
}

std::span<const FormatInfo> Formats() { return {tables::kFormats, tables::kFormatCount}; }

}  // namespace assay::vk
