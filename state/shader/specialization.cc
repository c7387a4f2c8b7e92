// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/specialization.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace assay::state {

std::vector<spirv_instrument::Specialization> ReadSpecialization(const VkSpecializationInfo* info) {
  std::vector<spirv_instrument::Specialization> constants;
  if (info == nullptr || info->pMapEntries == nullptr || info->pData == nullptr) return constants;
  for (uint32_t i = 0; i < info->mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = info->pMapEntries[i];
    if (entry.offset >= info->dataSize || entry.size > info->dataSize - entry.offset) continue;
    uint64_t value = 0;
    std::memcpy(&value, static_cast<const char*>(info->pData) + entry.offset, std::min(entry.size, sizeof(value)));
    constants.push_back({entry.constantID, value});
  }
  return constants;
}

}  // namespace assay::state
