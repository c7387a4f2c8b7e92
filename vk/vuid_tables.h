// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_VUID_TABLES_H_
#define ASSAY_VK_VUID_TABLES_H_

#include <cstdint>
#include <string_view>

#include "vk/vuid.h"

// The generated tables behind vuid.h.
namespace assay::vk::tables {

// An id and its sentence in kVuidText, one after the other. The text is in the order of ids.
struct VuidEntry {
  uint32_t begin;
  uint16_t id_length;
  uint16_t text_length;
  uint16_t page;
};
extern const char kVuidText[];
// In the order of kVuidHashes.
extern const VuidEntry kVuidEntries[];
// In the order of ids, byte by byte.
extern const VuidIndex kVuidsById[];
extern const std::string_view kVuidPages[];

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_VUID_TABLES_H_
